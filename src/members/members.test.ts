import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { type Page, type Reply, useConsole } from "../../test/support/console.js";

const trellis = useConsole();

interface Wire {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly status: string;
  readonly invitation: { readonly mailed: boolean };
}
const dataOf = <T>(reply: Reply): T => {
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
  return reply.body.data as T;
};
const expectError = ({ status, body }: Reply, wanted: number, code: string) =>
  expect([status, body.code]).toEqual([wanted, code]);
const hook = { url: "http://127.0.0.1:9/hook", types: ["*"] };
let count = 0;
const address = () => `member-${++count}@example.org`;
const inviteBy = (page: Page, body: object) => trellis.ask("POST", "/members", { page, body });
/** A tenant of its own, with one owner who is signed in. */
async function openTenant(): Promise<{ readonly tenantId: string; readonly owner: Page }> {
  const tenantId = `tenant-of-${++count}`;
  await trellis.addTenant(tenantId);
  return { tenantId, owner: await trellis.signIn(address(), { tenantId }) };
}

describe("an invitation", () => {
  it("is mailed, which leaves the link out of the answer, and makes an active member", async () => {
    const { owner } = await openTenant();
    const email = address();
    const invited = dataOf<Wire>(await inviteBy(owner, { email: email.toUpperCase(), role: "developer", name: "Ada" }));
    expect(invited).toMatchObject({ email, role: "developer", name: "Ada", status: "invited", is_operator: false });
    // Whom a mail reaches needs no other way in.
    expect(invited.invitation).toEqual({ expires_at: expect.any(String), mailed: true });
    const [token = ""] = trellis.mailedTokens(email);
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const url = `https://trellis.example/console/#accept=${token}`;
    expect(trellis.mails.at(-1)).toMatchObject({ to: email });
    expect(trellis.mails.at(-1)?.text).toContain(url);
    const page = trellis.pageOf(await trellis.accept(token));
    expect(dataOf(await trellis.ask("GET", "/console/session", { page }))).toMatchObject({
      member: { email, status: "active", role: "developer" },
    });
    const listed = await trellis.ask("GET", "/members", { page: owner });
    expect(JSON.stringify(listed.body)).not.toContain(token);
  });

  it("is mailed fifty times a day, whether or not those before were removed, and is in the answer then", async () => {
    const { tenantId, owner } = await openTenant();
    const email = address();
    const { id } = dataOf<Wire & { id: string }>(await inviteBy(owner, { email, role: "viewer" }));
    dataOf(await trellis.ask("DELETE", `/members/${id}`, { page: owner }));
    const counted = trellis.needs.db
      .updateTable("tenant_writes")
      .set({ count: 50n })
      .where("tenant_id", "=", tenantId)
      .where("kind", "=", "invitations");
    expect(Number((await counted.executeTakeFirst()).numUpdatedRows)).toBe(1);
    const { invitation } = dataOf<Wire>(await inviteBy(owner, { email, role: "viewer" }));
    expect(invitation).toMatchObject({ mailed: false, token: expect.any(String) });
    expect(trellis.mailedTokens(email)).toHaveLength(1);
  });

  it("is in the answer where it could not be mailed", async () => {
    const { owner } = await openTenant();
    trellis.refuseMails(true);
    const reply = await inviteBy(owner, { email: address(), role: "viewer" });
    trellis.refuseMails(false);
    const { invitation } = dataOf<{ invitation: { token: string; url: string; mailed: boolean } }>(reply);
    expect([invitation.mailed, invitation.url.endsWith(`#accept=${invitation.token}`)]).toEqual([false, true]);
    trellis.pageOf(await trellis.accept(invitation.token));
  });

  it("replaces the one before, and is refused for a member who has accepted", async () => {
    const { owner } = await openTenant();
    const email = address();
    const first = dataOf<Wire>(await inviteBy(owner, { email, role: "viewer" }));
    const second = dataOf<Wire>(await inviteBy(owner, { email, role: "developer" }));
    const [former = "", newest = ""] = trellis.mailedTokens(email);
    expect([second.id, second.role]).toEqual([first.id, "developer"]);
    expectError(await trellis.accept(former), 400, "invalid_sign_in_link");
    trellis.pageOf(await trellis.accept(newest));
    expectError(await inviteBy(owner, { email, role: "viewer" }), 409, "member_exists");
  });

  it("gives nothing that the caller lacks, by key or by role", async () => {
    const { tenantId, owner } = await openTenant();
    const headers = await trellis.makeKey({ tenantId, scopes: ["admin:members", "accounts:read"] });
    const byKey = (body: object) => trellis.ask("POST", "/members", { headers, body });
    for (const role of ["viewer", "developer", "owner"]) {
      expectError(await byKey({ email: address(), role }), 403, "insufficient_scope");
    }
    const mainnet = { email: address(), role: "viewer", environments: ["mainnet"] };
    expectError(await inviteBy(owner, mainnet), 403, "insufficient_scope");
    const developer = await trellis.signIn(address(), { tenantId, role: "developer" });
    expectError(await inviteBy(developer, { email: address(), role: "viewer" }), 403, "insufficient_scope");
  });

  it("of an operator is not handed to an owner", async () => {
    const { tenantId, owner } = await openTenant();
    const email = address();
    await trellis.invite(email, { tenantId, isOperator: true });
    expectError(await inviteBy(owner, { email, role: "owner" }), 409, "member_exists");
  });

  it("is for addresses and names that are shown as they are", async () => {
    const { owner } = await openTenant();
    expectError(await inviteBy(owner, { email: "Ada <a@b.org>", role: "viewer" }), 400, "invalid_email");
    for (const name of ["a\u202eb", "a\nb", " "]) {
      expectError(await inviteBy(owner, { email: address(), role: "viewer", name }), 400, "invalid_request");
    }
  });

  it("is one for any number of calls at once, and one of its links is good", async () => {
    const { owner } = await openTenant();
    const email = address();
    const replies = await Promise.all(Array.from({ length: 5 }, () => inviteBy(owner, { email, role: "viewer" })));
    const made = replies.map((reply) => dataOf<Wire>(reply));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    const statuses = await Promise.all(
      trellis.mailedTokens(email).map(async (token) => (await trellis.accept(token)).status),
    );
    expect(statuses.toSorted()).toEqual([200, 400, 400, 400, 400]);
  });

  it("is repeated under its idempotency key to the member who asked, and to no other caller", async () => {
    const { tenantId, owner } = await openTenant();
    const other = await trellis.signIn(address(), { tenantId });
    const body = { email: address(), role: "viewer" };
    const headers = { "x-idempotency-key": "once" };
    const first = await trellis.ask("POST", "/members", { page: owner, body, headers });
    const again = await trellis.ask("POST", "/members", { page: owner, body, headers });
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(again.body).toEqual(first.body);
    const others = await trellis.ask("POST", "/members", { page: other, body, headers });
    expect(others.headers["idempotent-replayed"]).toBeUndefined();
    expect(new Set(trellis.mailedTokens(body.email)).size).toBe(2);
  });
});

