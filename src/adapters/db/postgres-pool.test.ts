import { DatabaseUnavailable, type Db } from "@trellis/kernel/ports/database.js";
import { Kysely, sql } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasPostgres, startPostgres } from "../../../test/support/own-server.js";
import { createTestLocation, postgresUrl, type TestLocation } from "../../../test/support/test-database.js";
import { parseConfig } from "../../config/config.js";
import { startService } from "../../service.js";
import { createLogger, createPinoLog } from "../log/pino-log.js";
import { type OpenDatabase, openDatabase } from "./open-database.js";
import { createOutage, type Outage } from "./outage.js";
import { createPool, type PoolOptions, pooledDialect } from "./postgres-pool.js";

// The embedded database has no connections.
describe.runIf(postgresUrl)("the database over a pool", () => {
  let place: TestLocation;
  let database: OpenDatabase;
  let subscription: pg.Client;
  const others: Db[] = [];

  /** The same database over a pool of its own. */
  const openPool = (options: Partial<PoolOptions>, outage?: Outage): Db => {
    const bounds = { statementMs: null, idleInTransactionMs: null };
    const all = { url: place.url ?? "", connections: 1, bounds, isDirect: true, ...options };
    const db: Db = new Kysely({ dialect: pooledDialect(createPool(all), { ...all, outage }) });
    others.push(db);
    return db;
  };

  /** Ends all connections but the watching one, or those under way with a statement, as an administrator would. */
  const end = async (busyWith?: string) => {
    const text = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and ($1::text is null or (state = 'active' and query like $1))`;
    while ((await subscription.query(text, [busyWith ?? null])).rowCount === 0);
  };

  beforeEach(async () => {
    place = await createTestLocation();
    database = await openDatabase(place.location);
    subscription = new pg.Client({ connectionString: place.url });
    await subscription.connect();
  });

  afterEach(async () => {
    for (const db of others.splice(0)) await db.destroy();
    await subscription.end();
    await database.close();
    await place.drop();
  });

  it("that connections were lost is reported once, and once that the database answers again", async () => {
    const lines: string[] = [];
    let now = 0;
    const log = createPinoLog(createLogger("info", { write: (line) => lines.push(line) }));
    const outage = createOutage(log, { now: () => now });
    const db = openPool({ connections: 4 }, outage);
    const hanging = Array.from({ length: 4 }, () => sql`select pg_sleep(600), 'hanging'`.execute(db));
    const refused = hanging.map((each) => expect(each).rejects.toMatchObject({ isLost: true }));
    // A connection that is being ended is seen for a moment longer: only distinct ones count.
    const ended = new Set<number>();
    while (ended.size < 4) {
      const text = `select pid, pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state = 'active' and query like '%hanging%'`;
      for (const { pid } of (await subscription.query<{ pid: number }>(text)).rows) ended.add(pid);
    }
    await Promise.all(refused);
    now += 1_000;
    await sql`select 1`.execute(db);
    await sql`select 1`.execute(db);
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(["database_lost", "database_back"]);
    // A statement that takes too long says nothing about the database.
    const slow = openPool({ bounds: { statementMs: 1, idleInTransactionMs: null } }, outage);
    await expect(sql`select pg_sleep(600)`.execute(slow)).rejects.toMatchObject({ isLost: false });
    expect(lines).toHaveLength(2);
  });

  it("connections that the server ends, in use or not, end no process, and the next statement works", async () => {
    const { db } = database;
    for (let round = 0; round < 5; round += 1) {
      const idle = Array.from({ length: 4 }, () => sql`select 1`.execute(db));
      await Promise.all(idle);
      const alone = sql`select pg_sleep(600), 'alone'`.execute(db);
      const inside = db.transaction().execute((trx) => sql`select pg_sleep(600), 'inside'`.execute(trx));
      const refused = [alone, inside].map((each) => expect(each).rejects.toThrow(DatabaseUnavailable));
      await end("%alone%");
      await end("%inside%");
      await Promise.all(refused);
      await expect(sql`select 1 as n`.execute(db)).resolves.toMatchObject({ rows: [{ n: 1 }] });
    }
  });

  it("a write whose connection was ended is not repeated", async () => {
    const { db } = database;
    await sql`create table counted (n int4)`.execute(db);
    const refused = expect(sql`insert into counted select 1 from pg_sleep(${600})`.execute(db)).rejects.toThrow(
      DatabaseUnavailable,
    );
    await end("insert into counted%");
    await refused;
    await sql`insert into counted values (${2})`.execute(db);
    expect((await sql`select n from counted`.execute(db)).rows).toEqual([{ n: 2 }]);
  });

  it("a server that only reads, as one that was the primary, is left for a new connection", async () => {
    const db = openPool({});
    await sql`create table written (n int4)`.execute(db);
    await sql`set session characteristics as transaction read only`.execute(db);
    const write = (n: number) => sql`insert into written values (${n})`.execute(db);
    await expect(write(1)).rejects.toMatchObject({ name: "DatabaseUnavailable", isLost: true });
    await write(2);
    expect((await sql`select n from written`.execute(db)).rows).toEqual([{ n: 2 }]);
  });

  it("a statement that fails says why, and disturbs none of those around it", async () => {
    const { db } = database;
    await sql`create table kept (n int4 primary key)`.execute(db);
    const outcomes = await Promise.allSettled([1, 2, 2, 3].map((n) => sql`insert into kept values (${n})`.execute(db)));
    const failed = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(failed).toMatchObject([{ code: "23505", constraint: "kept_pkey" }]);
    expect((await sql`select n from kept order by n`.execute(db)).rows).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it("continues after a table has changed under a prepared statement", async () => {
    const db = openPool({});
    await sql`create table changing (n int4)`.execute(db);
    const write = (n: number) => sql`insert into changing values (${n}) returning *`.execute(db);
    const read = (n: number) => sql`select * from changing where n = ${n}`.execute(db);
    await write(1);
    await read(1);
    await subscription.query("alter table changing add column m int4 default 7");
    expect((await write(2)).rows).toEqual([{ n: 2, m: 7 }]);
    expect((await Promise.all([read(1), read(2)])).map(({ rows }) => rows)).toEqual([
      [{ n: 1, m: 7 }],
      [{ n: 2, m: 7 }],
    ]);
    expect((await sql`select count(*)::int4 as count from changing`.execute(db)).rows).toEqual([{ count: 2 }]);
  });

  it("runs again what the server has undone to end a deadlock", async () => {
    // Each session looks for a deadlock once, this long after it began to wait: ours does, the other one never.
    await subscription.query(`alter database ${subscription.database} set deadlock_timeout = '5s'`);
    const db = openPool({});
    await sql`create table kept (who text)`.execute(db);
    const other = new pg.Client({ connectionString: place.url });
    await other.connect();
    await other.query("set deadlock_timeout = '10min'");
    await other.query("begin");
    await other.query("select pg_advisory_xact_lock(2)");
    // It takes the first lock and waits for the second one. Such locks go to whoever has waited longest: to the other one,
    // before ours can take the first one again.
    const both = sql`with taken as (select pg_advisory_xact_lock(1), pg_advisory_xact_lock(2))
      insert into kept select ${"ours"} from taken`.execute(db);
    const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    while ((await subscription.query(waiting)).rowCount === 0);
    await other.query("select pg_advisory_xact_lock(1)");
    await other.query("insert into kept values ('the other')");
    await other.query("commit");
    await both;
    expect((await subscription.query("select who from kept")).rows).toEqual([{ who: "the other" }, { who: "ours" }]);
    await other.end();
  });

  it("cancels a request's statement that exceeds its time, and keeps its connection", async () => {
    const db = openPool({ bounds: { statementMs: 100, idleInTransactionMs: null } });
    const pid = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;
    const before = await pid();
    await expect(sql`select pg_sleep(600)`.execute(db)).rejects.toThrow(DatabaseUnavailable);
    expect(await pid()).toBe(before);
  });

  it("a database that falls silent is given up by this side too", async () => {
    // Without settings, as behind a pooler, the server goes on.
    const db = openPool({ bounds: { statementMs: 100, idleInTransactionMs: null }, isDirect: false });
    await expect(sql`select pg_sleep(600)`.execute(db)).rejects.toThrow(DatabaseUnavailable);
    await expect(sql`select 1 as n`.execute(db)).resolves.toMatchObject({ rows: [{ n: 1 }] });
  });

  it("a transaction that does nothing is ended", async () => {
    const db = openPool({ bounds: { statementMs: null, idleInTransactionMs: 100 } });
    const idle = db.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx);
      const removed =
        "select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'";
      while ((await subscription.query(removed)).rowCount !== 0);
      await sql`select 2`.execute(trx);
    });
    await expect(idle).rejects.toThrow(DatabaseUnavailable);
    await expect(sql`select 1 as n`.execute(db)).resolves.toMatchObject({ rows: [{ n: 1 }] });
  });

  it("background work that fills all its connections holds up no request", async () => {
    const slow = Array.from({ length: 20 }, () => sql`select pg_sleep(600), 'slow'`.execute(database.background));
    const ended = Promise.allSettled(slow);
    const asleep =
      "select from pg_stat_activity where datname = current_database() and query like '%slow%' and state = 'active'";
    while ((await subscription.query(asleep)).rowCount === 1);
    const answers = await Promise.all(Array.from({ length: 100 }, () => sql`select 1 as n`.execute(database.db)));
    expect(answers).toHaveLength(100);
    // What waits behind those takes their place.
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    while (!isOver) {
      await subscription.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like 'select pg_sleep%' and state = 'active'`);
    }
    for (const { status } of await ended) expect(status).toBe("rejected");
  });

  it("no server is a database that is unavailable", async () => {
    const db = openPool({ url: "postgres://nobody@127.0.0.1:1/none" });
    await expect(sql`select 1`.execute(db)).rejects.toThrow(DatabaseUnavailable);
    await expect(openDatabase({ kind: "postgres", url: "postgres://nobody@127.0.0.1:1/none" })).rejects.toThrow(
      "ECONNREFUSED",
    );
  });

  it("a name is held by one process for as long as its connection lasts", async () => {
    const other = await openDatabase(place.location);
    await subscription.query(
      `alter database ${subscription.database} set idle_in_transaction_session_timeout = '10ms'`,
    );
    const lease = await database.takeLease("something");
    expect(lease).toBeDefined();
    expect(await other.takeLease("something")).toBeUndefined();
    expect(await other.takeLease("something else")).toBeDefined();
    const { rowCount } = await subscription.query(
      `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'
         and backend_xmin is null and backend_xid is null`,
    );
    expect(rowCount).toBe(2);
    await subscription.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
         and database = (select oid from pg_database where datname = current_database())`,
    );
    await expect.poll(() => other.takeLease("something")).toBeDefined();
    await lease?.release();
    await other.close();
  });

  it("several processes bring one schema up to date at once", { timeout: 240_000 }, async () => {
    const empty = await createTestLocation();
    try {
      const opened = await Promise.all(Array.from({ length: 4 }, () => openDatabase(empty.location)));
      for (const { db, close } of opened) {
        expect(await db.selectFrom("tenant").selectAll().execute()).toEqual([]);
        await close();
      }
    } finally {
      await empty.drop();
    }
  });

  it.runIf(hasPostgres)(
    "reports a server that can lose what it acknowledged, and refuses it with mainnet",
    async () => {
      const server = await startPostgres(["fsync=off", "synchronous_commit=off", "full_page_writes=off"]);
      const url = `${server.url}/postgres`;
      try {
        const careless = await openDatabase({ kind: "postgres", url });
        const faults = await careless.findFaults();
        expect(faults.map(({ setting, losesEverything }) => [setting, losesEverything])).toEqual([
          ["fsync", true],
          ["full_page_writes", false],
          ["synchronous_commit", false],
        ]);
        await careless.close();
        const config = parseConfig({ DATABASE_URL: url, TRELLIS_MASTER_KEY: Buffer.alloc(32, 1).toString("base64") });
        const mainnet = { ...config, clusters: [{ name: "mainnet" }] as unknown as typeof config.clusters };
        await expect(startService(mainnet, createLogger("fatal"))).rejects.toThrow("cannot be used with mainnet");
      } finally {
        await server.stop();
      }
      expect(await database.findFaults()).toEqual([]);
    },
  );
});
