import { PGlite } from "@electric-sql/pglite";
import { Kysely, PGliteDialect, PostgresDialect } from "kysely";
import { Migrator } from "kysely/migration";
import pg from "pg";
import type { DatabaseSchema, Db } from "../../ports/database.js";
import { lockDataDirectory } from "./data-directory-lock.js";
import { migrations } from "./migrations/index.js";
import { openGuarded } from "./nested-query-guard.js";
import { PreparingClient } from "./preparing-client.js";

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
   * Takes a name for this process alone, for as long as it lives: undefined when another process has it. The embedded
   * database belongs to one process anyway. On PostgreSQL a connection of its own holds the name, so that it is free
   * again as soon as the process is gone, however it went.
   */
  takeLease(name: string): Promise<Lease | undefined>;
  /** Closes the connections and releases the data directory. */
  close(): Promise<void>;
}

const INT8 = 20;

/**
 * Opens the database and brings its schema up to date.
 *
 * Embedded: takes the data directory's lock first, because a second process in the same directory would silently lose
 * rows. Throws `DataDirectoryInUseError` when another process holds it.
 */
export async function openDatabase(location: DatabaseLocation): Promise<OpenDatabase> {
  const opened = location.kind === "postgres" ? openPostgres(location) : await openEmbedded(location);
  try {
    await migrate(opened.db);
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
  const pool = new pg.Pool({
    connectionString: location.url,
    max: location.poolSize ?? 16,
    types: types as pg.CustomTypesConfig,
    Client: PreparingClient,
  });
  // An idle connection that breaks is replaced by the pool; without a listener Node would end the process.
  pool.on("error", () => undefined);
  // The same for one that is in use, which the pool does not listen to: its query rejects, and that is enough.
  pool.on("connect", (client) => client.on("error", () => undefined));
  // No guard here: following every promise would cost a tenth of the throughput, and nothing hangs with many connections.
  const db = new Kysely<DatabaseSchema>({ dialect: new PostgresDialect({ pool }) });
  return { db, takeLease: (name) => takePostgresLease(location.url, name), close: () => db.destroy() };
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
