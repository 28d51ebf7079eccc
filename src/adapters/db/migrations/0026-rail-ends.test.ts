import { PGlite } from "@electric-sql/pglite";
import { Kysely, PGliteDialect, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { expect, it } from "vitest";
import { migrations } from "./index.js";

it("spreads the reads of bank accounts over the day, drops needless ones, and removes reasons from events", async () => {
  const db = new Kysely<unknown>({ dialect: new PGliteDialect({ pglite: await PGlite.create("memory://") }) });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const names = Object.keys(migrations).sort();
  try {
    await migrator.migrateTo(names[names.indexOf("0026-rail-ends") - 1] ?? "");
    const run = (text: string) => sql.raw(text).execute(db);
    await run("insert into tenant (id, name, created_at) values ('t', 't', 0)");
    await run(`insert into rail_external_account (id, tenant_id, environment, account_address, partner, partner_ref,
        customer_ref, operation_key, operation_begun_at, fingerprint, shown, kind, currency, last4, removal_key, active,
        removed_at, look_at, created_at, updated_at)
      select which || n, 't', 'devnet', 'a' || n, 'p', which || n, 'c', which || n, 0, convert_to(which, 'UTF8'), 'x', 'us', 'usd', '0000', 'r',
        which <> 'off', case which when 'removed' then 1 end, 0, 1, 1
      from unnest(array['off', 'on', 'removed']) as which, generate_series(1, 100) n`);
    for (const type of ["standing_order_payout.updated", "payment_intent.updated"]) {
      await run(`insert into event (id, tenant_id, environment, type, object_id, data, created_at)
        values ('${type}', 't', 'devnet', '${type}', 'o', '{"state":"returned","return_reason":"Ada"}', 1)`);
    }
    expect((await migrator.migrateToLatest()).error).toBeUndefined();
    const { rows } = await sql<{ id: string; look_at: number | null }>`
      select id, look_at::float8 from rail_external_account`.execute(db);
    const refreshes = (which: string) =>
      rows.filter(({ id }) => id.startsWith(which)).map(({ look_at: refresh_at }) => refresh_at);
    expect(new Set(refreshes("on"))).toEqual(new Set([null]));
    expect(new Set(refreshes("removed"))).toEqual(new Set([0]));
    // Of a day's quarters each has some.
    const first = Math.min(...refreshes("off").map(Number));
    expect(new Set(refreshes("off").map((at) => Math.floor((Number(at) - first) / 21_600_000)))).toEqual(
      new Set([0, 1, 2, 3]),
    );
    const events = await sql<{ type: string; data: string }>`select type, data from event order by type`.execute(db);
    expect(events.rows.map(({ type, data }) => [type, JSON.parse(data)])).toEqual([
      ["payment_intent.updated", { state: "returned", return_reason: "Ada" }],
      ["standing_order_payout.updated", { state: "returned" }],
    ]);
  } finally {
    await db.destroy();
  }
});