describe("a change of a member", () => {
  it("counts on the member's next request, and disabling ends sessions and links", async () => {
    const { tenantId, owner } = await openTenant();
    const page = await trellis.signIn(address(), { tenantId, role: "viewer" });
    const makeHook = () => trellis.ask("POST", "/webhook-endpoints", { page, body: hook });
    const change = (body: object) => trellis.ask("PATCH", `/members/${page.memberId}`, { page: owner, body });
    expectError(await makeHook(), 403, "insufficient_scope");
    dataOf(await change({ role: "developer" }));
    dataOf(await makeHook());
    expect(dataOf<Wire>(await change({ status: "disabled" })).status).toBe("disabled");
    expectError(await makeHook(), 401, "sign_in_required");
    dataOf(await change({ status: "active" }));
    // The session does not come back with the member.
    expectError(await makeHook(), 401, "sign_in_required");
  });

  it("is refused where it would raise a member above the caller", async () => {
    const { tenantId, owner } = await openTenant();
    const operator = await trellis.signIn(address(), { tenantId, role: "viewer", isOperator: true });
    const change = (body: object) => trellis.ask("PATCH", `/members/${operator.memberId}`, { page: owner, body });
    expectError(await change({ role: "owner" }), 403, "insufficient_scope");
    expectError(await change({ environments: ["mainnet"] }), 403, "insufficient_scope");
    const body = { is_operator: true };
    const me = await trellis.ask("PATCH", `/members/${owner.memberId}`, { page: owner, body });
    expect(dataOf(me)).toMatchObject({ is_operator: false });
  });

  it("accepts no invitation in the member's place", async () => {
    const { tenantId, owner } = await openTenant();
    const { member } = await trellis.invite(address(), { tenantId, role: "viewer" });
    const body = { status: "active" };
    expectError(await trellis.ask("PATCH", `/members/${member.id}`, { page: owner, body }), 400, "invalid_request");
  });

  it("leaves the last active owner, whichever way and however many ask at once", async () => {
    const { tenantId, owner } = await openTenant();
    const path = `/members/${owner.memberId}`;
    for (const body of [{ role: "viewer" }, { status: "disabled" }]) {
      expectError(await trellis.ask("PATCH", path, { page: owner, body }), 409, "last_owner");
    }
    expectError(await trellis.ask("DELETE", path, { page: owner }), 409, "last_owner");
    // One who is invited, or disabled, is no owner who could act.
    await trellis.invite(address(), { tenantId });
    expectError(await trellis.ask("DELETE", path, { page: owner }), 409, "last_owner");
    const second = await trellis.signIn(address(), { tenantId });
    const replies = await Promise.all([
      trellis.ask("DELETE", path, { page: owner }),
      trellis.ask("PATCH", `/members/${second.memberId}`, { page: second, body: { role: "viewer" } }),
    ]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const { rows } =
      await sql`select from member where tenant_id = ${tenantId} and role = 'owner' and status = 'active'`.execute(
        trellis.db,
      );
    expect(rows).toHaveLength(1);
  });

  it("is for members of the own tenant alone", async () => {
    const { owner } = await openTenant();
    const foreign = await openTenant();
    const path = `/members/${foreign.owner.memberId}`;
    expectError(await trellis.ask("PATCH", path, { page: owner, body: { role: "viewer" } }), 404, "member_not_found");
    expectError(await trellis.ask("DELETE", path, { page: owner }), 404, "member_not_found");
    expectError(await trellis.ask("DELETE", "/members/x", { page: owner }), 404, "member_not_found");
  });

  it("of who reaches what is not served here is as of any other, but raises none above the caller", async () => {
    const { tenantId, owner } = await openTenant();
    const environments = ["sandbox", "mainnet"] as const;
    const viewer = await trellis.signIn(address(), { tenantId, role: "viewer", environments: [...environments] });
    const other = await trellis.signIn(address(), { tenantId, environments: [...environments] });
    const listed = dataOf<Wire[]>(await trellis.ask("GET", "/members", { page: owner }));
    expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining([viewer.memberId, other.memberId]));
    const change = (id: string, body: object) => trellis.ask("PATCH", `/members/${id}`, { page: owner, body });
    dataOf(await change(viewer.memberId, { name: "Ada" }));
    expectError(await change(viewer.memberId, { role: "owner" }), 403, "insufficient_scope");
    dataOf(await change(viewer.memberId, { status: "disabled" }));
    expectError(await change(viewer.memberId, { status: "active" }), 403, "insufficient_scope");
    dataOf(await trellis.ask("DELETE", `/members/${other.memberId}`, { page: owner }));
  });
});

