import { readFileSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { Kysely, PGliteDialect, PostgresDialect, sql } from "kysely";
import { Migrator } from "kysely/migration";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrations } from "../../src/adapters/db/migrations/index.js";
import { createTestLocation } from "../support/test-database.js";

/** The last migration of the former release: what it left is large, and in use. */
const before = "0061-audit-of-defaults";
const deployment = readFileSync(new URL("../../docs/deployment.md", import.meta.url), "utf8");

/** The last migration of the releases before these. */
const formerLast = "0068-writes-of-frozen";

it("stay open to readers until what is built is built", async () => {
  const { db, drop } = await open();
  try {
    await migrateTo(db, formerLast);
    await db.transaction().execute(async (trx) => {
      const tables = sql<{ name: string }>`select relname as name from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace`;
      const former = new Set((await tables.execute(trx)).rows.map(({ name }) => name));
      const closed = async () => {
        const { rows } = await sql<{ name: string }>`select distinct relname as name from pg_locks
          join pg_class on pg_class.oid = relation
          where pid = pg_backend_pid() and mode = 'AccessExclusiveLock' and relkind = 'r' order by relname`.execute(
          trx,
        );
        return rows.map(({ name }) => name).filter((name) => former.has(name));
      };
      await migrateTo(trx, "0078-request-records");
      expect(await closed()).toEqual([]);
      await migrateTo(trx, Object.keys(migrations).at(-1) ?? "");
      expect(await closed()).toEqual([
        "account",
        "account_signer",
        "api_key",
        "proposal_watch",
        "sponsored_cost",
        "tenant",
      ]);
    });
  } finally {
    await db.destroy();
    await drop();
  }
}, 120_000);

async function open() {
  const place = await createTestLocation();
  const db: Kysely<unknown> =
    place.url === undefined
      ? new Kysely({ dialect: new PGliteDialect({ pglite: await PGlite.create() }) })
      : new Kysely({
          dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: place.url, max: 1 }) }),
        });
  return { db, drop: place.drop };
}

async function migrateTo(db: Kysely<unknown>, name: string) {
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo(name);
  if (error !== undefined) throw error;
}

describe("the tables of the former release", () => {
  let db: Kysely<unknown>;
  let drop: () => Promise<void>;
  let former: Awaited<ReturnType<typeof read>>;

  const read = async () => {
    const { rows: tables } = await sql<{ name: string; file: string }>`
      select relname as name, relfilenode::text as file from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`.execute(db);
    const { rows: indexes } = await sql<{ name: string; table: string }>`
      select indexname as name, tablename as table from pg_indexes where schemaname = 'public'
        and indexname not like 'kysely%' order by indexname`.execute(db);
    const { rows: accounts } = await sql<{ place: string }>`select ctid::text as place from account`.execute(db);
    return { tables, indexes, accounts };
  };
  const migrate = (name: string) => migrateTo(db, name);

  beforeAll(async () => {
    ({ db, drop } = await open());
    await migrate(before);
    await sql`insert into tenant (id, name, created_at) values ('tenant', 'tenant', 0)`.execute(db);
    await sql`insert into account (environment, address, tenant_id, settings_address, type, user_id, created_at, updated_at)
      values ('sandbox', 'an account', 'tenant', 'settings', 'custom', 'user', 1, 1)`.execute(db);
    former = await read();
    await migrate(Object.keys(migrations).at(-1) ?? "");
  }, 120_000);
  afterAll(async () => {
    await db.destroy();
    await drop();
  });

  it("are not rewritten by the upgrade, nor are their rows", async () => {
    const { tables, accounts } = await read();
    const kept = new Set(former.tables.map(({ name }) => name));
    expect(tables.filter(({ name }) => kept.has(name))).toEqual(former.tables);
    expect(accounts).toEqual(former.accounts);
  });

  it("number every account that was there 0, and every later one higher", async () => {
    const { rows } = await sql`select number::text, imported_at from account`.execute(db);
    expect(rows).toEqual([{ number: "0", imported_at: null }]);
    const { rows: next } = await sql<{ number: string }>`
      select pg_get_expr(adbin, adrelid) as number from pg_attrdef join pg_attribute
        on attrelid = adrelid and attnum = adnum where adrelid = 'account'::regclass and attname = 'number'`.execute(
      db,
    );
    expect(next[0]?.number).toContain("nextval");
    const { rows: drawn } = await sql<{ drawn: boolean }>`
      select nextval(pg_get_serial_sequence('account', 'number')) > 0 as drawn`.execute(db);
    expect(drawn).toEqual([{ drawn: true }]);
  });

  it("get only those indexes whose cost the upgrade is documented with", async () => {
    const { indexes } = await read();
    const kept = new Set(former.tables.map(({ name }) => name));
    const known = new Set(former.indexes.map(({ name }) => name));
    const added = indexes.filter(({ name, table }) => kept.has(table) && !known.has(name));
    expect(added.filter(({ name }) => !deployment.includes(`\`${name}\``))).toEqual([]);
  });
});
