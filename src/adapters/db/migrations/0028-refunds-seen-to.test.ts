import { PGlite } from "@electric-sql/pglite";
import { Kysely, PGliteDialect, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrations } from "./index.js";

let db: Kysely<unknown>;

describe("tables that were filled before 0026, and are brought up to date", () => {
  beforeAll(fillAndMigrate, 60_000);
  afterAll(() => db?.destroy());

  it("keep every row and state, and continue to read refunds that failed and were not settled", async () => {
    const { rows } = await sql<{
      id: string;
      state: string;
      look_at: number | null;
      acknowledged_at_real: bigint | null;
    }>`
      select id, state, look_at::float8, acknowledged_at_real from rail_transfer`.execute(db);
    expect(rows).toHaveLength(4 * states.length + 1);
    expect(rows.filter(({ id, state }) => id !== "looked at" && id.split(" ")[1] !== state)).toEqual([]);
    expect(rows.filter((row) => row.acknowledged_at_real !== null)).toEqual([]);
    const refreshed = rows.filter(({ look_at: refresh_at }) => refresh_at !== null).map(({ id }) => id);
    expect(refreshed.sort()).toEqual(["in error back", "looked at", "out error back"]);
    expect(rows.find(({ id }) => id === "looked at")?.look_at).toBe(7);
    const payouts = await sql<{ id: string; state: string }>`select id, state from rail_payout`.execute(db);
    expect(payouts.rows).toHaveLength(2 * states.length);
    // Nothing of it is news.
    const events = await sql<{
      type: string;
      n: number;
    }>`select type, count(*)::int4 as n from event group by type`.execute(db);
    expect(events.rows).toEqual([{ type: "standing_order_payout.created", n: 2 * states.length }]);
    const reported = await sql`select from event where data like '%closed%'`.execute(db);
    expect(reported.rows).toEqual([]);
  });

  it("count codes, wrong tries and mails of before as those of secret keys", async () => {
    for (const table of ["one_time_code", "otp_failure", "mail"]) {
      const { rows } = await sql`select distinct share from ${sql.table(table)}`.execute(db);
      expect(rows).toEqual([{ share: "secret" }]);
    }
  });

  it("take what processes of the former release still write, but for addresses behind bank accounts", async () => {
    await code("later", "create", "void", 9).execute(db);
    await expect(code("second", "create", "live", 9).execute(db)).rejects.toMatchObject({ code: "23505" });
    await transfer("later", "out", "error", "closed", null).execute(db);
    await sql`update rail_payout set state = 'error', return_reason = coalesce('closed', return_reason)
      where id = 'payout payment_processed'`.execute(db);
    const { rows } =
      await sql`select data from event where object_id = 'payout payment_processed' and data like '%closed%'`.execute(
        db,
      );
    expect(rows).toEqual([]);
    // Said in docs/deployment.md: such an order is refused by an old process, and nothing is begun at the partner.
    await expect(place("other").execute(db)).rejects.toMatchObject({ code: "42P10" });
  });
});

const states = [
  "awaiting_funds",
  "in_review",
  "funds_received",
  "payment_submitted",
  "payment_processed",
  "canceled",
  "error",
  "undeliverable",
  "returned",
  "refunded",
];

/** What a release of so long ago wrote, which processes of it still do while they are replaced one after the other. */
const transfer = (id: string, direction: string, state: string, reason: string | null, refreshAt: number | null) => sql`
  insert into rail_transfer (id, tenant_id, environment, account_address, user_id, partner, partner_ref, customer_ref,
    operation_key, operation_begun_at, cancel_key, direction, coin, mint, decimals, base_units, fiat, rail, amount, state,
    told, return_reason, active_since, look_at, created_at, updated_at)
  values (${id}, 't', 'devnet', 'a', 'u', 'p', ${id}, 'c', ${id}, 1, 'k', ${direction}, 'usdc', 'm', 6, '1', 'usd',
    'ach_push', '1.00', ${state}, ${state}, ${reason}, 1, ${refreshAt}, 1, 1)`;

const place = (id: string) => sql`
  insert into rail_payout_address as mine (id, tenant_id, environment, account_address, partner, customer_ref, operation_key,
    operation_begun_at, external_account_id, external_account_ref, coin, mint, fiat, rail, endorsement, created_at, updated_at)
  values (${id}, 't', 'devnet', 'a', 'p', 'c', 'k', 1, 'bank', 'ref', 'usdc', 'm', 'usd', 'ach_push', 'base', 1, 1)
  on conflict (environment, account_address, external_account_id, coin, rail)
    do update set look_at = coalesce(mine.look_at, excluded.look_at)`;

const payout = (id: string, state: string, reason: string | null) => sql`
  insert into rail_payout (id, payout_address_id, tenant_id, environment, account_address, order_id, due_at, partner_ref,
    signature, state, amount, return_reason, created_at, updated_at)
  values (${id}, 'place', 't', 'devnet', 'a', ${id}, 1, ${id}, ${id}, ${state}, '1.00', ${reason}, 1, 1)`;

const code = (id: string, purpose: string, state: string, at: number) => sql`
  insert into one_time_code (id, tenant_id, environment, email, purpose, provider, code_hmac, attempts, state, created_at,
    expires_at)
  values (${id}, 't', 'devnet', 'ada@example.org', ${purpose}, 'one', '\\x00', 0, ${state}, ${at}::int8, ${at + 1}::int8)`;

async function fillAndMigrate(): Promise<void> {
  db = new Kysely<unknown>({ dialect: new PGliteDialect({ pglite: await PGlite.create("memory://") }) });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  await migrator.migrateTo("0025-api-keys");
  await sql`insert into tenant (id, name, created_at) values ('t', 't', 0)`.execute(db);
  await place("place").execute(db);
  for (const state of states) {
    for (const reason of [null, "closed"]) {
      const name = `${state}${reason === null ? "" : " back"}`;
      for (const direction of ["in", "out"]) {
        await transfer(`${direction} ${name}`, direction, state, reason, null).execute(db);
      }
      await payout(`payout ${name}`, state, reason).execute(db);
    }
  }
  await transfer("looked at", "out", "error", "closed", 7).execute(db);
  for (const purpose of ["create", "authenticate"]) {
    for (const [at, state] of ["void", "spent", "void", "live"].entries()) {
      await code(`${purpose} ${at}`, purpose, state, at).execute(db);
    }
  }
  await sql`insert into otp_failure (id, tenant_id, environment, email, failed_at)
    values ('f', 't', 'devnet', 'ada@example.org', 1)`.execute(db);
  await sql`insert into mail (id, tenant_id, environment, recipient_hash, state, purpose, created_at, queued_at_real)
    values ('m', 't', 'devnet', '\\x00', 'sent', 'create', 1, 1)`.execute(db);
  expect((await migrator.migrateToLatest()).error).toBeUndefined();
}
