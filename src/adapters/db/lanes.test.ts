import { sql } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createTestLocation,
  openTestDatabase,
  postgresUrl,
  type TestLocation,
} from "../../../test/support/test-database.js";
import { createLanes, type Lanes } from "./lanes.js";
import { openDatabase } from "./open-database.js";
import { PreparingClient } from "./preparing-client.js";

// The embedded database has no connections.
describe.runIf(postgresUrl)("lanes", () => {
  let place: TestLocation;
  const opened: Lanes[] = [];
  const makeLanes = (options: { most: number; asksAgain: boolean; together?: number }): Lanes => {
    const open = () => new PreparingClient({ connectionString: place.url, pipeline: true });
    const lanes = createLanes(open, { together: 1, ...options });
    opened.push(lanes);
    return lanes;
  };

  /** Ends all connections, or the one that is under way with `busyWith`, as an administrator would. */
  const end = async (busyWith?: string) => {
    const client = new pg.Client({ connectionString: place.url });
    await client.connect();
    for (;;) {
      const { rowCount } = await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()
           and ($1::text is null or (state = 'active' and query like $1))`,
        [busyWith ?? null],
      );
      if ((rowCount ?? 0) > 0) break;
    }
    await client.end();
  };

  beforeEach(async () => {
    place = await createTestLocation();
  });

  afterEach(async () => {
    for (const lanes of opened.splice(0)) await lanes.close();
    await place.drop();
  });

  it("give every statement its own answer, on no more connections than agreed", async () => {
    const lanes = makeLanes({ most: 3, asksAgain: true });
    const answers = await Promise.all(
      Array.from({ length: 500 }, async (_, i) => {
        const { rows } = await lanes.query("select $1::int4 as asked, pg_backend_pid() as pid", [i]);
        return rows[0] as { asked: number; pid: number };
      }),
    );
    expect(answers.map(({ asked }) => asked)).toEqual(Array.from({ length: 500 }, (_, i) => i));
    expect(new Set(answers.map(({ pid }) => pid)).size).toBe(3);
  });

  it("carry what is asked in one turn together, up to what was agreed, and what is asked later by themselves", async () => {
    const lanes = makeLanes({ most: 4, together: 8, asksAgain: true });
    const ask = (count: number) =>
      Array.from({ length: count }, async () => (await lanes.query("select pg_backend_pid() as pid", [])).rows[0].pid);
    // Connected first, as nothing is sent before.
    await Promise.all([lanes.query("select pg_sleep(0.05)", []), ...ask(31)]);
    expect(new Set(await Promise.all(ask(8))).size).toBe(1);
    expect(new Set(await Promise.all(ask(9))).size).toBe(2);
    const slow = ["pg_sleep(0.3)", "pg_backend_pid() as pid"].join(", ");
    const first = lanes.query(`select ${slow}`, []);
    await new Promise((resolve) => setImmediate(resolve));
    const [second] = ask(1);
    expect(await second).not.toBe((await first).rows[0].pid);
  });

  it("make each statement a transaction of its own: one that fails disturbs none beside it", async () => {
    const lanes = makeLanes({ most: 1, asksAgain: false });
    await lanes.query("create table kept (n int4 primary key)", []);
    const outcomes = await Promise.allSettled(
      [1, 2, 2, 3].map((n) => lanes.query("insert into kept values ($1)", [n])),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    const { rows } = await lanes.query("select n from kept order by n", []);
    expect(rows).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it("ask again what only reads, when its connection is ended while idle", async () => {
    const lanes = makeLanes({ most: 2, asksAgain: true });
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([lanes.query("select 1", []), lanes.query("select 1", [])]);
      await end();
      const { rows } = await lanes.query("select $1::int4 as n", [round]);
      expect(rows).toEqual([{ n: round }]);
    }
  });

  it("ask again those that waited behind the one whose connection is ended", async () => {
    const lanes = makeLanes({ most: 1, asksAgain: true });
    await lanes.query("create sequence turns", []);
    const slow = "select 'slow' as was, pg_sleep(case when nextval('turns') = $1 then 600 else 0 end)";
    const first = lanes.query(slow, [1]);
    const behind = Array.from({ length: 5 }, (_, i) => lanes.query("select $1::int4 as n", [i]));
    await end("select 'slow'%");
    expect((await first).rows[0]).toMatchObject({ was: "slow" });
    const answers = await Promise.all(behind);
    expect(answers.map(({ rows }) => rows[0].n)).toEqual([0, 1, 2, 3, 4]);
  });

  it("never repeat a write whose connection was ended, and go on with a new one", async () => {
    const lanes = makeLanes({ most: 1, asksAgain: false });
    await lanes.query("create table counted (n int4)", []);
    const write = lanes.query("insert into counted select 1 from pg_sleep($1)", [600]);
    const refused = expect(write).rejects.toThrow();
    await end("insert into counted%");
    await refused;
    await lanes.query("insert into counted values ($1)", [2]);
    const { rows } = await lanes.query("select n from counted", []);
    expect(rows).toEqual([{ n: 2 }]);
  });

  it.each([true, false])(
    "go on when a table has changed under a prepared statement (asking again: %s)",
    async (asksAgain) => {
      const lanes = makeLanes({ most: 1, asksAgain });
      await lanes.query("create table changing (n int4)", []);
      await lanes.query("insert into changing values ($1) returning *", [1]);
      await lanes.query("select * from changing where n = $1", [1]);
      await lanes.query("alter table changing add column m int4 default 7", []);
      const { rows } = await lanes.query("insert into changing values ($1) returning *", [2]);
      expect(rows).toEqual([{ n: 2, m: 7 }]);
      const answers = await Promise.all([1, 2, 1].map((n) => lanes.query("select * from changing where n = $1", [n])));
      expect(answers.map((answer) => answer.rows)).toEqual([[{ n: 1, m: 7 }], [{ n: 2, m: 7 }], [{ n: 1, m: 7 }]]);
      expect((await lanes.query("select count(*)::int4 as count from changing", [])).rows).toEqual([{ count: 2 }]);
    },
  );

  it("run again what the server has undone to end a deadlock", async () => {
    const watch = new pg.Client({ connectionString: place.url });
    await watch.connect();
    // Each session looks for a deadlock once, this long after it began to wait: the lane does, the other one never.
    await watch.query(`alter database ${watch.database} set deadlock_timeout = '5s'`);
    const lanes = makeLanes({ most: 1, asksAgain: false });
    await lanes.query("create table kept (who text)", []);
    const other = new pg.Client({ connectionString: place.url });
    await other.connect();
    await other.query("set deadlock_timeout = '10min'");
    await other.query("begin");
    await other.query("select pg_advisory_xact_lock(2)");
    // It takes the first lock and waits for the second one. Such locks go to whoever has waited longest: to the other one,
    // before the lane can take the first one again.
    const both = lanes.query(
      "with taken as (select pg_advisory_xact_lock(1), pg_advisory_xact_lock(2)) insert into kept select $1 from taken",
      ["the lane"],
    );
    const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    while ((await watch.query(waiting)).rowCount === 0);
    await other.query("select pg_advisory_xact_lock(1)");
    await other.query("insert into kept values ('the other')");
    await other.query("commit");
    await both;
    expect((await watch.query("select who from kept")).rows).toEqual([{ who: "the other" }, { who: "the lane" }]);
    await other.end();
    await watch.end();
  });

  it("finish what is under way when they are closed, also while they connect", async () => {
    const lanes = makeLanes({ most: 2, asksAgain: true });
    const asked = [lanes.query("select 1 as n", []), lanes.query("select pg_sleep(0.2), 2 as n", [])];
    await lanes.close();
    expect((await Promise.all(asked)).map(({ rows }) => rows[0].n)).toEqual([1, 2]);
    await expect(lanes.query("select 3", [])).rejects.toThrow("closed");
  });

  it("send what a new connection could not take over one that is there", async () => {
    const urls = [place.url, "postgres://nobody@127.0.0.1:1/none"];
    const lanes = createLanes(() => new PreparingClient({ connectionString: urls.shift() ?? "", pipeline: true }), {
      most: 2,
      together: 1,
      asksAgain: false,
    });
    opened.push(lanes);
    await lanes.query("select 1", []);
    const busy = lanes.query("select pg_sleep(0.2)", []);
    const { rows } = await lanes.query("select 2 as n", []);
    expect(rows).toEqual([{ n: 2 }]);
    await busy;
  });

  it("wait at the end for a lane that was given up and still works", async () => {
    const lanes = makeLanes({ most: 1, together: 8, asksAgain: false });
    await lanes.query("create table changing (n int4)", []);
    await lanes.query("insert into changing values ($1) returning *", [1]);
    await lanes.query("alter table changing add column m int4", []);
    const slow = lanes.query("select pg_sleep(0.3), 'done' as told", []);
    const renewed = lanes.query("insert into changing values ($1) returning *", [2]);
    const behind = lanes.query("select pg_sleep(0.3), 'done' as told", []);
    await renewed;
    const answered: unknown[] = [];
    void slow.then(({ rows }) => answered.push(rows[0].told));
    void behind.then(({ rows }) => answered.push(rows[0].told));
    await lanes.close();
    expect(answered).toEqual(["done", "done"]);
  });

  it("reject when there is no server, and recover when there is one", async () => {
    let url = "postgres://nobody@127.0.0.1:1/none";
    const lanes = createLanes(() => new PreparingClient({ connectionString: url, pipeline: true }), {
      most: 2,
      together: 1,
      asksAgain: true,
    });
    opened.push(lanes);
    await expect(lanes.query("select 1", [])).rejects.toThrow("ECONNREFUSED");
    url = place.url ?? "";
    await expect(lanes.query("select 1 as n", [])).resolves.toMatchObject({ rows: [{ n: 1 }] });
  });
});

describe.runIf(postgresUrl)("the database over lanes", () => {
  it("gives a transaction a connection of its own, and refuses a session without one", async () => {
    const { db, close } = await openTestDatabase();
    try {
      const pid = sql<{ pid: number }>`select pg_backend_pid() as pid`;
      const outside = Array.from({ length: 30 }, () => pid.execute(db));
      const inside = await db.transaction().execute(async (trx) => {
        const seen = new Set<number | undefined>();
        for (let i = 0; i < 5; i += 1) seen.add((await pid.execute(trx)).rows[0]?.pid);
        return seen;
      });
      expect(inside.size).toBe(1);
      for (const answer of await Promise.all(outside)) expect(inside).not.toContain(answer.rows[0]?.pid);
      const session = db.connection().execute(async (connection) => {
        await pid.execute(connection);
        await pid.execute(connection);
      });
      await expect(session).rejects.toThrow("need a transaction");
      await expect(sql`begin`.execute(db)).rejects.toThrow("need a transaction");
    } finally {
      await close();
    }
  });

  it("lets several processes bring one schema up to date at once", { timeout: 240_000 }, async () => {
    const place = await createTestLocation();
    try {
      const opened = await Promise.all(Array.from({ length: 4 }, () => openDatabase(place.location)));
      for (const { db, close } of opened) {
        expect(await db.selectFrom("tenant").selectAll().execute()).toEqual([]);
        await close();
      }
      // The lock was given back.
      await (await openDatabase(place.location)).close();
    } finally {
      await place.drop();
    }
  });
});
