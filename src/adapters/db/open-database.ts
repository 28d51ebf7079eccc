import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { limits } from "@trellis/kernel/limits.js";
import { type DatabaseSchema, DatabaseUnavailable, type Db, type Lease } from "@trellis/kernel/ports/database.js";
import { type Dialect, Kysely, PGliteDialect, sql } from "kysely";
import pg from "pg";
import { lockDataDirectory } from "./data-directory-lock.js";
import { type FunctionsOptions, migrate } from "./migrate.js";
import { openGuarded } from "./nested-query-guard.js";
import type { Outage } from "./outage.js";
import { placeEmptyDatabase } from "./place-empty-database.js";
import { takePostgresLease } from "./postgres-lease.js";
import { createPool, isDeadlock, pooledDialect, type StatementBounds, startupSettings } from "./postgres-pool.js";
import { releaseName } from "./releases.js";
import { findServerFaults, type ServerFault } from "./server-faults.js";

/** Where the rows live: embedded in a directory, embedded in memory, or on a PostgreSQL server. */
export type DatabaseLocation =
  | { kind: "embedded"; directory: string }
  | {
      kind: "memory" /** With a data directory to begin with, for this database alone. */;
      files?: NonNullable<PGliteOptions["fs"]>;
    }
  | { kind: "postgres"; url: string /** Connections in all, 3 or more. */; poolSize?: number };

/** Where an embedded database lies in its directory. */
export const embeddedFolder = "postgres";

/** The connections of one pool at this moment. */
export interface ConnectionCounts {
  readonly pool: "requests" | "background";
  readonly max: number;
  readonly inUse: number;
  readonly idle: number;
  /** Statements that wait for one. */
  readonly waiting: number;
}

export interface OpenDatabase {
  /** For what a caller waits for. */
  db: Db;
  /**
   * The same database for passes and sweeps, over connections of its own: however long they take, no request waits for
   * one. The embedded database has one connection for everything.
   */
  background: Db;
  /**
   * Takes a name for this process alone, for as long as it lives: undefined when another process has it. The embedded
   * database belongs to one process anyway. On PostgreSQL an open transaction holds the name, so that it is free again as
   * soon as the process has ended, however it ended, and whatever pooler stands in between.
   */
  takeLease(name: string): Promise<Lease | undefined>;
  /** What is wrong with how the server is set up, for an operator to mend. None is found in the embedded database. */
  findFaults(): Promise<readonly ServerFault[]>;
  /** How many connections are open, of each pool; none of the embedded database. */
  connections(): readonly ConnectionCounts[];
  /** Closes the connections and releases the data directory. */
  close(): Promise<void>;
}

const INT8 = 20;
/** Of the embedded database: what it sets aside at its start lies in this process' memory, used or not. */
const sharedBuffers = "32MB";
/** Connections to PostgreSQL, unless set otherwise. */
const defaultConnections = 16;

/**
 * Opens the database and brings its schema up to date.
 *
 * Embedded: takes the data directory's lock first, because a second process in the same directory would silently lose
 * rows. Throws `DataDirectoryInUseError` when another process holds it.
 */
export async function openDatabase(location: DatabaseLocation, options: OpenOptions = {}): Promise<OpenDatabase> {
  return location.kind === "postgres" ? openPostgres(location, options) : openEmbedded(location, options);
}

export interface OpenOptions extends FunctionsOptions {
  /** Hears when a server is lost, and back. */
  readonly outage?: Outage | undefined;
}

