import { randomUUID } from "node:crypto";
import { parseClientEncryptionKey } from "@trellis/kernel/crypto/p256.js";
import { limits } from "@trellis/kernel/limits.js";
import { CustodianUnavailable } from "@trellis/kernel/ports/custodian.js";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { openSession } from "../../src/people/open-session.js";
import { refreshSession } from "../../src/sign-in/refresh-session.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import { countVerifications } from "../support/count-verifications.js";
import { useTestNetwork } from "../support/scene.js";
import { postgresUrl } from "../support/test-database.js";
import {
  createClientKey,
  createP256Key,
  errorOf,
  type HeldAccount,
  importAuthorizationKey,
  type ProviderSession,
  sessionOf,
  stampKmsA,
  stampKmsB,
  type Verified,
} from "../support/test-network.js";

/** What a signature that fits nothing costs must not grow with the keys and payloads that a user has piled up. */
const test = useTestNetwork();

describe("a signature that fits nothing", () => {
  it("costs what the live keys cost, after hundreds of refreshes and payments as after none", async () => {
    const holder = await openFunded();
    // The authorization key, the client's own, and the former over nine texts that are signed by mistake.
    expect(await refusalOf(holder, createP256Key())).toEqual({ code: "invalid_signature", verifications: 11 });
    let session = sessionOf(holder.verified);
    for (let i = 0; i < 100; i += 1) {
      if (i % limits.refreshesPerMinute === 0) await test.network.sandbox?.advanceClock(60);
      session = await refresh(session, holder);
    }
    await test.network.sandbox?.advanceClock(60);
    const key = await keyOf(await refresh(session, holder), holder);
    for (let i = 0; i < 10; i += 1) await pay(holder, key);
    // The last two authorization keys, the latest five that ended, and the client's own key; nine other texts with the first two.
    expect(await refusalOf(holder, createP256Key())).toEqual({ code: "invalid_signature", verifications: 26 });
    const paid = await prepare(holder);
    const good = await countVerifications(() => submit(holder, paid, stampKmsA(payloadOf(paid), key)));
    // By the service and by the custodian.
    expect(good.verifications).toBe(2);
  });

  it("costs no more than is written down, however many sessions are alive at once", async () => {
    const holder = await openFunded();
    const first = await keyOf(sessionOf(holder.verified), holder);
    const sealed = [];
    for (let i = 0; i < limits.liveKeysTried + 2; i += 1) {
      await test.network.sandbox?.advanceClock(1);
      sealed.push(await openAnother(holder));
    }
    const most = limits.liveKeysTried + (2 + 9) * limits.explainingKeysTried;
    const refused = await refusalOf(holder, createP256Key());
    expect(refused.code).toBe("invalid_signature");
    expect(refused.verifications).toBeLessThanOrEqual(most);
    // The newest command the wallet; those they crowd out are asked to refresh, and then they are the newest.
    const newest = sealed.at(-1);
    if (!newest) throw new Error("there are no sessions");
    await pay(holder, await newest.key());
    expect((await refusalOf(holder, first)).code).toBe("session_expired");
    await pay(holder, await keyOf(await refresh(sessionOf(holder.verified), holder), holder));
  });

  it("of kms_b names its key, and costs no arithmetic for the others", async () => {
    const holder = await test.openHolder("names-its-key@example.org", { provider: "kms_b" });
    await test.airdrop(holder.address, "sol", "1000000000");
    const attempt = async (key: Key, spoil = false) => {
      const prepared = await prepare(holder, { provider: "kms_b" });
      const stamp = stampKmsB(payloadOf(prepared), key, test.needs.realClock.now());
      const other = stampKmsB(payloadOf(await prepare(holder, { provider: "kms_b", amount: "1" })), key, 0);
      const kms_signed_payload = spoil ? { ...stamp, signature: other.signature } : stamp;
      return countVerifications(() =>
        test
          .call(submitTransactions, {
            params: { address: holder.address },
            body: { transaction: prepared.transaction, kms_payloads: [{ provider: "kms_b", kms_signed_payload }] },
          })
          .then(
            () => "landed",
            (error: { code: string }) => error.code,
          ),
      );
    };
    expect(await attempt(createP256Key())).toEqual({ result: "invalid_signature", verifications: 0 });
    expect(await attempt(holder.authorizationKey, true)).toEqual({ result: "invalid_signature", verifications: 11 });
    expect(await attempt(holder.authorizationKey)).toEqual({ result: "landed", verifications: 2 });
  });
});

