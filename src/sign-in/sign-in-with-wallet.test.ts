import { sign } from "node:crypto";
import { getAddressDecoder } from "@solana/kit";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { makeKey, type OwnKey } from "../../test/adversarial/support.js";
import { openFrailDatabase } from "../../test/support/frail-database.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type CallParts, errorOf } from "../../test/support/test-network.js";
import { createCustomAccount } from "../accounts/create-custom-account.js";
import { findSessionsForOperator, openAlone } from "../people/end-sessions.js";
import { proveSession } from "../people/prove-session.js";
import { beginWalletSignIn } from "./begin-wallet-sign-in.js";
import { endAllSessions, endSession } from "./end-session.js";
import { endUserSession, endUserSessions } from "./end-user-session.js";
import { listSessions } from "./list-sessions.js";
import { listUserSessions } from "./list-user-sessions.js";
import { setSessionPolicy } from "./session-policy.js";
import { signInWithWallet } from "./sign-in-with-wallet.js";

const test = useTestNetwork();
const page = "https://app.example:8443";

describe("200", () => {
  it("asks for a text of the form that wallets know, of this page, address and environment", async () => {
    const key = makeKey();
    const { message, nonce, expires_at } = await begin(key);
    const issuedAt = new Date(Date.parse(expires_at) - 300_000).toISOString();
    expect(Date.parse(issuedAt)).toBe(test.needs.realClock.now());
    expect(message).toBe(
      [
        "app.example:8443 wants you to sign in with your Solana account:",
        key.address,
        "",
        "This signs you in on this page. It moves no money and changes no rights.",
        "",
        "URI: https://app.example:8443",
        "Version: 1",
        "Chain ID: localnet",
        `Nonce: ${nonce}`,
        `Issued At: ${issuedAt}`,
        `Expiration Time: ${expires_at}`,
      ].join("\n"),
    );
    expect(nonce).toMatch(/^[0-9a-f]{96,}$/);
  });

  it("opens a session for the accounts that the wallet signs for, and for no other", async () => {
    const [key, other] = [makeKey(), makeKey()];
    const mine = await openAccount(key);
    const theirs = await openAccount(other);
    const session = await signIn(key);
    expect(session).toMatchObject({ address: key.address, accounts: [mine] });
    expect(await prove(session.token, mine)).toMatchObject({ kind: "wallet", wallet: key.address, id: session.id });
    expect((await errorOf(prove(session.token, theirs))).code).toBe("account_not_found");
    // What the wallet becomes a signer of later is of the session, too.
    const later = await openAccount(other, key);
    await prove(session.token, later);
  });

  it("is good on the page that it was signed for, and for callers without a page", async () => {
    const key = makeKey();
    const account = await openAccount(key);
    const { token } = await signIn(key);
    const on = (where: string | undefined) =>
      proveSession(test.needs, test.network, { tenantId: test.caller.tenantId, token, account, page: where });
    expect(await on(page)).toMatchObject({ kind: "wallet" });
    expect(await on(undefined)).toMatchObject({ kind: "wallet" });
    expect((await errorOf(on("https://other.example"))).code).toBe("invalid_session");
  });

  it("ends with all sessions of the user who has the same key at a custodian", async () => {
    const key = makeKey();
    await openAccount(key);
    const email = "key-handed-out@example.org";
    const { verified } = await test.openHolder(email);
    const userId = verified.grid_user_id;
    await giveKey(userId, key);
    const [first, second] = [await signIn(key), await signIn(key)];
    const params = { user_id: userId };
    const listed = await test.call<{ id: string }[]>(listUserSessions, { params });
    expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining([first.id, second.id]));
    await test.call(endUserSession, { params: { ...params, session_id: first.id } });
    expect((await errorOf(prove(first.token))).code).toBe("invalid_session");
    await prove(second.token);
    await test.call(endUserSessions, { params });
    expect((await errorOf(prove(second.token))).code).toBe("invalid_session");
  });

  it("ends where its user signs in and the tenant allows one session", async () => {
    const key = makeKey();
    await openAccount(key);
    const { verified } = await test.openHolder("one-session-of-two-kinds@example.org");
    const userId = verified.grid_user_id;
    await giveKey(userId, key);
    const [{ token }, stranger] = [await signIn(key), makeKey()];
    await openAccount(stranger);
    const other = await signIn(stranger);
    const { id } = await test.needs.db
      .selectFrom("session")
      .select("chain_id as id")
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
    await openAlone(test.needs, { userId, id, provider: "kms_a" }, test.network.clock.now());
    expect((await errorOf(prove(token))).code).toBe("invalid_session");
    await prove(other.token);
  });

  it("is found for an operator until its end", async () => {
    const key = makeKey();
    await openAccount(key);
    const session = await signIn(key);
    const at = async (now: number) =>
      (await findSessionsForOperator(test.needs.db, { wallet: key.address }, now, 10)).map(({ id }) => id);
    const endsAt = Date.parse(session.expires_at);
    expect(await at(endsAt - 1)).toEqual([session.id]);
    expect(await at(endsAt)).toEqual([]);
  });

  it("lists and ends the session with those of the account, each holder its own", async () => {
    const [ada, ben] = [makeKey(), makeKey()];
    const account = await openAccount(ada, ben);
    const [hers, his] = [await signIn(ada), await signIn(ben)];
    const params = { address: account };
    const caller = async (token: string) => ({
      ...pageCaller(),
      session: await prove(token, account),
    });
    const ofAda = await caller(hers.token);
    expect(await test.call(listSessions, { params, caller: ofAda })).toEqual([
      {
        id: hers.id,
        signer: ada.address,
        current: true,
        created_at: hers.created_at,
        last_active_at: hers.created_at,
        expires_at: hers.expires_at,
        ends_at: hers.expires_at,
      },
    ]);
    expect(await test.call<object[]>(listSessions, { params })).toHaveLength(2);
    const foreign = { params: { ...params, session_id: his.id }, caller: ofAda };
    expect((await errorOf(test.call(endSession, foreign))).code).toBe("session_not_found");
    await test.call(endSession, { params: { ...params, session_id: "current" }, caller: ofAda });
    expect((await errorOf(prove(hers.token, account))).code).toBe("invalid_session");
    await test.call(endSession, { params: { ...params, session_id: his.id } });
    expect((await errorOf(prove(his.token, account))).code).toBe("invalid_session");
    const { db } = test.needs;
    const entries = await db
      .selectFrom("audit_entry")
      .select(["kind", "body"])
      .where("subject", "=", `session/${hers.id}`)
      .execute();
    expect(entries.map(({ kind }) => kind).sort()).toEqual(["session.ended", "session.opened"]);
    expect(JSON.parse(entries.find(({ kind }) => kind === "session.opened")?.body ?? "")).toMatchObject({
      tenant: test.caller.tenantId,
      details: { wallet: ada.address, origin: page },
    });
    const event = await db
      .selectFrom("event")
      .select(["type", "data"])
      .where("object_id", "=", hers.id)
      .executeTakeFirstOrThrow();
    expect(event.type).toBe("session.revoked");
    expect(JSON.parse(event.data ?? "")).toMatchObject({ id: hers.id, signer: ada.address, reason: "signed_out" });
  });

  it("ends by the environment's clock, after the time that was asked for", async () => {
    const key = makeKey();
    const expiration = Math.floor(test.needs.realClock.now() / 1000) + 600;
    const account = await openAccount(key);
    const session = await signIn(key, { body: { expiration } });
    const at = (instant: number) => ({ ...test.network, clock: { now: () => instant } });
    const endsAt = Date.parse(session.expires_at);
    await prove(session.token, undefined, at(endsAt - 1));
    expect((await errorOf(prove(session.token, undefined, at(endsAt)))).code).toBe("invalid_session");
    const params = { address: account };
    expect(await test.call(endAllSessions, { params, network: at(endsAt) })).toEqual({ ended: 0 });
    expect(await test.call(listSessions, { params, network: at(endsAt) })).toEqual([]);
    expect(await test.call(endAllSessions, { params })).toEqual({ ended: 1 });
    const tooLong = { body: { expiration: expiration + 40 * 86_400 } };
    expect((await errorOf(signIn(key, tooLong))).code).toBe("invalid_expiration");
  });

  it("leaves one session where the tenant allows one, however many sign in at once", async () => {
    const caller = { ...(await test.addTenant("one-wallet-session")), isPublishable: true, page };
    await test.call(setSessionPolicy, { caller, body: { idle_seconds: 600, one_session: true } });
    const key = makeKey();
    await openAccountOf({ ...caller, isPublishable: false }, key);
    const first = await signIn(key, { caller });
    const others = await Promise.all([signIn(key, { caller }), signIn(key, { caller }), signIn(key, { caller })]);
    const proofs = await Promise.allSettled(
      [first, ...others].map(({ token }) =>
        proveSession(test.needs, test.network, { tenantId: caller.tenantId, token, account: undefined, page }),
      ),
    );
    expect(proofs.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    // A session that rests ends as any other does.
    const idle = { ...test.network, clock: { now: () => test.network.clock.now() + 700_000 } };
    const good = [first, ...others][proofs.findIndex(({ status }) => status === "fulfilled")];
    const claim = { tenantId: caller.tenantId, token: good?.token, account: undefined, page };
    expect((await errorOf(proveSession(test.needs, idle, claim))).code).toBe("invalid_session");
  });
});