it("lists members in pages, the newest first", async () => {
  const { tenantId, owner } = await openTenant();
  const ids = [owner.memberId];
  for (let i = 0; i < 4; i += 1) {
    trellis.clock.advance(1);
    ids.unshift((await trellis.invite(address(), { tenantId })).member.id);
  }
  const seen: string[] = [];
  for (let next: string | undefined = ""; next !== undefined; ) {
    const reply: Reply = await trellis.ask("GET", `/members?limit=2${next && `&cursor=${next}`}`, { page: owner });
    seen.push(...dataOf<Wire[]>(reply).map(({ id }) => id));
    next = reply.headers["x-next-cursor"] as string | undefined;
  }
  expect(seen).toEqual(ids);
});

it("names the member in the audit log for what a member does", async () => {
  const { tenantId, owner } = await openTenant();
  const email = address();
  const { id } = dataOf<Wire>(await inviteBy(owner, { email, role: "viewer" }));
  dataOf(await trellis.ask("PATCH", `/members/${id}`, { page: owner, body: { role: "developer" } }));
  dataOf(await trellis.ask("DELETE", `/members/${id}`, { page: owner }));
  const key = { name: "k", scopes: ["accounts:read"], environments: ["sandbox"] };
  dataOf(await trellis.ask("POST", "/api-keys", { page: owner, body: key }));
  const { rows } = await sql<{
    kind: string;
    body: string;
  }>`select kind, body from audit_entry where tenant_id = ${tenantId}
    order by sequence`.execute(trellis.db);
  const entries = rows.map(({ kind, body }) => [kind, JSON.parse(body).actor]);
  const by = `member/${owner.memberId}`;
  expect(entries).toEqual([
    ["tenant.created", undefined],
    ["member.invited", "operator"],
    ["member.link_issued", "operator"],
    ["member.changed", by],
    ["member.signed_in", by],
    ["member.invited", by],
    ["member.link_issued", by],
    ["member.changed", by],
    ["member.removed", by],
    ["api_key.created", by],
  ]);
});
