import { PGlite } from "@electric-sql/pglite";
import { Kysely, PGliteDialect, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { expect, it } from "vitest";
import { migrations } from "./index.js";

it("reads older accounts within a day, those with open votes at once, and closes stale ones as before", async () => {
  const db = new Kysely<unknown>({ dialect: new PGliteDialect({ pglite: await PGlite.create("memory://") }) });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const names = Object.keys(migrations).sort();
  try {
    await migrator.migrateTo(names[names.indexOf("0011-awake-watches") - 1] ?? "");
    await sql.raw("insert into tenant (id, name, created_at) values ('t', 't', 0)").execute(db);
    await sql
      .raw(`insert into account (environment, address, tenant_id, settings_address, type, user_id, created_at, updated_at)
        select 'sandbox', 'a' || i, 't', 's' || i, 'custom', 'u', 5, 5 from generate_series(1, 4) i`)
      .execute(db);
    await sql
      .raw(`insert into proposal_watch (environment, settings_address, transaction_index, stale_transaction_index,
          read_slot, checked_at, stale_seen_at)
        select 'sandbox', 's' || i, 1, i - 1, 9, 7, 8 from generate_series(1, 3) i`)
      .execute(db);
    await sql
      .raw(`insert into proposal (environment, settings_address, transaction_index, proposal_address,
          transaction_address, kind, status, chain_status, approved, rejected, cancelled, votes, uses_durable_nonce, read_slot)
        select 'sandbox', 's' || i, 1, 'p' || i, 't' || i, 'transaction', initcap(standing), standing, '[]', '[]', '[]', '[]', false, 9
        from unnest(array['active', 'executed']) with ordinality as place (standing, i)`)
      .execute(db);
    expect((await migrator.migrateToLatest()).error).toBeUndefined();
    const { rows } = await sql<object>`
      select settings_address, active_at::int4, read_slot::int4, stale_due_at::int4, due_at::float8, looked_at::int4
      from proposal_watch order by settings_address`.execute(db);
    const soon = expect.toSatisfy((dueAt: number) => Math.abs(dueAt - Date.now() - 43_200_000) < 43_260_000);
    expect(rows).toEqual([
      { settings_address: "s1", active_at: 7, read_slot: 9, stale_due_at: null, due_at: 0, looked_at: null },
      { settings_address: "s2", active_at: 7, read_slot: 9, stale_due_at: 3_600_008, due_at: soon, looked_at: null },
      { settings_address: "s3", active_at: 7, read_slot: 9, stale_due_at: 3_600_008, due_at: soon, looked_at: null },
      { settings_address: "s4", active_at: 5, read_slot: -1, stale_due_at: null, due_at: soon, looked_at: null },
    ]);
  } finally {
    await db.destroy();
  }
});
