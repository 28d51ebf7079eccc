import { limits } from "@trellis/kernel/limits.js";
import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import { type Asked, createSoftPasskey, type SoftPasskey } from "../../test/support/authenticator.js";
import { type AskedCode, type Page, type Reply, useConsole } from "../../test/support/console.js";
import { members } from "./module.js";

const trellis = useConsole();
const place = { rpId: "trellis.example", origin: "https://trellis.example" };

let count = 0;
const address = () => `passkey-${++count}@example.org`;
const expectError = ({ status, body }: Reply, wanted: number, code: string) =>
  expect([status, body.code]).toEqual([wanted, code]);
const dataOf = <T>(reply: Reply): T => {
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
  return reply.body.data as T;
};
const session = (page: Page) => trellis.ask("GET", "/console/session", { page });
const bytesOf = (text: string) => Buffer.from(text, "base64url");

interface Wire {
  readonly id: string;
  readonly name: string;
  readonly credential_id: string;
  readonly last_used_at: string | null;
}

describe("adding a passkey", () => {
  it("makes one that signs in alone, with the same kind of cookie, and mails the member", async () => {
    const email = address();
    const page = await trellis.signIn(email);
    const { passkey, wire } = await enrol(page, { name: "Ada's phone. evil.example" });
    expect(wire).toMatchObject({ name: "Ada's phone. evil.example", rp_id: "trellis.example", last_used_at: null });
    const mail = trellis.mails.at(-1);
    expect(mail).toMatchObject({ to: email, subject: "A passkey was added for the console" });
    expect(mail?.text).toContain('"Ada\'s phone. evil[.]example"');

    const reply = await signInWith(passkey);
    expect(reply.headers["set-cookie"]).toMatch(
      /^__Host-trellis_console=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure$/,
    );
    const entered = trellis.pageOf(reply);
    expect(entered.memberId).toBe(page.memberId);
    expect((await session(entered)).body.data).toMatchObject({ member: { email }, csrf_token: entered.csrf });
    expect((await listOf(page))[0]?.last_used_at).not.toBeNull();
    expect(await kindsOf(page)).toEqual(["member.signed_in", "member.passkey_added", "member.signed_in"]);
  });

  it("asks the browser for one that says whose it is, by this page's domain, and excludes those that are there", async () => {
    const page = await trellis.signIn(address());
    const { wire } = await enrol(page);
    expect(await optionsOf(page)).toMatchObject({
      rp: { id: "trellis.example" },
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      excludeCredentials: [{ type: "public-key", id: wire.credential_id }],
    });
  });

  it("takes a session that began lately", async () => {
    const page = await trellis.signIn(address());
    const { wire } = await enrol(page);
    const { challenge } = await optionsOf(page);
    trellis.clock.advance(limits.memberFreshMs);
    expectError(await trellis.ask("POST", "/console/passkeys:options", { page }), 403, "fresh_sign_in_required");
    expectError(await remove(page, wire), 403, "fresh_sign_in_required");
    expectError(await require(page, true), 403, "fresh_sign_in_required");
    const late = { name: "x", credential: registrationOf(createSoftPasskey(), { challenge: bytesOf(challenge) }) };
    expectError(await add(page, late), 400, "invalid_registration");
    expectError(await rename(page, wire, "Old phone"), 403, "fresh_sign_in_required");
  });

  it("takes a challenge of the same session, of the console's page, and of a person who was asked", async () => {
    const page = await trellis.signIn(address());
    const other = await trellis.signIn(address());
    const { challenge: others } = await optionsOf(other);
    const { challenge: toSignIn } = await begin();
    const tries: [string, Partial<Asked>][] = [
      ["another session's challenge", { challenge: bytesOf(others) }],
      ["one for signing in", { challenge: bytesOf(toSignIn) }],
      ["one that nobody gave", { challenge: new Uint8Array(58) }],
      ["another origin", { origin: "https://evil.example" }],
      ["a subdomain", { origin: "https://app.trellis.example" }],
      ["another domain", { rpId: "evil.example" }],
      ["a frame", { clientData: { crossOrigin: true } }],
      ["a frame that is named", { clientData: { topOrigin: "https://evil.example" } }],
      ["an unverified user", { flags: 0x41 }],
    ];
    for (const [what, asked] of tries) {
      const { challenge } = await optionsOf(page);
      const credential = registrationOf(createSoftPasskey(), { challenge: bytesOf(challenge), ...asked });
      const reply = await add(page, { name: "x", credential });
      expect([what, reply.status, reply.body.code]).toEqual([what, 400, "invalid_registration"]);
    }
    expect(await listOf(page)).toEqual([]);
  });

  it("counts once, however often its answer is sent at once", async () => {
    const page = await trellis.signIn(address());
    const { challenge } = await optionsOf(page);
    const send = (passkey: SoftPasskey) =>
      add(page, { name: "x", credential: registrationOf(passkey, { challenge: bytesOf(challenge) }) });
    const replies = await Promise.all(Array.from({ length: 4 }, () => send(createSoftPasskey())));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 400, 400, 400]);
    expect(await listOf(page)).toHaveLength(1);
  });

  it("is refused for one that some member has, and beyond ten", async () => {
    const page = await trellis.signIn(address());
    const { passkey } = await enrol(page);
    await trellis.addTenant("passkeys-elsewhere");
    const foreign = await trellis.signIn(address(), { tenantId: "passkeys-elsewhere" });
    expectError(await tryEnrol(foreign, passkey), 409, "passkey_exists");
    for (let i = 1; i < limits.passkeysPerMember; i += 1) await enrol(page);
    expectError(await tryEnrol(page, createSoftPasskey()), 409, "passkey_limit");
  });

  it("is for a page that proves itself: every change needs the session's token and the console's origin", async () => {
    const page = await trellis.signIn(address());
    const { wire } = await enrol(page);
    const changes = [
      ["POST", "/console/passkeys:options", undefined],
      [
        "POST",
        "/console/passkeys",
        { name: "x", credential: registrationOf(createSoftPasskey(), { challenge: new Uint8Array(8) }) },
      ],
      ["PATCH", `/console/passkeys/${wire.id}`, { name: "x" }],
      ["DELETE", `/console/passkeys/${wire.id}`, undefined],
      ["PATCH", "/console/member", { passkey_required: true }],
    ] as const;
    for (const [method, path, body] of changes) {
      const without = await trellis.ask(method, path, { page: { ...page, csrf: "x" }, body });
      expectError(without, 403, "invalid_csrf_token");
      const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
      expectError(await trellis.ask(method, path, { page, body, headers }), 403, "foreign_page");
    }
    expect(await listOf(page)).toHaveLength(1);
    const foreign = { origin: "https://evil.example" };
    const body = await assertionOf(createSoftPasskey());
    expectError(await trellis.ask("POST", "/console/passkey:options", { headers: foreign }), 403, "foreign_page");
    expectError(await trellis.ask("POST", "/console/passkey", { headers: foreign, body }), 403, "foreign_page");
  });
});

