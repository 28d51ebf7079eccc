import { limits } from "@trellis/kernel/limits.js";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { type AskedCode, type Page, type Reply, useConsole } from "../../test/support/console.js";

const trellis = useConsole();
const expectError = ({ status, body }: Reply, wanted: number, code: string) =>
  expect([status, body.code]).toEqual([wanted, code]);
let count = 0;
const address = () => `signs-in-${++count}@example.org`;
const verify = ({ request_id, code = "" }: AskedCode) =>
  trellis.ask("POST", "/console/verify", { body: { request_id, code } });
/** The same request with another code. */
const wrong = ({ request_id, code }: AskedCode): AskedCode => ({
  request_id,
  code: code === "00000000" ? "00000001" : "00000000",
});
const enter = async (email: string) => trellis.pageOf(await verify(await trellis.requestCode(email)));
const session = (page: Page) => trellis.ask("GET", "/console/session", { page });

describe("a code", () => {
  it("signs in once, with a cookie that scripts and other sites do not get", async () => {
    const email = address();
    const { memberId } = await trellis.signIn(email);
    const asked = await trellis.requestCode(email);
    const reply = await verify(asked);
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
    expectError(await verify(asked), 400, "invalid_otp");
  });

  it("is asked for with the same answer by a stranger, who gets none", async () => {
    const ask = async (email: string) => {
      const reply = await trellis.ask("POST", "/console/sign-in", { body: { email } });
      const { request_id, ...data } = reply.body.data as { request_id: string };
      expect(request_id).toMatch(/^[0-9a-f-]{36}$/);
      return [reply.status, data, Object.keys(reply.headers).toSorted()];
    };
    const email = address();
    await trellis.signIn(email);
    expect(await ask(email)).toEqual(await ask(address()));
    expect((await trellis.requestCode(address())).code).toBeUndefined();
    const invited = address();
    await trellis.invite(invited);
    expect((await trellis.requestCode(invited)).code).toBeUndefined();
  });

  it("has three tries, however many are made at once, and the next request has three of its own", async () => {
    const email = address();
    await trellis.signIn(email);
    const asked = await trellis.requestCode(email);
    await Promise.all(Array.from({ length: 6 }, () => verify(wrong(asked))));
    expectError(await verify(asked), 400, "invalid_otp");
    await enter(email);
  });

  it("is good with the id of its own request alone", async () => {
    const email = address();
    await trellis.signIn(email);
    const one = await trellis.requestCode(email);
    const other = await trellis.requestCode(email);
    if (one.code !== other.code) expectError(await verify({ ...other, code: one.code }), 400, "invalid_otp");
    for (const request_id of ["", "x", "00000000-0000-4000-8000-000000000000"]) {
      const reply = await verify({ ...one, request_id });
      expect([400, "invalid_request", "invalid_otp"]).toEqual(expect.arrayContaining([reply.status, reply.body.code]));
    }
    trellis.pageOf(await verify(one));
    trellis.pageOf(await verify(other));
  });

  it("is not used up by a stranger who asks for codes and guesses, while the member has asked", async () => {
    const email = address();
    const { browser } = await trellis.signIn(email);
    const own = await trellis.requestCode(email);
    // All that strangers have for the hour, and every try of it.
    for (let i = 0; i < limits.mailsPerAddressPerHour; i += 1) {
      const asked = await trellis.requestCode(email);
      for (let tried = 0; tried < limits.otpAttempts; tried += 1)
        expectError(await verify(wrong(asked)), 400, "invalid_otp");
    }
    expect((await trellis.requestCode(email)).code).toBeUndefined();
    trellis.pageOf(await verify(own));
    // A browser that has signed the member in has codes of its own; another member's has not.
    const foreign = await trellis.signIn(address());
    for (const other of [foreign.browser, "", "x", "A".repeat(43)]) {
      expect((await trellis.requestCode(email, { browser: other })).code).toBeUndefined();
    }
    trellis.pageOf(await verify(await trellis.requestCode(email, { browser })));
  });

  it("is tried sixty times a day by strangers at most, over all requests", async () => {
    const email = address();
    await trellis.signIn(email);
    let guesses = 0;
    for (let hour = 0; hour < 24; hour += 1) {
      for (let i = 0; i <= limits.mailsPerAddressPerHour; i += 1) {
        const asked = await trellis.requestCode(email);
        for (let tried = 0; tried <= limits.otpAttempts; tried += 1) await verify(wrong(asked));
      }
      const { rows } = await sql<{ tried: number }>`select coalesce(sum(attempts), 0)::int4 as tried from member_secret
        join member on member.id = member_id where email = ${email}`.execute(trellis.db);
      guesses = rows[0]?.tried ?? 0;
      trellis.clock.advance(3_500_000);
    }
    expect(guesses).toBe(limits.mailsPerAddressPerDay * limits.otpAttempts);
  });

  it("signs in one of many who send it at once", async () => {
    const email = address();
    await trellis.signIn(email);
    const asked = await trellis.requestCode(email);
    const replies = await Promise.all(Array.from({ length: 3 }, () => verify(asked)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("ends after 15 minutes of real time", async () => {
    const email = address();
    await trellis.signIn(email);
    const asked = await trellis.requestCode(email);
    trellis.clock.advance(limits.memberCodeMs);
    expectError(await verify(asked), 400, "invalid_otp");
  });

  it("is mailed five times in an hour and twenty times in a day", async () => {
    const email = address();
    await trellis.signIn(email);
    const mailed: boolean[] = [];
    for (let hour = 0; hour < 5; hour += 1) {
      for (let i = 0; i < 6; i += 1) mailed.push((await trellis.requestCode(email)).code !== undefined);
      trellis.clock.advance(3_600_000);
    }
    const ofHour = [true, true, true, true, true, false];
    expect(mailed).toEqual([...ofHour, ...ofHour, ...ofHour, ...ofHour, ...ofHour.map(() => false)]);
  });

  it("is of the tenant that is named, or else of the one last signed in to", async () => {
    const email = address();
    await trellis.addTenant("second");
    const first = await trellis.signIn(email);
    trellis.clock.advance(1);
    const second = await trellis.signIn(email, { tenantId: "second" });
    const idOf = async (tenant?: string) =>
      trellis.pageOf(await verify(await trellis.requestCode(email, tenant === undefined ? {} : { tenant }))).memberId;
    expect(await idOf()).toBe(second.memberId);
    trellis.clock.advance(1);
    expect(await idOf("tenant-1")).toBe(first.memberId);
    expect((await trellis.requestCode(email, { tenant: "third" })).code).toBeUndefined();
  });

  it("is bounded by the remote address", async () => {
    const headers = { "x-forwarded-for": "192.0.2.7" };
    const ask = () =>
      trellis.ask("POST", "/console/verify", {
        headers,
        body: { request_id: "00000000-0000-4000-8000-000000000000", code: "12345678" },
      });
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
    const two = await enter(email);
    const three = await enter(email);
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
    const { code = "" } = await trellis.requestCode(email);
    expect(code).toHaveLength(8);
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
