/**
 * Measures how fast due standing orders are claimed among a million on PostgreSQL, as the pass that pays them claims them.
 * Alone: `npm run bench:dues`, with the server in BENCH_DATABASE_URL; a fresh database is made there, and dropped.
 */
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Db } from "@trellis/kernel/ports/database.js";
import pg from "pg";
import { openDatabase } from "../src/adapters/db/open-database.js";
import { claimOrders } from "../src/standing-orders/run-store.js";

const orders = 1_000_000;
/** Of the orders, all of them due, so many are claimed, so many at once, and for so long at most. */
const claims = { count: 200_000, size: 1_000, longestMs: 60_000 } as const;
const now = Date.UTC(2026, 0, 1);

/** Due orders claimed a second, by one caller: each claim begins the runs of the due dates, and moves the orders on. */
export async function measureDues(db: Db, databaseUrl: string): Promise<number> {
  await fill(databaseUrl);
  const began = performance.now();
  let total = 0;
  while (total < claims.count && performance.now() - began < claims.longestMs) {
    const claimed = await claimOrders(
      db,
      { name: "devnet" },
      { now, realNow: now, limit: claims.size, leaseMs: 60_000, player: undefined },
    );
    if (claimed.length === 0) throw new Error("due orders were not found");
    total += claimed.length;
  }
  return total / ((performance.now() - began) / 1000);
}

/** Without triggers, which would report each of them; nothing here has a statement's time limit. */
async function fill(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("set session_replication_role = replica");
    await client.query(`insert into standing_order (id, tenant_id, environment, account_address, settings_address, status,
        amount, currency, frequency, source, destination, payee, start_at, executor_address, spending_limit_address,
        prepared_id, place, valid_until, mandate, next_index, next_due_at, attempt_at, missed_in_a_row, created_at, updated_at)
      select 'claimed-' || n, 'tenant-1', 'devnet', 'account-' || n, 'settings-' || n, 'active', '1000000', 'sol', 'monthly',
        '{}', '{}', 'payee', n, 'executor', 'limit-' || n, 'prepared-' || n, 0, 0, 'active', 0, n, n, 0, 0, 0
      from generate_series(1, ${orders}) as n`);
    await client.query("vacuum analyze standing_order");
  } finally {
    await client.end();
  }
}

async function measureAlone(server: string): Promise<number> {
  const name = `trellis_bench_${randomBytes(6).toString("hex")}`;
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await run(`create database ${name}`);
  try {
    const url = new URL(server);
    url.pathname = `/${name}`;
    const database = await openDatabase({ kind: "postgres", url: url.href, poolSize: 4 });
    try {
      await database.db.insertInto("tenant").values({ id: "tenant-1", name: "tenant-1", created_at: 0n }).execute();
      return await measureDues(database.db, url.href);
    } finally {
      await database.close();
    }
  } finally {
    await run(`drop database if exists ${name} with (force)`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = process.env.BENCH_DATABASE_URL;
  if (server === undefined) throw new Error("BENCH_DATABASE_URL names the PostgreSQL server to measure on");
  process.stdout.write(`due orders claimed of ${orders}: ${(await measureAlone(server)).toFixed(0)} /s\n`);
}