describe("signing in with a passkey", () => {
  it("answers the same to everything that signs nobody in", async () => {
    const page = await trellis.signIn(address());
    const other = await trellis.signIn(address());
    const { passkey } = await enrol(page);
    const { challenge: toAdd } = await optionsOf(page);
    const bodies: [string, object][] = [
      ["unknown", await assertionOf(createSoftPasskey())],
      ["known, signed by another", await assertionOf(createSoftPasskey(), {}, { id: idOf(passkey) })],
      ["another member's handle", await assertionOf(passkey, {}, {}, handleOf(other))],
      ["a challenge to add one", await assertionOf(passkey, { challenge: bytesOf(toAdd) })],
      ["a challenge that nobody gave", await assertionOf(passkey, { challenge: new Uint8Array(58) })],
      ["another origin", await assertionOf(passkey, { origin: "https://evil.example" })],
      ["another domain", await assertionOf(passkey, { rpId: "evil.example" })],
      ["a frame", await assertionOf(passkey, { clientData: { crossOrigin: true } })],
      ["an unverified user", await assertionOf(passkey, { flags: 0x01 })],
      [
        "nonsense",
        { credential: { id: "x", response: { clientDataJSON: "x", authenticatorData: "", signature: "" } } },
      ],
    ];
    const late = await assertionOf(passkey);
    trellis.clock.advance(limits.passkeyCeremonyMs);
    bodies.push(["late", late]);
    const answers = new Set<string>();
    for (const [what, body] of bodies) {
      const reply = await send(body);
      expect([what, reply.status, reply.body.code]).toEqual([what, 401, "invalid_passkey"]);
      const { code, message } = reply.body as { code: string; message?: string };
      answers.add(JSON.stringify([code, message, reply.headers["set-cookie"]]));
    }
    expect(answers.size).toBe(1);
    trellis.pageOf(await send(await assertionOf(passkey, {}, {}, handleOf(page))));
  });

  it("takes a challenge once, of many at once and afterwards", async () => {
    const page = await trellis.signIn(address());
    const { passkey } = await enrol(page);
    const body = await assertionOf(passkey);
    const replies = await Promise.all(Array.from({ length: 4 }, () => send(body)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
    expectError(await send(body), 401, "invalid_passkey");
  });

  it("is over by the time it is used, even if it was not when it was read", async () => {
    const page = await trellis.signIn(address());
    const { passkey } = await enrol(page);
    const body = await assertionOf(passkey);
    const late = await trellis.db.transaction().execute(async (trx) => {
      await trx.selectFrom("member").select("id").where("id", "=", page.memberId).forUpdate().execute();
      const reply = send(body);
      await waiting();
      trellis.clock.advance(limits.passkeyCeremonyMs);
      return { reply };
    });
    expectError(await late.reply, 401, "invalid_passkey");
    expect(members.retention?.find(({ table }) => table === "member_nonce")?.keptMs).toBe(86_400_000);
  });

  it("goes on counting: what has counted less is refused, and in the audit log", async () => {
    const page = await trellis.signIn(address());
    const { passkey } = await enrol(page);
    trellis.pageOf(await send(await assertionOf(passkey, { counter: 5 })));
    for (const counter of [5, 4, 0])
      expectError(await send(await assertionOf(passkey, { counter })), 401, "invalid_passkey");
    trellis.pageOf(await send(await assertionOf(passkey, { counter: 6 })));
    const kinds = await kindsOf(page);
    expect(kinds.filter((kind) => kind === "member.passkey_counter_went_back")).toHaveLength(3);
  });

  it("is of the member whose it is, in that tenant alone", async () => {
    const email = address();
    const here = await trellis.signIn(email);
    await trellis.addTenant("passkeys-beside");
    const there = await trellis.signIn(email, { tenantId: "passkeys-beside" });
    const mine = await enrol(here);
    const theirs = await enrol(there);
    const entered = trellis.pageOf(await signInWith(theirs.passkey));
    expect(entered.memberId).toBe(there.memberId);
    expect((await session(entered)).body.data).toMatchObject({ tenant: { id: "passkeys-beside" } });
    expect((await listOf(entered)).map(({ id }) => id)).toEqual([theirs.wire.id]);
    expectError(await rename(entered, mine.wire, "x"), 404, "passkey_not_found");
    expectError(await remove(entered, mine.wire), 404, "passkey_not_found");
    expectError(await remove(entered, { ...mine.wire, id: "x" }), 404, "passkey_not_found");
    expect(trellis.pageOf(await signInWith(mine.passkey)).memberId).toBe(here.memberId);
  });

  it("ends the session that the browser had", async () => {
    const page = await trellis.signIn(address());
    const { passkey } = await enrol(page);
    const headers = { cookie: page.cookie };
    trellis.pageOf(await trellis.ask("POST", "/console/passkey", { headers, body: await assertionOf(passkey) }));
    expectError(await session(page), 401, "sign_in_required");
  });

  it("ends with the member: disabled, removed, or of a tenant that is disabled", async () => {
    const owner = await trellis.signIn(address());
    const email = address();
    const page = await trellis.signIn(email);
    const { passkey } = await enrol(page);
    dataOf(await require(page, true));
    const entered = trellis.pageOf(await signInWith(passkey));
    const path = `/members/${page.memberId}`;
    const change = (status: string) => trellis.ask("PATCH", path, { page: owner, body: { status } });
    trellis.clock.advance(limits.memberFreshMs);
    dataOf(await change("disabled"));
    expectError(await session(entered), 401, "sign_in_required");
    expectError(await signInWith(passkey), 401, "invalid_passkey");
    // Codes sign in again once it is enabled.
    expectError(await change("active"), 403, "fresh_sign_in_required");
    const fresh = await trellis.signIn(address());
    dataOf(await trellis.ask("PATCH", path, { page: fresh, body: { status: "active" } }));
    expectError(await signInWith(passkey), 401, "invalid_passkey");
    const enabled = trellis.pageOf(await verify(await trellis.requestCode(email)));
    expect(await listOf(enabled)).toEqual([]);

    const assertion = await assertionOf((await enrol(enabled)).passkey);
    dataOf(await trellis.ask("DELETE", path, { page: owner }));
    expectError(await send(assertion), 401, "invalid_passkey");
    const again = await trellis.signIn(email);
    expect(again.memberId).not.toBe(page.memberId);
    expectError(await signInWith(passkey), 401, "invalid_passkey");
    expect(await listOf(again)).toEqual([]);

    await trellis.addTenant("passkeys-disabled");
    const closed = await enrol(await trellis.signIn(address(), { tenantId: "passkeys-disabled" }));
    await trellis.db.updateTable("tenant").set({ disabled_at: 1n }).where("id", "=", "passkeys-disabled").execute();
    expectError(await signInWith(closed.passkey), 401, "invalid_passkey");
  });
});

describe("the name of a passkey", () => {
  it("is shown as it is", async () => {
    const page = await trellis.signIn(address());
    const { wire } = await enrol(page);
    for (const name of ["a\u0000b", "a\u202eb", " ", "", "x".repeat(65)]) {
      expectError(await rename(page, wire, name), 400, "invalid_request");
      const { challenge } = await optionsOf(page);
      const credential = registrationOf(createSoftPasskey(), { challenge: bytesOf(challenge) });
      expectError(await add(page, { name, credential }), 400, "invalid_request");
    }
    expect((await listOf(page)).map(({ name }) => name)).toEqual(["Phone"]);
  });
});

describe("removing a passkey", () => {
  it("ends what it has opened, except where it is asked from, and is mailed and logged", async () => {
    const email = address();
    const page = await trellis.signIn(email);
    const { passkey, wire } = await enrol(page);
    const one = trellis.pageOf(await signInWith(passkey));
    const two = trellis.pageOf(await signInWith(passkey));
    const assertion = await assertionOf(passkey);
    dataOf(await remove(one, wire));
    expect((await session(one)).status).toBe(200);
    expect((await session(page)).status).toBe(200);
    expectError(await session(two), 401, "sign_in_required");
    expectError(await send(assertion), 401, "invalid_passkey");
    expectError(await remove(one, wire), 404, "passkey_not_found");
    expect(trellis.mails.at(-1)).toMatchObject({ to: email, subject: "A passkey was removed from the console" });
    expect((await kindsOf(page)).at(-1)).toBe("member.passkey_removed");
  });

  it("at the moment of signing in leaves no session that outlives it", async () => {
    const page = await trellis.signIn(address());
    for (let round = 0; round < 3; round += 1) {
      const { passkey, wire } = await enrol(page);
      const body = await assertionOf(passkey);
      const [entered] = await Promise.all([send(body), remove(page, wire).then(dataOf)]);
      if (entered.status === 200) expectError(await session(trellis.pageOf(entered)), 401, "sign_in_required");
      else expectError(entered, 401, "invalid_passkey");
    }
  });
});

describe("a member who requires a passkey", () => {
  it("needs one, and then is mailed no codes, nor signed in by those that are out", async () => {
    const email = address();
    const page = await trellis.signIn(email);
    expectError(await require(page, true), 400, "invalid_request");
    const { passkey } = await enrol(page);
    const out = await trellis.requestCode(email);
    expect(dataOf(await require(page, true))).toMatchObject({ passkey_required: true });
    expect(trellis.mails.at(-1)).toMatchObject({ to: email, subject: "Only passkeys sign you in to the console now" });
    expectError(await verify(out), 400, "invalid_otp");
    expect((await trellis.requestCode(email)).code).toBeUndefined();
    dataOf(await require(trellis.pageOf(await signInWith(passkey)), false));
    trellis.pageOf(await verify(await trellis.requestCode(email)));
  });

  it("is not signed in by a code that is tried while it is required", async () => {
    const email = address();
    const page = await trellis.signIn(email);
    await enrol(page);
    const asked = await trellis.requestCode(email);
    const [entered] = await Promise.all([verify(asked), require(page, true).then(dataOf)]);
    const { rows } = await sql<{ used_at: bigint | null }>`select used_at from member_secret
      where id = ${asked.request_id}`.execute(trellis.db);
    expect([200, 400]).toContain(entered.status);
    expect(rows[0]?.used_at).not.toBeNull();
    expectError(await verify(asked), 400, "invalid_otp");
  });

  it("is let in by codes again by an owner, and by nobody who could not invite such a member", async () => {
    const email = address();
    const page = await trellis.signIn(email);
    const owner = await trellis.signIn(address());
    const developer = await trellis.signIn(address(), { role: "developer" });
    await enrol(page);
    dataOf(await require(page, true));
    const lift = (by: Page) =>
      trellis.ask("PATCH", `/members/${page.memberId}`, { page: by, body: { passkey_required: false } });
    expectError(await lift(developer), 403, "insufficient_scope");
    const headers = await trellis.makeKey({ scopes: ["admin:members"] });
    const byKey = await trellis.ask("PATCH", `/members/${page.memberId}`, {
      headers,
      body: { passkey_required: false },
    });
    expectError(byKey, 403, "insufficient_scope");
    const forced = { page: owner, body: { passkey_required: true } };
    expectError(await trellis.ask("PATCH", `/members/${page.memberId}`, forced), 400, "invalid_request");
    expect(dataOf(await lift(owner))).toMatchObject({ passkey_required: false });
    expect(trellis.mails.at(-1)).toMatchObject({
      to: email,
      subject: "Codes by mail sign you in to the console again",
    });
    trellis.pageOf(await verify(await trellis.requestCode(email)));
    const { rows } = await sql<{ body: string }>`select body from audit_entry where kind = 'member.changed'
      and subject = ${`member/${page.memberId}`} order by sequence desc limit 2`.execute(trellis.db);
    expect(
      rows.map(({ body }) => JSON.parse(body)).map(({ actor, details }) => [actor, details.passkey_required]),
    ).toEqual([
      [`member/${owner.memberId}`, false],
      [`member/${page.memberId}`, true],
    ]);
  });

  it("of operators is lifted by operators alone", async () => {
    const owner = await trellis.signIn(address());
    const page = await trellis.signIn(address(), { isOperator: true });
    await enrol(page);
    dataOf(await require(page, true));
    const body = { passkey_required: false };
    const reply = await trellis.ask("PATCH", `/members/${page.memberId}`, { page: owner, body });
    expect([403, 404]).toContain(reply.status);
  });

  it("keeps the last one that signs in, until codes are allowed", async () => {
    const page = await trellis.signIn(address());
    const first = await enrol(page);
    const second = await enrol(page);
    dataOf(await require(page, true));
    const entered = trellis.pageOf(await signInWith(second.passkey));
    dataOf(await remove(entered, first.wire));
    expectError(await remove(entered, second.wire), 400, "invalid_request");
    trellis.pageOf(await signInWith(second.passkey));
    dataOf(await require(entered, false));
    dataOf(await remove(entered, second.wire));
    expect(await listOf(entered)).toEqual([]);
  });

  it("has no other session left that a code has opened, nor one that changes what signs in", async () => {
    const email = address();
    const page = await trellis.signIn(email);
    const other = trellis.pageOf(await verify(await trellis.requestCode(email)));
    const { passkey, wire } = await enrol(page);
    const entered = trellis.pageOf(await signInWith(passkey));
    dataOf(await require(page, true));
    expectError(await session(other), 401, "sign_in_required");
    for (const kept of [page, entered]) expect((await session(kept)).status).toBe(200);
    const own = `/members/${page.memberId}`;
    const tries = [
      await require(page, false),
      await remove(page, wire),
      await rename(page, wire, "x"),
      await trellis.ask("POST", "/console/passkeys:options", { page }),
      await trellis.ask("PATCH", own, { page, body: { passkey_required: false } }),
    ];
    for (const reply of tries) expectError(reply, 403, "fresh_sign_in_required");
    dataOf(await rename(entered, wire, "x"));
    await enrol(entered);
    dataOf(await trellis.ask("PATCH", own, { page: entered, body: { passkey_required: false } }));
  });

  it("is let in by codes again by a fresh session alone, the member's own or another owner's", async () => {
    const page = await trellis.signIn(address());
    const { passkey } = await enrol(page);
    const owner = await trellis.signIn(address());
    dataOf(await require(page, true));
    const entered = trellis.pageOf(await signInWith(passkey));
    trellis.clock.advance(limits.memberFreshMs);
    const path = `/members/${page.memberId}`;
    for (const by of [entered, owner]) {
      const reply = await trellis.ask("PATCH", path, { page: by, body: { passkey_required: false } });
      expectError(reply, 403, "fresh_sign_in_required");
    }
    expectError(await require(entered, false), 403, "fresh_sign_in_required");
  });

  it("has one of the present domain: those of a former one count for nothing", async () => {
    const page = await trellis.signIn(address());
    const former = await enrol(page);
    const move = sql`update member_passkey set rp_id = 'former.example' where id = ${former.wire.id}`;
    await move.execute(trellis.db);
    expectError(await require(page, true), 400, "invalid_request");
    const present = await enrol(page);
    dataOf(await require(page, true));
    const entered = trellis.pageOf(await signInWith(present.passkey));
    expectError(await remove(entered, present.wire), 400, "invalid_request");
    dataOf(await remove(entered, former.wire));
  });
});

/** Until a statement of another connection waits for a row. */
const waiting = () =>
  vi.waitFor(async () => {
    // On the row of somebody's transaction, whose lock has no database.
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(trellis.db);
    expect(rows.length).toBeGreaterThan(0);
  });
const verify = ({ request_id, code = "" }: AskedCode) =>
  trellis.ask("POST", "/console/verify", { body: { request_id, code } });
const require = (page: Page, passkey_required: boolean) =>
  trellis.ask("PATCH", "/console/member", { page, body: { passkey_required } });
const remove = (page: Page, { id }: Wire) => trellis.ask("DELETE", `/console/passkeys/${id}`, { page });
const rename = (page: Page, { id }: Wire, name: string) =>
  trellis.ask("PATCH", `/console/passkeys/${id}`, { page, body: { name } });
const add = (page: Page, body: object) => trellis.ask("POST", "/console/passkeys", { page, body });
const send = (body: object) => trellis.ask("POST", "/console/passkey", { body });
const idOf = ({ credentialId }: SoftPasskey) => Buffer.from(credentialId).toString("base64url");
const handleOf = ({ memberId }: Page) => Buffer.from(memberId.replaceAll("-", ""), "hex").toString("base64url");

async function listOf(page: Page): Promise<Wire[]> {
  return dataOf(await trellis.ask("GET", "/console/passkeys", { page }));
}

async function optionsOf(page: Page): Promise<{ readonly challenge: string }> {
  const reply = await trellis.ask("POST", "/console/passkeys:options", { page });
  return dataOf<{ public_key: { challenge: string } }>(reply).public_key;
}

async function begin(): Promise<{ readonly challenge: string; readonly rp_id: string }> {
  return dataOf(await trellis.ask("POST", "/console/passkey:options"));
}

function registrationOf(passkey: SoftPasskey, asked: Partial<Asked> & Pick<Asked, "challenge">) {
  const { id, clientDataJSON, authenticatorData } = passkey.register({ ...place, ...asked });
  return { id, response: { clientDataJSON, authenticatorData } };
}

async function tryEnrol(page: Page, passkey: SoftPasskey, name = "Phone"): Promise<Reply> {
  const { challenge } = await optionsOf(page);
  return add(page, { name, credential: registrationOf(passkey, { challenge: bytesOf(challenge) }) });
}

/** A passkey that is added to the member of a page. */
async function enrol(
  page: Page,
  { name = "Phone" } = {},
): Promise<{ readonly passkey: SoftPasskey; readonly wire: Wire }> {
  const passkey = createSoftPasskey();
  return { passkey, wire: dataOf<Wire>(await tryEnrol(page, passkey, name)) };
}

/** What a browser sends to sign in. */
async function assertionOf(
  passkey: SoftPasskey,
  asked: Partial<Asked> = {},
  credential: object = {},
  userHandle?: string,
) {
  const { challenge, rp_id } = await begin();
  expect(rp_id).toBe("trellis.example");
  const made = passkey.assert({ ...place, challenge: bytesOf(challenge), ...asked });
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
  const response = {
    clientDataJSON: text(made.clientDataJson),
    authenticatorData: text(made.authenticatorData),
    signature: text(made.signature),
    ...(userHandle === undefined ? {} : { userHandle }),
  };
  return { credential: { id: idOf(passkey), response, ...credential } };
}

const signInWith = async (passkey: SoftPasskey) => send(await assertionOf(passkey));

/** What the audit log has about the member of a page, the oldest first, but for the invitation. */
async function kindsOf({ memberId }: Page): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`select kind from audit_entry where subject = ${`member/${memberId}`}
    order by sequence`.execute(trellis.db);
  const before = ["member.invited", "member.link_issued", "member.changed"];
  return rows.map(({ kind }) => kind).filter((kind) => !before.includes(kind));
}