describe("401", () => {
  it("is the answer to a nonce that was used, however many use it at once, and opens one session", async () => {
    const key = makeKey();
    await openAccount(key);
    const body = await signedBy(key);
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => verify(body)));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await refusalOf(body)).toBe("invalid_wallet_signature");
    const rows = await test.needs.db
      .selectFrom("wallet_session")
      .select("id")
      .where("signer_address", "=", key.address)
      .execute();
    expect(rows).toHaveLength(1);
    // No chain without its session.
    const { db } = test.needs;
    const chains = await db.selectFrom("session_chain").select("id").execute();
    const known = new Set(
      [
        ...(await db.selectFrom("wallet_session").select("id").execute()),
        ...(await db.selectFrom("session").select("chain_id as id").execute()),
      ].map(({ id }) => id),
    );
    expect(chains.filter(({ id }) => !known.has(id))).toEqual([]);
  });

  it("is not the answer where the database broke at any statement before: nothing is left, or the nonce is used", async () => {
    const key = makeKey();
    await openAccount(key);
    const frail = openFrailDatabase(test.needs.db);
    const needs = { db: frail.db };
    frail.countStatements();
    await verify(await signedBy(key), { needs });
    const statements = frail.countStatements();
    expect(statements).toBeGreaterThan(1);
    const sessions = async () => {
      const { rows } = await sql<{
        n: number;
        chains: number;
      }>`select count(*)::int4 as n, count(chain.id)::int4 as chains
        from wallet_session as session left join session_chain as chain on chain.id = session.id
        where signer_address = ${key.address}`.execute(test.needs.db);
      return rows[0];
    };
    let open = 1;
    for (let statement = 0; statement < statements; statement += 1) {
      for (const when of ["before", "after"] as const) {
        const body = await signedBy(key);
        frail.breakAt(statement, when);
        await expect(verify(body, { needs })).rejects.toThrow("the connection broke");
        frail.breakAt(-1, "before");
        const after = await sessions();
        expect(after?.chains).toBe(after?.n);
        if (after?.n === open) await verify(body);
        else expect(await refusalOf(body)).toBe("invalid_wallet_signature");
        open += 1;
        expect((await sessions())?.n).toBe(open);
      }
    }
  });

  it("is the answer to a nonce of another page, address, tenant or environment", async () => {
    const [key, other] = [makeKey(), makeKey()];
    await openAccount(key);
    const body = await signedBy(key);
    const elsewhere = { ...pageCaller(), page: "https://evil.example" };
    const stranger = { ...(await test.addTenant("another-of-wallets")), isPublishable: true, page };
    const devnet = { ...test.network, name: "devnet" as const };
    expect(await refusalOf(body, { caller: elsewhere })).toBe("invalid_wallet_signature");
    expect(await refusalOf(body, { caller: stranger })).toBe("invalid_wallet_signature");
    expect(await refusalOf(body, { network: devnet })).toBe("invalid_wallet_signature");
    expect(await refusalOf({ ...body, address: other.address })).toBe("invalid_wallet_signature");
    // A wallet that signs a text of another page, which a page of ours then shows.
    const phished = await signedBy(key, { caller: elsewhere });
    expect(await refusalOf(phished)).toBe("invalid_wallet_signature");
    await verify(body);
  });

  it("is the answer to a nonce that has expired, by real time, or is made up", async () => {
    const key = makeKey();
    await openAccount(key);
    const [first, late] = [await signedBy(key), await signedBy(key)];
    test.needs.realClock.advance(299_999);
    await verify(first);
    test.needs.realClock.advance(1);
    expect(await refusalOf(late)).toBe("invalid_wallet_signature");
    const { nonce } = await signedBy(key);
    const bent = `${nonce.slice(0, -1)}${nonce.endsWith("0") ? "1" : "0"}`;
    for (const madeUp of ["", "00", "zz", nonce.toUpperCase(), `${nonce}00`, bent, nonce.slice(0, 48)]) {
      expect(await refusalOf({ ...first, nonce: madeUp })).toBe("invalid_wallet_signature");
    }
  });

  it("is the answer to a signature of another key, of another text, cut, or of a key of small order", async () => {
    const [key, other] = [makeKey(), makeKey()];
    const { message, nonce } = await begin(key);
    const by = (signer: OwnKey, text: string) => sign(null, Buffer.from(text), signer.privateKey).toString("base64");
    const good = by(key, message);
    for (const signature of [
      by(other, message),
      by(key, `${message}\n`),
      by(key, message.replace("app.example", "evil.example")),
      Buffer.from(good, "base64").subarray(0, 63).toString("base64"),
      `${good}AAAA`,
      "",
      Buffer.alloc(64).toString("base64"),
    ]) {
      expect(await refusalOf({ address: key.address, nonce, signature })).toBe("invalid_wallet_signature");
    }
    // Any message "verifies" under the identity with this signature, where nobody looks for it.
    const weak = getAddressDecoder().decode(Buffer.concat([Buffer.from([1]), Buffer.alloc(31)]));
    const begun = await test.call<{ nonce: string }>(beginWalletSignIn, {
      caller: pageCaller(),
      body: { address: weak },
    });
    const identity = Buffer.concat([Buffer.from([1]), Buffer.alloc(63)]).toString("base64");
    const forged = { address: weak, nonce: begun.nonce, signature: identity };
    expect(await refusalOf(forged)).toBe("invalid_wallet_signature");
    // An account's own address is no key.
    const account = await openAccount(key);
    const ofAccount = await begin({ ...key, address: account as OwnKey["address"] });
    expect(await refusalOf({ address: account, nonce: ofAccount.nonce, signature: by(key, ofAccount.message) })).toBe(
      "invalid_wallet_signature",
    );
    await verify({ address: key.address, nonce, signature: good });
  });
});

