import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { Kysely, PGliteDialect } from "kysely";
import pg from "pg";
import { functionsFile, migrate } from "../../src/adapters/db/migrate.js";
import { type DatabaseLocation, type OpenDatabase, openDatabase } from "../../src/adapters/db/open-database.js";
import { type DatabaseFile, filesInMemory, readArchive } from "./database-files.js";

/** The PostgreSQL server to test on; absent: the embedded database. */
export const postgresUrl = process.env.TRELLIS_TEST_DATABASE_URL;

/**
 * An empty, migrated database of its own: in memory, or, with TRELLIS_TEST_DATABASE_URL, a fresh one on that server.
 * It is removed after `close`.
 */
export async function openTestDatabase(): Promise<OpenDatabase> {
  if (postgresUrl === undefined) return openDatabase({ kind: "memory", files: filesInMemory(await readSnapshot()) });
  const place = await createMigratedLocation();
  const opened = await openDatabase(place.location);
  return {
    ...opened,
    close: async () => {
      await opened.close();
      await place.drop();
    },
  };
}

/** A place for a database, for whatever opens it on its own. */
export interface TestLocation {
  readonly location: DatabaseLocation;
  /** For configurations: DATABASE_URL, or undefined for the embedded database. */
  readonly url: string | undefined;
  drop(): Promise<void>;
}

/** Makes the place and nothing in it. */
export const createTestLocation = (): Promise<TestLocation> => createLocation(undefined);

/** The same; on PostgreSQL it is migrated, as a copy of a database that is made once: migrating takes a second each time. */
export async function createMigratedLocation(): Promise<TestLocation> {
  if (postgresUrl === undefined) return createTestLocation();
  template ??= ensureTemplate(postgresUrl);
  return createLocation(await template);
}

async function createLocation(copied: string | undefined): Promise<TestLocation> {
  if (postgresUrl === undefined) return { location: { kind: "memory" }, url: undefined, drop: async () => undefined };
  const name = `trellis_test_${randomBytes(8).toString("hex")}`;
  await onServer(postgresUrl, (client) =>
    client.query(`create database ${name}${copied === undefined ? "" : ` template ${copied}`}`),
  );
  const url = urlOf(postgresUrl, name);
  return {
    location: { kind: "postgres", url, poolSize: 8 },
    url,
    drop: () => onServer(postgresUrl, (client) => client.query(`drop database if exists ${name} with (force)`)),
  };
}

let template: Promise<string> | undefined;

/** The name of a migrated database on the server, made when there is none: kept, under a name that changes with the migrations. */
async function ensureTemplate(server: string): Promise<string> {
  const name = `trellis_template_${await digestOfMigrations()}`;
  await onServer(server, async (client) => {
    // Test files that run side by side want it at once; a session's end frees the lock.
    await client.query("select pg_advisory_lock(hashtext($1))", [name]);
    const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
    if (rowCount === 1) return;
    const draft = `${name}_draft`;
    await client.query(`drop database if exists ${draft} with (force)`);
    await client.query(`create database ${draft}`);
    const opened = await openDatabase({ kind: "postgres", url: urlOf(server, draft), poolSize: 1 });
    await opened.close();
    await client.query(`alter database ${draft} rename to ${name}`);
  });
  return name;
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function onServer(server: string, act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await act(client);
  } finally {
    await client.end();
  }
}

/**
 * A migrated database to begin with: making one takes seconds, loading it a fraction of one. Kept between runs in the
 * system's temporary folder, under a name that changes with the migrations and the functions.
 */
function readSnapshot(): Promise<readonly DatabaseFile[]> {
  snapshot ??= ensureSnapshot().then(async (file) => readArchive(await readFile(file)));
  return snapshot;
}

let snapshot: Promise<readonly DatabaseFile[]> | undefined;

/** The same in a directory, for a service that is to begin with it: nothing there is used or owned yet. */
export async function unpackSnapshot(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { status } = spawnSync("tar", ["-xf", await ensureSnapshot(), "-C", directory]);
  if (status !== 0) throw new Error("the snapshot of an empty database cannot be unpacked");
}

/** The file, made when there is none. */
async function ensureSnapshot(): Promise<string> {
  const file = join(tmpdir(), `trellis-test-database-${await digestOfMigrations()}.tar`);
  if (existsSync(file)) return file;
  const pglite = await PGlite.create("memory://");
  const db = new Kysely<unknown>({ dialect: new PGliteDialect({ pglite }) });
  await db.transaction().execute(migrate);
  // Or every database that begins with it would do all that again, out of the log of changes.
  await pglite.exec("checkpoint");
  const snapshot = await pglite.dumpDataDir("none");
  await db.destroy();
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, new Uint8Array(await snapshot.arrayBuffer()));
  await rename(draft, file);
  return file;
}

async function digestOfMigrations(): Promise<string> {
  const folder = new URL("../../src/adapters/db/migrations/", import.meta.url);
  const hash = createHash("sha256");
  for (const name of (await readdir(folder)).sort()) hash.update(name).update(await readFile(new URL(name, folder)));
  hash.update(await readFile(functionsFile));
  return hash.digest("hex").slice(0, 16);
}