/** One more session of the holder's wallet, as a sign-in opens it. */
async function openAnother(holder: HeldAccount) {
  const clientKey = await createClientKey();
  const parsed = parseClientEncryptionKey(clientKey.spki);
  const custodian = test.needs.custodians.get("kms_a");
  if (!parsed.ok || !custodian) throw new Error("the parts are there");
  const userId = holder.verified.grid_user_id;
  const now = test.network.clock.now();
  const wallet = await custodian.ensureWallet({ ownerId: userId, environment: "sandbox", now });
  const request = { userId, custodian, wallet, clientKey: parsed.publicKey, lifeMs: 30 * 86_400_000 };
  const opened = await openSession(test.needs, test.network, request, () => sql`select 1`);
  if (!opened) throw new Error("nothing stood in the way");
  const { encrypted_authorization_key: sealed } = opened.sealed;
  return { key: async () => importAuthorizationKey(await clientKey.open(sealed)) };
}

describe("a signature that was good once", () => {
  it("for another transaction that was submitted is found by what was stored of it", async () => {
    const holder = await openFunded();
    const [older, newer] = [await pay(holder, holder.authorizationKey), await pay(holder, holder.authorizationKey)];
    const stranger = await openFunded();
    for (const signature of [older, newer]) {
      const prepared = await prepare(holder);
      const { result, verifications } = await countVerifications(() => errorOf(submit(holder, prepared, signature)));
      expect([result.code, verifications]).toEqual(["payload_already_used", 1]);
      // Whose signature it was is not revealed to others.
      const theirs = await prepare(stranger);
      expect((await errorOf(submit(stranger, theirs, signature))).code).toBe("invalid_signature");
    }
  });

  it("by a key that was retired or has expired gets that reason, and by nothing older than the last few", async () => {
    const holder = await openFunded();
    let session = sessionOf(holder.verified);
    for (let i = 0; i < 2; i += 1) session = await refresh(session, holder);
    expect((await refusalOf(holder, holder.authorizationKey)).code).toBe("session_expired");
    // The newest two keys are live, and are not among the dead ones.
    for (let i = 0; i < limits.explainingKeysTried + 2; i += 1) {
      await test.network.sandbox?.advanceClock(1);
      session = await refresh(session, holder);
    }
    expect((await refusalOf(holder, holder.authorizationKey)).code).toBe("invalid_signature");
    const last = await keyOf(session, holder);
    await test.network.sandbox?.advanceClock(86_400);
    expect((await refusalOf(holder, last)).code).toBe("session_expired");
  });

  it("by a key of a chain that has ended, also before the custodian has heard of it", async () => {
    const holder = await openFunded();
    const session = sessionOf(holder.verified);
    const key = await keyOf(await refresh(session, holder), holder);
    await pay(holder, key);
    const kmsA = test.needs.custodians.get("kms_a");
    if (!kmsA) throw new Error("kms_a is built in");
    const revokeAuthorizationKey = () => Promise.reject(new CustodianUnavailable("timeout", "no answer"));
    const deaf = new Map(test.needs.custodians).set("kms_a", { ...kmsA, revokeAuthorizationKey });
    const body = {
      encryption_public_key: holder.clientKey.spki,
      kms_payload: { provider: "kms_a", session: { KmsA: session } },
    };
    const error = await errorOf(test.call(refreshSession, { body, needs: { custodians: deaf } }));
    expect(error.code).toBe("provider_unavailable");
    expect((await refusalOf(holder, key)).code).toBe("session_expired");
    const live = () =>
      test.needs.db
        .selectFrom("kms_authorization_key")
        .select("id")
        .where("wallet_id", "=", session.session.wallets[0]?.id ?? "")
        .where("revoked_at", "is", null)
        .execute();
    expect((await live()).length).toBeGreaterThan(0);
    expect((await errorOf(test.call(refreshSession, { body }))).code).toBe("invalid_refresh_token");
    expect(await live()).toEqual([]);
  });
});

