import { spawn } from "node:child_process";
import { once } from "node:events";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenDatabase, openDatabase } from "../../src/adapters/db/open-database.js";
import { postgresUrl } from "../support/test-database.js";
import { useTestLocation } from "../support/use-database.js";

/** How many writers are killed; TRELLIS_KILLED_WRITERS says otherwise. One takes a fifth of a second of a core. */
const kills = Number(process.env.TRELLIS_KILLED_WRITERS ?? 12);

describe.runIf(postgresUrl !== undefined)(`${kills} writers that are killed with -9`, () => {
  const place = useTestLocation();
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openDatabase(place.location);
    await sql`insert into tenant (id, name, created_at) values ('tenant', 'tenant', 1)`.execute(database.db);
  });
  afterAll(() => database?.close());

  it("leave no change without its event, and no event without its change", { timeout: 3_600_000 }, async () => {
    let next = 0;
    const killer = async () => {
      for (let n = next++; n < kills; n = next++) {
        const child = spawn(process.execPath, ["--input-type=module", "-e", writer, place.url ?? "", `writer-${n}`], {
          stdio: ["ignore", "pipe", "inherit"],
        });
        const ended = once(child, "exit");
        await once(child.stdout, "data");
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
        child.kill("SIGKILL");
        expect((await ended)[1]).toBe("SIGKILL");
      }
    };
    await Promise.all(Array.from({ length: atOnce }, killer));
    // What the server has not noticed yet is rolled back when it does.
    await expect
      .poll(async () => {
        const { rows } = await sql<{ open: number }>`select count(*)::int4 as open from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and application_name = 'writer'
            and state in ('active', 'idle in transaction')`.execute(database.db);
        return rows[0]?.open;
      })
      .toBe(0);
    const { rows: wrong } = await sql`
      with told as (
        select object_id, type, previous_status, data::json ->> 'state' as state,
          lag(data::json ->> 'state') over (partition by object_id order by sequence) as before,
          row_number() over (partition by object_id order by sequence) as number,
          row_number() over (partition by object_id order by sequence desc) as from_last
        from event
      )
      select 'not told' as what, id as object from payment_intent
        where not exists (select from told where object_id = id and type = 'payment_intent.created')
      union all select 'did not happen', object_id from told
        where not exists (select from payment_intent where id = object_id)
      union all select 'a change between is missing', object_id from told
        where (type = 'payment_intent.created') <> (number = 1) or previous_status is distinct from before
      union all select 'another state', object_id from told join payment_intent on id = object_id
        where from_last = 1 and told.state <> payment_intent.state`.execute(database.db);
    expect(wrong).toEqual([]);
    const { rows: counts } = await sql<{ intents: number; events: number }>`
      select (select count(*)::int4 from payment_intent) as intents, (select count(*)::int4 from event) as events`.execute(
      database.db,
    );
    process.stdout.write(`${kills} writers were killed: ${JSON.stringify(counts[0])}\n`);
    expect(counts[0]?.events).toBeGreaterThan(0);
  });
});

/** So many at the same time. */
const atOnce = 3;

/** Makes payment intents and moves them on, alone and in transactions, some of them given up, for as long as it lives. */
const writer = `
  import pg from "pg";
  const [url, who] = process.argv.slice(1);
  const client = new pg.Client({ connectionString: url, application_name: "writer" });
  await client.connect();
  process.stdout.write("ready");
  const insert = (id) => client.query(
    "insert into payment_intent (id, tenant_id, environment, account_address, prepared_id, amount, currency, source, destination, state, created_at, updated_at) values ($1, 'tenant', 'sandbox', 'account', $1, '1', 'sol', '{}', '{}', 'awaiting_funds', 1, 1)", [id]);
  const move = (id, state) => client.query("update payment_intent set state = $2 where id = $1", [id, state]);
  for (let n = 0; ; n += 1) {
    const id = who + "-" + n;
    await insert(id);
    await move(id, "payment_submitted");
    await client.query("begin");
    await move(id, "payment_processed");
    await insert(id + "-other");
    await client.query(n % 4 === 3 ? "rollback" : "commit");
  }
`;
