import { Kysely, PostgresDialect } from "kysely";
import { Migrator } from "kysely/migration";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { migrations } from "../../src/adapters/db/migrations/index.js";
import { openDatabase } from "../../src/adapters/db/open-database.js";
import { createTestLocation, postgresUrl, type TestLocation } from "../support/test-database.js";

/** Where the tables stand before the migration that takes two of them one after the other. */
const before = "0025-api-keys";
/** By then the other process has long asked for what the migration holds. */
const deadlockTimeout = "3s";

describe.runIf(postgresUrl !== undefined)("tables that a process of a former release reads", () => {
  it("are brought up to date anew when the server undid it for that process", { timeout: 240_000 }, async () => {
    const undone: number[] = [];
    // On a machine that stands still for seconds the server undoes the other side: that proves nothing.
    for (let round = 0; round < 5 && !undone.some((count) => count > 0); round += 1) undone.push(await upgradeBeside());
    expect(undone.at(-1)).toBeGreaterThan(0);
  });
});

/** Upgrades while another session holds the tables in the other order; says how often the server undid the upgrade. */
async function upgradeBeside(): Promise<number> {
  const place = await createTestLocation();
  const former = new pg.Client({ connectionString: place.url });
  try {
    await migrateTo(place, before);
    await former.connect();
    const name = new URL(place.url ?? "").pathname.slice(1);
    await former.query(`alter database ${name} set deadlock_timeout = '${deadlockTimeout}'`);
    await former.query("set deadlock_timeout = '5min'");
    await former.query("begin");
    await former.query("select from rail_payout");
    const upgrade = openDatabase(place.location);
    // Awaited below; should it end before that, the failure must not be reported twice.
    upgrade.catch(() => undefined);
    await waitingFor(place);
    // What this waits for the upgrade holds, and the other way round.
    await former.query("select from rail_transfer");
    await former.query("commit");
    await (await upgrade).close();
    const { rows } = await former.query("select count(*)::int4 as count from kysely_migration");
    expect(rows[0]?.count).toBe(Object.keys(migrations).length);
    return await deadlocksOf(former);
  } finally {
    await former.end();
    await place.drop();
  }
}

async function migrateTo(place: TestLocation, name: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: place.url, max: 1 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo(name);
  await db.destroy();
  if (error !== undefined) throw error;
}

/** Until the upgrade waits for the table that is held. */
async function waitingFor(place: TestLocation): Promise<void> {
  const watcher = new pg.Client({ connectionString: place.url });
  await watcher.connect();
  try {
    for (;;) {
      const { rows } = await watcher.query(
        `select from pg_locks where not granted and relation = 'rail_payout'::regclass
           and database = (select oid from pg_database where datname = current_database())`,
      );
      if (rows.length > 0) return;
    }
  } finally {
    await watcher.end();
  }
}

/** How many the server has counted: it does so a little later. */
async function deadlocksOf(client: pg.Client): Promise<number> {
  for (let refresh = 0; refresh < 100; refresh += 1) {
    const { rows } = await client.query(
      "select pg_stat_clear_snapshot(), deadlocks::int4 from pg_stat_database where datname = current_database()",
    );
    if (rows[0]?.deadlocks > 0) return rows[0].deadlocks;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return 0;
}