// The counters are the connection's own: on a server with several connections they are late.
it.skipIf(postgresUrl !== undefined)(
  "reads no table from end to end to match a signature or to explain one",
  async () => {
    const holder = await openFunded();
    const wallet = sessionOf(holder.verified).session.wallets[0];
    const { db } = test.needs;
    await sql`insert into session (id, user_id, provider, wallet_id, authorization_key_id, authorization_public_key,
      client_public_key, token_hash, access_token_hash, refresh_token_hash, state, chain_id, chain_started_at,
      created_at, expires_at)
    select n::text, user_id, provider, wallet_id, authorization_key_id, authorization_public_key, client_public_key,
      int8send(n), int8send(n), int8send(n), 'rotated', chain_id, chain_started_at, 0, 0
    from session, generate_series(1, 20000) as n where wallet_id = ${wallet?.id ?? randomUUID()}`.execute(db);
    await sql`insert into kms_payload (id, prepared_id, provider, wallet_id, address, payload, used_by, stamp_hash, expires_at)
    select n::text, min(prepared.id), 'kms_a', ${wallet?.id ?? ""}, n::text, '', n::text, int8send(n), 0
    from generate_series(1, 20000) as n, prepared_transaction as prepared group by n`.execute(db);
    await sql`analyze`.execute(db);
    const scansOf = async () => {
      await sql`select pg_stat_force_next_flush()`.execute(db);
      const { rows } = await sql<{ relname: string; seq_scan: string }>`
      select relname, seq_scan::text from pg_stat_user_tables where relname in ('session', 'kms_payload') order by relname
    `.execute(db);
      return rows;
    };
    const before = await scansOf();
    expect((await refusalOf(holder, createP256Key())).code).toBe("invalid_signature");
    expect(await scansOf()).toEqual(before);
    await sql`select count(*) from session where state = 'revoked'`.execute(db);
    expect(await scansOf()).not.toEqual(before);
  },
);

type Key = ReturnType<typeof createP256Key>;

interface Prepared {
  readonly transaction: string;
  readonly kms_payloads: readonly { readonly payload: string }[];
}

let people = 0;
async function openFunded(): Promise<HeldAccount> {
  people += 1;
  const held = await test.openHolder(`holder-${people}@example.org`);
  await test.airdrop(held.address, "sol", "1000000000");
  return held;
}

const shop = "EdMSvMoHfsemd2s7eHCrRnuM1dzPu2CpUrHJN98XYC9y";
function prepare({ verified: { address } }: HeldAccount, more: object = {}): Promise<Prepared> {
  return test.call<Prepared>(preparePayment, {
    params: { address },
    body: {
      amount: "5000000",
      source: { account: address, currency: "sol" },
      destination: { address: shop, currency: "sol" },
      ...more,
    },
  });
}

function payloadOf(prepared: Prepared): string {
  const [payload] = prepared.kms_payloads;
  if (!payload) throw new Error("there is no payload");
  return payload.payload;
}

function submit(holder: HeldAccount, prepared: Prepared, signature: string): Promise<object> {
  return test.call(submitTransactions, {
    params: { address: holder.address },
    body: {
      transaction: prepared.transaction,
      kms_payloads: [{ provider: "kms_a", kms_signed_payload: { signature } }],
    },
  });
}

async function pay(holder: HeldAccount, key: Key): Promise<string> {
  const prepared = await prepare(holder);
  const signature = stampKmsA(payloadOf(prepared), key);
  await submit(holder, prepared, signature);
  return signature;
}

/** A payment signed by some key: how it is refused, and after how much time. */
async function refusalOf(holder: HeldAccount, key: Key): Promise<{ code: string; verifications: number }> {
  const prepared = await prepare(holder);
  const signature = stampKmsA(payloadOf(prepared), key);
  const { result, verifications } = await countVerifications(() => errorOf(submit(holder, prepared, signature)));
  return { code: result.code, verifications };
}

async function refresh(session: { refresh_token: string }, holder: HeldAccount): Promise<ProviderSession> {
  const { kms_payload } = await test.call<{ kms_payload: Verified["authentication"][number] }>(refreshSession, {
    body: {
      encryption_public_key: holder.clientKey.spki,
      kms_payload: { provider: "kms_a", session: { KmsA: session } },
    },
  });
  return sessionOf({ authentication: [kms_payload] });
}

async function keyOf(session: ProviderSession, holder: HeldAccount): Promise<Key> {
  return importAuthorizationKey(await holder.clientKey.open(session.session.encrypted_authorization_key));
}