async function openEmbedded(
  location: Extract<DatabaseLocation, { kind: "embedded" | "memory" }>,
  options: OpenOptions,
): Promise<OpenDatabase> {
  const lock = location.kind === "embedded" ? await lockDataDirectory(location.directory) : undefined;
  try {
    const path = location.kind === "embedded" ? join(location.directory, embeddedFolder) : "memory://";
    if (location.kind === "embedded" && options.schema === undefined) placeEmptyDatabase(path);
    // The optimizing compiler takes half a gigabyte for one of its functions (Node.js 24), and makes the statements of a service no faster.
    for (const flag of ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) setFlagsFromString(flag);
    const pglite = await PGlite.create(path, {
      parsers: { [INT8]: (text: string) => BigInt(text) },
      ...(location.kind === "memory" && location.files ? { fs: location.files } : {}),
      startParams: [...PGlite.defaultStartParams, "-c", `shared_buffers=${sharedBuffers}`],
    });
    // One connection serves everything here: a query on the outer handle inside a transaction would wait for itself.
    const db = openGuarded<DatabaseSchema>(new PGliteDialect({ pglite }));
    const close = async () => {
      await db.destroy();
      if (!pglite.closed) await pglite.close();
      await lock?.release();
    };
    try {
      await db.transaction().execute((trx) => migrate(trx, options));
    } catch (error) {
      await close();
      throw error;
    }
    return {
      db,
      background: db,
      takeLease: async () => ({ release: async () => undefined }),
      findFaults: async () => [],
      connections: () => [],
      close,
    };
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

const requestBounds: StatementBounds = {
  statementMs: limits.statementMs,
  idleInTransactionMs: limits.idleInTransactionMs,
};
const backgroundBounds: StatementBounds = {
  statementMs: limits.backgroundStatementMs,
  idleInTransactionMs: limits.idleInTransactionMs,
};

async function openPostgres(
  location: { url: string; poolSize?: number },
  { outage, ...functions }: OpenOptions,
): Promise<OpenDatabase> {
  const { url } = location;
  const isDirect = await endsAtServer(url);
  await migratePostgres(url, functions);
  const connections = shareConnections(location.poolSize ?? defaultConnections);
  const pools = [
    createPool({ url, connections: connections.requests, bounds: requestBounds, isDirect }),
    createPool({ url, connections: connections.background, bounds: backgroundBounds, isDirect }),
  ] as const;
  // No guard here: following every promise would cost a tenth of the throughput, and nothing hangs with many connections.
  const [db, background] = [
    open(pooledDialect(pools[0], { isDirect, outage })),
    open(pooledDialect(pools[1], { isDirect, outage })),
  ];
  return {
    db,
    background,
    takeLease: (name) => takePostgresLease(url, name),
    findFaults: () => findServerFaults(db),
    connections: () => [
      countConnections("requests", pools[0], connections.requests),
      countConnections("background", pools[1], connections.background),
    ],
    close: async () => {
      await Promise.all([db.destroy(), background.destroy()]);
      // Kysely leaves alone what it never used.
      await Promise.all(pools.map((pool) => pool.ending || pool.end()));
    },
  };
}

function countConnections(pool: ConnectionCounts["pool"], counted: pg.Pool, max: number): ConnectionCounts {
  const { totalCount, idleCount, waitingCount } = counted;
  return { pool, max, inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

function open(dialect: Dialect): Db {
  return new Kysely<DatabaseSchema>({ dialect });
}

/** Passes run one or two at a time; what they do not take is for requests. */
function shareConnections(connections: number): { requests: number; background: number } {
  const background = Math.min(4, Math.max(1, Math.floor(connections / 4)));
  return { requests: connections - background, background };
}

/** Like no operator's own setting. */
const probeMs = 13_579;

/**
 * Whether a connection ends at a session of the server's own: one that takes the settings it begins with. PgBouncer
 * refuses them, or ignores them where it is configured to. The bounds have to stand at the server then; `findFaults` reports when
 * they do not.
 */
async function endsAtServer(url: string): Promise<boolean> {
  const bounds = { statementMs: probeMs, idleInTransactionMs: null };
  const client = new pg.Client({
    connectionString: url,
    fallback_application_name: releaseName,
    ...startupSettings(bounds),
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query("select setting from pg_settings where name = 'statement_timeout'");
    return rows[0]?.setting === String(probeMs);
  } catch (error) {
    if (error instanceof pg.DatabaseError && /unsupported startup parameter/.test(error.message)) return false;
    throw error;
  } finally {
    await client.end();
  }
}

/** How often tables are brought up to date anew that a process of a former release held the other way round. */
const migrationsMax = 10;

/**
 * Brings the tables up to date. A process of a former release that still runs can hold them in another order, and the
 * server then undoes all of one side: where that is this one, it begins again.
 */
async function migratePostgres(url: string, functions: FunctionsOptions): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await migrateOnce(url, functions);
    } catch (error) {
      const isUndone = error instanceof DatabaseUnavailable && isDeadlock(error.cause);
      if (!isUndone || tries === migrationsMax) throw error;
    }
  }
}

/**
 * The lock that keeps two processes from migrating at once ends with the transaction, as everything else that a pooler in
 * transaction mode lets us keep: so do the settings.
 */
async function migrateOnce(url: string, functions: FunctionsOptions): Promise<void> {
  const unbounded: StatementBounds = { statementMs: null, idleInTransactionMs: null };
  const isDirect = false;
  const db = open(pooledDialect(createPool({ url, connections: 1, bounds: unbounded, isDirect }), { isDirect }));
  try {
    await db.transaction().execute(async (trx) => {
      await sql`set local statement_timeout = 0`.execute(trx);
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
      await sql`select pg_advisory_xact_lock(hashtext('trellis/migrations'))`.execute(trx);
      await migrate(trx, functions);
    });
  } finally {
    await db.destroy();
  }
}
