import { limits } from "@trellis/kernel/limits.js";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { type Page, type Reply, useConsole } from "../../test/support/console.js";

const trellis = useConsole();
const expectError = ({ status, body }: Reply, wanted: number, code: string) =>
  expect([status, body.code]).toEqual([wanted, code]);
let count = 0;
const address = () => `signs-in-${++count}@example.org`;
const verify = (email: string, code: string) => trellis.ask("POST", "/console/verify", { body: { email, code } });
const session = (page: Page) => trellis.ask("GET", "/console/session", { page });

describe("a code", () => {
  it("signs in once, with a cookie that scripts and other sites do not get", async () => {
    const email = address();
    const { memberId } = await trellis.signIn(email);
    const code = (await trellis.requestCode(email)) ?? "";
    const reply = await verify(email, code);
    expect(reply.headers["set-cookie"]).toMatch(
      /^__Host-trellis_console=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure$/,
    );
    const page = trellis.pageOf(reply);
    expect(page.memberId).toBe(memberId);
    expect((await session(page)).body.data).toMatchObject({
      member: { email },
      tenant: { id: "tenant-1", name: "tenant-1" },
      environments: ["sandbox"],
      csrf_token: page.csrf,
      version: "0",
    });
    expectError(await verify(email, code), 400, "invalid_otp");
  });

  it("is asked for with the same answer by a stranger, who gets none", async () => {
    const ask = async (email: string) => {
      const reply = await trellis.ask("POST", "/console/sign-in", { body: { email } });
      return [reply.status, reply.body.data, Object.keys(reply.headers).toSorted()];
    };
    const email = address();
    await trellis.signIn(email);
    expect(await ask(email)).toEqual(await ask(address()));
    expect(await trellis.requestCode(address())).toBeUndefined();
    const invited = address();
    await trellis.invite(invited);
    expect(await trellis.requestCode(invited)).toBeUndefined();
  });

  it("has three tries, however many are made at once, and the former one is void", async () => {
    const email = address();
    await trellis.signIn(email);
    const former = (await trellis.requestCode(email)) ?? "";
    const code = (await trellis.requestCode(email)) ?? "";
    if (former !== code) expectError(await verify(email, former), 400, "invalid_otp");
    const wrong = code === "000000" ? "000001" : "000000";
    await Promise.all(Array.from({ length: 6 }, () => verify(email, wrong)));
    expectError(await verify(email, code), 400, "invalid_otp");
    const next = (await trellis.requestCode(email)) ?? "";
    trellis.pageOf(await verify(email, next));
  });

  it("signs in one of many who send it at once", async () => {
    const email = address();
    await trellis.signIn(email);
    const code = (await trellis.requestCode(email)) ?? "";
    const replies = await Promise.all(Array.from({ length: 5 }, () => verify(email, code)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("ends after 15 minutes of real time", async () => {
    const email = address();
    await trellis.signIn(email);
    const code = (await trellis.requestCode(email)) ?? "";
    trellis.clock.advance(limits.memberCodeMs);
    expectError(await verify(email, code), 400, "invalid_otp");
  });

  it("is mailed five times in an hour, and no more after ten wrong tries in a day", async () => {
    const email = address();
    await trellis.signIn(email);
    const codes: (string | undefined)[] = [];
    for (let i = 0; i < 6; i += 1) codes.push(await trellis.requestCode(email));
    expect(codes.map((code) => code !== undefined)).toEqual([true, true, true, true, true, false]);
    trellis.clock.advance(3_600_000);
    for (let i = 0; i < 4; i += 1) {
      const code = await trellis.requestCode(email);
      const wrong = code === "000000" ? "000001" : "000000";
      for (let tried = 0; tried < 3; tried += 1) await verify(email, wrong);
    }
    expect(await trellis.requestCode(email)).toBeUndefined();
    trellis.clock.advance(86_400_000);
    expect(await trellis.requestCode(email)).toMatch(/^\d{6}$/);
  });

  it("is of the tenant that is named, or else of the one last signed in to", async () => {
    const email = address();
    await trellis.addTenant("second");
    const first = await trellis.signIn(email);
    trellis.clock.advance(1);
    const second = await trellis.signIn(email, { tenantId: "second" });
    const idOf = async (tenant?: string) =>
      trellis.pageOf(await verify(email, (await trellis.requestCode(email, tenant)) ?? "")).memberId;
    expect(await idOf()).toBe(second.memberId);
    trellis.clock.advance(1);
    expect(await idOf("tenant-1")).toBe(first.memberId);
    expect(await trellis.requestCode(email, "third")).toBeUndefined();
  });

  it("that is right costs the codes of other tenants no try", async () => {
    const email = address();
    await trellis.addTenant("beside");
    await trellis.signIn(email);
    const beside = await trellis.signIn(email, { tenantId: "beside" });
    const other = (await trellis.requestCode(email, "beside")) ?? "";
    for (let i = 0; i < limits.otpAttempts; i += 1) {
      const code = (await trellis.requestCode(email, "tenant-1")) ?? "";
      if (code !== other) trellis.pageOf(await verify(email, code));
    }
    expect(trellis.pageOf(await verify(email, other)).memberId).toBe(beside.memberId);
  });

  it("is bounded by the remote address", async () => {
    const headers = { "x-forwarded-for": "192.0.2.7" };
    const ask = () => trellis.ask("POST", "/console/verify", { headers, body: { email: address(), code: "123456" } });
    const replies: Reply[] = [];
    for (let i = 0; i <= limits.consoleSignInsPerMinute; i += 1) replies.push(await ask());
    expectError(replies.at(-2) as Reply, 400, "invalid_otp");
    expectError(replies.at(-1) as Reply, 429, "rate_limit_exceeded");
  });

  it("is not in the sandbox's outbox, which keys of the tenant read", async () => {
    const email = address();
    await trellis.signIn(email);
    await trellis.requestCode(email);
    const headers = await trellis.makeKey();
    const outbox = await trellis.ask("GET", `/sandbox/outbox?email=${email}`, { headers });
    expect(outbox.body.data).toEqual([]);
  });
});

describe("a link", () => {
  it("works once of many at once, and for its time", async () => {
    const { link } = await trellis.invite(address());
    const replies = await Promise.all(Array.from({ length: 5 }, () => trellis.accept(link.token)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expectError(await trellis.accept(link.token), 400, "invalid_sign_in_link");
    const late = await trellis.invite(address());
    trellis.clock.advance(limits.memberInvitationMs);
    expectError(await trellis.accept(late.link.token), 400, "invalid_sign_in_link");
    for (const token of ["", "x", "A".repeat(43)])
      expectError(await trellis.accept(token), 400, "invalid_sign_in_link");
  });

  it("opens nothing at a tenant that is disabled", async () => {
    const tenantId = "disabled-one";
    await trellis.addTenant(tenantId);
    const page = await trellis.signIn(address(), { tenantId });
    const { link } = await trellis.invite(address(), { tenantId });
    await trellis.db.updateTable("tenant").set({ disabled_at: 1n }).where("id", "=", tenantId).execute();
    expectError(await trellis.accept(link.token), 400, "invalid_sign_in_link");
    expectError(await session(page), 401, "sign_in_required");
  });
});

describe("a session", () => {
  it("is a fresh one, whatever the browser has sent before", async () => {
    const { link } = await trellis.invite(address());
    const cookie = `__Host-trellis_console=${"A".repeat(43)}`;
    const reply = await trellis.ask("POST", "/console/accept", { body: { token: link.token }, headers: { cookie } });
    const page = trellis.pageOf(reply);
    expect(page.cookie).not.toBe(cookie);
    expectError(await session({ ...page, cookie }), 401, "sign_in_required");
  });

  it("ends where its browser accepts a link, and its cookie is replaced", async () => {
    const before = await trellis.signIn(address());
    const { link } = await trellis.invite(address());
    const headers = { cookie: before.cookie };
    const wrong = await trellis.ask("POST", "/console/accept", { body: { token: "A".repeat(43) }, headers });
    expectError(wrong, 400, "invalid_sign_in_link");
    expect((await session(before)).status).toBe(200);
    trellis.pageOf(await trellis.ask("POST", "/console/accept", { body: { token: link.token }, headers }));
    expectError(await session(before), 401, "sign_in_required");
  });

  it("ends after 12 hours without a request, and after seven days with some", async () => {
    const page = await trellis.signIn(address());
    trellis.clock.advance(limits.memberSessionIdleMs - 1);
    expect((await session(page)).status).toBe(200);
    trellis.clock.advance(limits.memberSessionIdleMs - 1);
    expect((await session(page)).status).toBe(200);
    trellis.clock.advance(limits.memberSessionIdleMs);
    expectError(await session(page), 401, "sign_in_required");
    const busy = await trellis.signIn(address());
    for (let hours = 0; hours < 160; hours += 10) {
      trellis.clock.advance(36_000_000);
      expect((await session(busy)).status).toBe(200);
    }
    trellis.clock.advance(limits.memberSessionMs - 576_000_000);
    expectError(await session(busy), 401, "sign_in_required");
  });

  it("ends where its member signs out, alone or with all others", async () => {
    const email = address();
    const one = await trellis.signIn(email);
    const enter = async () => trellis.pageOf(await verify(email, (await trellis.requestCode(email)) ?? ""));
    const two = await enter();
    const three = await enter();
    const out = await trellis.ask("POST", "/console/sign-out", { page: one });
    expect(out.body.data).toEqual({ ended: 1 });
    expect(out.headers["set-cookie"]).toMatch(/^__Host-trellis_console=; Path=\/; Max-Age=0;/);
    expectError(await session(one), 401, "sign_in_required");
    expect((await session(two)).status).toBe(200);
    const all = await trellis.ask("DELETE", "/console/sessions", { page: two });
    expect(all.body.data).toEqual({ ended: 2 });
    expectError(await session(three), 401, "sign_in_required");
  });

  it("is in no row and no line of the log in clear, nor is what signs in", async () => {
    const email = address();
    const { link } = await trellis.invite(email);
    const page = trellis.pageOf(await trellis.accept(link.token));
    const code = (await trellis.requestCode(email)) ?? "";
    const tables = ["member", "member_secret", "member_session", "audit_entry", "idempotency_record"];
    let rows = "";
    for (const table of tables) {
      const found = await sql<{ text: string }>`select t::text as text from ${sql.table(table)} as t`.execute(
        trellis.db,
      );
      rows += found.rows.map(({ text }) => text).join("\n");
    }
    const token = page.cookie.split("=")[1] ?? "";
    for (const secret of [link.token, token, page.csrf]) {
      expect(rows.includes(secret) || trellis.logged().includes(secret)).toBe(false);
    }
    expect(trellis.logged()).not.toContain(`"${code}"`);
  });
});