describe("404", () => {
  it("is the answer to a wallet that signs for no account of the tenant and environment, and opens no session", async () => {
    const key = makeKey();
    const stranger = await test.addTenant("of-a-strangers-account");
    await openAccountOf(stranger, key);
    const body = await signedBy(key);
    const refused = await errorOf(verify(body));
    expect([refused.code, refused.message]).toEqual(["account_not_found", "This wallet signs for no account here."]);
    const opened = test.needs.db.selectFrom("wallet_session").select("id").where("signer_address", "=", key.address);
    expect(await opened.execute()).toEqual([]);
    // The nonce is not used up.
    const account = await openAccount(key);
    expect(await verify(body)).toMatchObject({ accounts: [account] });
  });
});

describe("400 and 403", () => {
  it("are the answers to what is no address, and to who is on no page", async () => {
    for (const endpoint of [beginWalletSignIn, signInWithWallet]) {
      const body = { address: "0x00", nonce: "00", signature: "" };
      expect((await errorOf(test.call(endpoint, { caller: pageCaller(), body }))).code).toBe("invalid_address");
      const right = { ...body, address: makeKey().address };
      expect((await errorOf(test.call(endpoint, { body: right }))).code).toBe("origin_not_allowed");
    }
  });
});

interface Session {
  readonly id: string;
  readonly token: string;
  readonly address: string;
  readonly accounts: readonly string[];
  readonly created_at: string;
  readonly expires_at: string;
}

