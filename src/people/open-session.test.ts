import { parseClientEncryptionKey } from "@trellis/kernel/crypto/p256.js";
import { type Custodians, CustodianUnavailable } from "@trellis/kernel/ports/custodian.js";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import {
  createClientKey,
  errorOf,
  type HeldAccount,
  type ProviderSession,
  sessionOf,
} from "../../test/support/test-network.js";
import { refreshSession } from "../sign-in/refresh-session.js";
import { setSessionPolicy } from "../sign-in/session-policy.js";
import { openSession } from "./open-session.js";
import { proveSession } from "./prove-session.js";

/** Where a tenant allows one session: what dies, fails or runs at the same moment leaves no two of them. */
const test = useTestNetwork();
beforeAll(() => test.call(setSessionPolicy, { body: { idle_seconds: null, one_session: true } }));

describe("sign-ins of one user, where one session is allowed", () => {
  it("leave exactly one when they happen at the same moment", async () => {
    const holder = await newHolder();
    for (let round = 0; round < 3; round += 1) {
      const tokens = await Promise.all(Array.from({ length: 5 }, () => signIn(holder)));
      const good = await Promise.all(tokens.map(isGood));
      expect(good.filter(Boolean)).toHaveLength(1);
      expect([await liveOf(holder), await keysOf(holder)]).toEqual([1, 1]);
    }
    expect(await isGood(holder.session.token)).toBe(false);
  });

  it("and a refresh at the same moment wait for each other, and the refreshed one ends", async () => {
    for (let round = 0; round < 5; round += 1) {
      const holder = await newHolder();
      const kms_payload = { provider: "kms_a", session: { KmsA: holder.session } };
      const refresh = () =>
        test.call(refreshSession, { body: { encryption_public_key: holder.clientKey.spki, kms_payload } }).then(
          () => "refreshed",
          (error: { code: string }) => error.code,
        );
      const [token, outcome] = await Promise.all([signIn(holder), refresh()]);
      expect(["refreshed", "invalid_refresh_token"]).toContain(outcome);
      expect([await isGood(token), await liveOf(holder)]).toEqual([true, 1]);
    }
  });

  it("leave the old session and no new one when they die before the old one has ended", async () => {
    const holder = await newHolder();
    const { db } = test.needs;
    // What is stored of the new session stays stored; the database takes nothing of what was to follow.
    await sql`create function die() returns trigger language plpgsql as $$ begin raise 'the process died'; end $$`.execute(
      db,
    );
    await sql`create trigger die before update of ended_at on session_chain for each row execute function die()`.execute(
      db,
    );
    await expect(signIn(holder)).rejects.toThrow("the process died");
    await sql`drop function die cascade`.execute(db);
    const { rows } = await sql`select id from session where user_id = ${holder.verified.grid_user_id}`.execute(db);
    expect(rows).toHaveLength(2);
    expect([await liveOf(holder), await isGood(holder.session.token)]).toEqual([1, true]);
    expect(await isGood(await signIn(holder))).toBe(true);
    expect([await liveOf(holder), await isGood(holder.session.token)]).toEqual([1, false]);
  });

  it("revoke the keys that an earlier one could not", async () => {
    const holder = await newHolder();
    const kmsA = test.needs.custodians.get("kms_a");
    if (!kmsA) throw new Error("kms_a is built in");
    const revokeAuthorizationKey = () => Promise.reject(new CustodianUnavailable("timeout", "no answer"));
    const deaf = new Map(test.needs.custodians).set("kms_a", { ...kmsA, revokeAuthorizationKey });
    expect((await errorOf(signIn(holder, deaf))).code).toBe("provider_unavailable");
    expect([await liveOf(holder), await keysOf(holder)]).toEqual([1, 2]);
    expect(await isGood(holder.session.token)).toBe(false);
    expect(await isGood(await signIn(holder))).toBe(true);
    expect([await liveOf(holder), await keysOf(holder)]).toEqual([1, 1]);
  });
});

let people = 0;
async function newHolder(): Promise<HeldAccount & { readonly session: ProviderSession }> {
  people += 1;
  const held = await test.openHolder(`alone-${people}@example.org`);
  return { ...held, session: sessionOf(held.verified) };
}

/** Another sign-in of the holder, with a code that is as good as any. Returns its token. */
async function signIn({ verified }: HeldAccount, custodians: Custodians = test.needs.custodians): Promise<string> {
  const clientKey = parseClientEncryptionKey((await createClientKey()).spki);
  const custodian = custodians.get("kms_a");
  if (!clientKey.ok || !custodian) throw new Error("the parts are there");
  const userId = verified.grid_user_id;
  const now = test.network.clock.now();
  const wallet = await custodian.ensureWallet({ ownerId: userId, environment: "sandbox", now });
  const request = { userId, custodian, wallet, clientKey: clientKey.publicKey, lifeMs: 3_600_000 };
  const opened = await openSession({ ...test.needs, custodians }, test.network, request, () => sql`select 1`);
  if (!opened) throw new Error("nothing stood in the way");
  return opened.token;
}

const isGood = (token: string | undefined): Promise<boolean> =>
  proveSession(test.needs, test.network, {
    tenantId: test.caller.tenantId,
    token,
    account: undefined,
    page: undefined,
  }).then(
    () => true,
    (error: { code: string }) => {
      expect(error.code).toBe("invalid_session");
      return false;
    },
  );

const liveOf = async ({ verified }: HeldAccount): Promise<number> => {
  const { rows } = await sql`select chain.id from session_chain as chain join session on session.chain_id = chain.id
    where session.user_id = ${verified.grid_user_id} and session.state = 'live' and chain.ended_at is null`.execute(
    test.needs.db,
  );
  return rows.length;
};

/** Authorization keys of the holder that the custodian obeys. */
const keysOf = async ({ verified }: HeldAccount): Promise<number> => {
  const { rows } =
    await sql`select key.id from kms_authorization_key as key join kms_wallet on kms_wallet.id = key.wallet_id
    where kms_wallet.owner_id = ${verified.grid_user_id} and key.revoked_at is null`.execute(test.needs.db);
  return rows.length;
};
