import { PGlite } from "@electric-sql/pglite";
import { Kysely, PGliteDialect, PostgresDialect } from "kysely";
import { Migrator } from "kysely/migration";
import pg from "pg";
import type { DatabaseSchema, Db } from "../../ports/database.js";
import { lockDataDirectory } from "./data-directory-lock.js";
import { createLanes } from "./lanes.js";
import { migrations } from "./migrations/index.js";
import { openGuarded } from "./nested-query-guard.js";
import { PreparingClient } from "./preparing-client.js";
import { SharingDialect } from "./sharing-driver.js";

/** A name held by this process. */
export interface Lease {
  release(): Promise<void>;
}

/** Where the rows live: embedded in a directory, embedded in memory, or on a PostgreSQL server. */
export type DatabaseLocation =
  | { kind: "embedded"; directory: string }
  | { kind: "memory" /** A data directory to begin with, as `dumpDataDir` writes it. */; snapshot?: Blob }
  | { kind: "postgres"; url: string; poolSize?: number };

export interface OpenDatabase {
  db: Db;
  /**
   * The same database, where every statement has a connection to itself: for those who have to know that one whose
   * connection was lost does not begin later.
   */
  apart: Db;
  /**
   * Takes a name for this process alone, for as long as it lives: undefined when another process has it. The embedded
   * database belongs to one process anyway. On PostgreSQL a connection of its own holds the name, so that it is free
   * again as soon as the process is gone, however it went.
   */
  takeLease(name: string): Promise<Lease | undefined>;
  /** Closes the connections and releases the data directory. */
  close(): Promise<void>;
}

const INT8 = 20;
/** Connections to PostgreSQL, unless told otherwise. */
const defaultConnections = 16;

/**
 * Opens the database and brings its schema up to date.
 *
 * Embedded: takes the data directory's lock first, because a second process in the same directory would silently lose
 * rows. Throws `DataDirectoryInUseError` when another process holds it.
 */
export async function openDatabase(location: DatabaseLocation): Promise<OpenDatabase> {
  const opened = location.kind === "postgres" ? openPostgres(location) : await openEmbedded(location);
  try {
    await migrate(opened.apart);
  } catch (error) {
    await opened.close();
    throw error;
  }
  return opened;
}

async function openEmbedded(
  location: Extract<DatabaseLocation, { kind: "embedded" | "memory" }>,
): Promise<OpenDatabase> {
  const lock = location.kind === "embedded" ? await lockDataDirectory(location.directory) : undefined;
  try {
    const path = location.kind === "embedded" ? `${location.directory}/postgres` : "memory://";
    const pglite = await PGlite.create(path, {
      parsers: { [INT8]: (text: string) => BigInt(text) },
      ...(location.kind === "memory" && location.snapshot ? { loadDataDir: location.snapshot } : {}),
    });
    // One connection serves everything here: a query on the outer handle inside a transaction would wait for itself.
    const db = openGuarded<DatabaseSchema>(new PGliteDialect({ pglite }));
    return {
      db,
      apart: db,
      takeLease: async () => ({ release: async () => undefined }),
      close: async () => {
        await db.destroy();
        if (!pglite.closed) await pglite.close();
        await lock?.release();
      },
    };
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

function openPostgres(location: { url: string; poolSize?: number }): OpenDatabase {
  const types = {
    getTypeParser: (oid: number, format?: "text" | "binary") =>
      oid === INT8 ? (text: string) => BigInt(text) : pg.types.getTypeParser(oid, format),
  };
  const client = { connectionString: location.url, types: types as pg.CustomTypesConfig };
  const { reads, writes, transactions } = shareConnections(location.poolSize ?? defaultConnections);
  const pool = new pg.Pool({ ...client, max: transactions, Client: PreparingClient });
  // An idle connection that breaks is replaced by the pool; without a listener Node would end the process.
  pool.on("error", () => undefined);
  // The same for one that is in use, which the pool does not listen to: its query rejects, and that is enough.
  pool.on("connect", (client) => client.on("error", () => undefined));
  const open = () => new PreparingClient({ ...client, ...lasting, pipeline: true });
  const lanes = {
    reads: createLanes(open, { most: reads, together: 16, asksAgain: true }),
    writes: createLanes(open, { most: writes, together: 8, asksAgain: false }),
  };
  // No guard here: following every promise would cost a tenth of the throughput, and nothing hangs with many connections.
  const db = new Kysely<DatabaseSchema>({ dialect: new SharingDialect(pool, lanes) });
  // Also for the migrations: the lock that keeps two processes from them at once belongs to a connection.
  const apart = new Kysely<DatabaseSchema>({ dialect: new PostgresDialect({ pool }) });
  const close = async () => {
    await db.destroy();
    // Kysely leaves alone what it never used.
    if (!pool.ending) await pool.end();
    await Promise.all([lanes.reads.close(), lanes.writes.close()]);
  };
  return { db, apart, takeLease: (name) => takePostgresLease(location.url, name), close };
}

/**
 * Lanes stay open while nothing happens: what stands between is to notice, and what was lost is to be noticed. Many wait
 * for one that connects, so it does not try for long.
 */
const lasting = { keepAlive: true, keepAliveInitialDelayMillis: 30_000, connectionTimeoutMillis: 10_000 } as const;

/**
 * A few connections carry all that stands alone; writes have more of them, as each waits for the disk. The rest is for
 * transactions.
 */
function shareConnections(connections: number): { reads: number; writes: number; transactions: number } {
  const reads = Math.ceil(connections / 8);
  const writes = Math.ceil(connections / 4);
  return { reads, writes, transactions: Math.max(1, connections - reads - writes) };
}

async function takePostgresLease(url: string, name: string): Promise<Lease | undefined> {
  const client = new pg.Client({ connectionString: url, keepAlive: true });
  // Should the connection break, another process may take over; what is leased must then fend for itself.
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock(hashtext($1)) as taken", [
    `trellis/${name}`,
  ]);
  if (rows[0]?.taken === true) return { release: () => client.end() };
  await client.end();
  return undefined;
}

async function migrate(db: Db): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