const pageCaller = () => ({ ...test.caller, isPublishable: true, page });

const begin = ({ address }: OwnKey, parts: CallParts = {}) =>
  test.call<{ message: string; nonce: string; expires_at: string }>(beginWalletSignIn, {
    caller: pageCaller(),
    ...parts,
    body: { address },
  });

async function signedBy(key: OwnKey, parts: CallParts = {}) {
  const { message, nonce } = await begin(key, parts);
  return {
    address: key.address,
    nonce,
    signature: sign(null, Buffer.from(message), key.privateKey).toString("base64"),
  };
}

const verify = (body: object, parts: CallParts = {}) =>
  test.call<Session>(signInWithWallet, { caller: pageCaller(), ...parts, body });

const refusalOf = async (body: object, parts: CallParts = {}) => (await errorOf(verify(body, parts))).code;

const signIn = async (key: OwnKey, { body, ...parts }: CallParts & { readonly body?: object } = {}) =>
  verify({ ...(await signedBy(key, parts)), ...body }, parts);

const openAccount = (...keys: readonly OwnKey[]) => openAccountOf(test.caller, ...keys);

async function openAccountOf(caller: typeof test.caller, ...keys: readonly OwnKey[]): Promise<string> {
  const signers = keys.map(({ address }) => ({ address, permissions: ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] }));
  const { address } = await test.call<{ address: string }>(createCustomAccount, {
    caller,
    body: { policies: { signers, threshold: 1 } },
  });
  return address;
}

/** The first wallet of a user has this key, as after an export. */
const giveKey = (userId: string, { address }: OwnKey) =>
  sql`update wallet set address = ${address} where id = (select wallet_id from session where user_id = ${userId} limit 1)`.execute(
    test.needs.db,
  );

const prove = (token: string, account?: string, network: Pick<typeof test.network, "name" | "clock"> = test.network) =>
  proveSession(test.needs, network, { tenantId: test.caller.tenantId, token, account, page });
