import { sql } from "kysely";
import pg from "pg";
import { expect, it } from "vitest";
import { refreshSession } from "../../src/sign-in/refresh-session.js";
import { useTestNetwork } from "../support/scene.js";
import { postgresUrl } from "../support/test-database.js";
import { type ClientKey, errorOf, type ProviderSession, sessionOf, type Verified } from "../support/test-network.js";

/** A used-up refresh token is presented again while the holder of the newest one refreshes: nothing may survive that. */
const test = useTestNetwork();

it("ends whatever was made of the chain before, after or meanwhile", async () => {
  for (let round = 0; round < 20; round += 1) {
    const chain = await openChain(`round-${round}@example.org`);
    const [refreshed, reused] = await Promise.allSettled([
      refresh(chain.newest, chain.clientKey),
      refresh(chain.used, chain.clientKey),
    ]);
    expect(reused).toMatchObject({ status: "rejected", reason: { code: "invalid_refresh_token" } });
    await expectDead(chain, refreshed);
  }
});

it.skipIf(postgresUrl === undefined)("ends a session whose commit takes longer than the end", async () => {
  const { db } = test.needs;
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const url = new URL(postgresUrl ?? "");
  url.pathname = `/${rows[0]?.name}`;
  const gatekeeper = new pg.Client({ connectionString: url.href });
  await gatekeeper.connect();
  try {
    const chain = await openChain("slow-commit@example.org");
    await gatekeeper.query("select pg_advisory_lock(1)");
    await gatekeeper.query(`create function wait_at_gate() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(1); return null; end $$`);
    await gatekeeper.query(`create constraint trigger gate after insert on session
      deferrable initially deferred for each row execute function wait_at_gate()`);
    const waiting = async () => {
      const found = await gatekeeper.query(`select count(*)::int4 as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      return found.rows[0].waiting as number;
    };

    const refreshing = Promise.allSettled([refresh(chain.newest, chain.clientKey)]);
    while ((await waiting()) < 1);
    let isOver = false;
    const reusing = Promise.allSettled([refresh(chain.used, chain.clientKey)]).finally(() => {
      isOver = true;
    });
    while (!isOver && (await waiting()) < 2);
    await gatekeeper.query("select pg_advisory_unlock(1)");
    const [[refreshed], [reused]] = await Promise.all([refreshing, reusing]);
    expect(refreshed.status).toBe("fulfilled");
    expect(reused).toMatchObject({ status: "rejected", reason: { code: "invalid_refresh_token" } });
    await expectDead(chain, refreshed);
  } finally {
    await gatekeeper.end();
  }
});

async function refresh(session: { refresh_token: string }, clientKey: ClientKey): Promise<ProviderSession> {
  const { kms_payload } = await test.call<{ kms_payload: Verified["authentication"][number] }>(refreshSession, {
    body: {
      encryption_public_key: clientKey.spki,
      kms_payload: { provider: "kms_a", session: { KmsA: session } },
    },
  });
  return sessionOf({ authentication: [kms_payload] });
}

/** A user who has refreshed once, more than a minute ago. */
async function openChain(email: string) {
  const held = await test.openHolder(email);
  const used = sessionOf(held.verified);
  const newest = await refresh(used, held.clientKey);
  await test.network.sandbox?.advanceClock(61);
  return { used, newest, clientKey: held.clientKey, walletId: newest.session.wallets[0]?.id ?? "" };
}

type Chain = Awaited<ReturnType<typeof openChain>>;

/** Requires that no session of the chain can be refreshed, and that no key of its wallet commands anything. */
async function expectDead(chain: Chain, refreshed: PromiseSettledResult<ProviderSession>): Promise<void> {
  const tokens = [chain.used, chain.newest, ...(refreshed.status === "fulfilled" ? [refreshed.value] : [])];
  for (const token of tokens) {
    expect((await errorOf(refresh(token, chain.clientKey))).code).toBe("invalid_refresh_token");
  }
  const keys = await test.needs.db
    .selectFrom("kms_authorization_key")
    .select("revoked_at")
    .where("wallet_id", "=", chain.walletId)
    .execute();
  expect(keys.filter(({ revoked_at }) => revoked_at === null)).toEqual([]);
}
