import { randomBytes } from "node:crypto";
import pg from "pg";
import { type DatabaseLocation, type OpenDatabase, openDatabase } from "../../src/adapters/db/open-database.js";

/** The PostgreSQL server to test on; absent: the embedded database. */
export const postgresUrl = process.env.TRELLIS_TEST_DATABASE_URL;

/**
 * An empty, migrated database of its own: in memory, or, with TRELLIS_TEST_DATABASE_URL, a fresh one on that server.
 * It is gone after `close`.
 */
export async function openTestDatabase(): Promise<OpenDatabase> {
  const place = await createTestLocation();
  const opened = await openDatabase(place.location);
  return {
    ...opened,
    close: async () => {
      await opened.close();
      await place.drop();
    },
  };
}

/** A place for a database, for whatever opens it by itself. */
export interface TestLocation {
  readonly location: DatabaseLocation;
  /** For configurations: DATABASE_URL, or undefined for the embedded database. */
  readonly url: string | undefined;
  drop(): Promise<void>;
}

/** Makes the place and nothing in it. */
export async function createTestLocation(): Promise<TestLocation> {
  if (postgresUrl === undefined) return { location: { kind: "memory" }, url: undefined, drop: async () => undefined };
  const name = `trellis_test_${randomBytes(8).toString("hex")}`;
  await onServer(postgresUrl, `create database ${name}`);
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return {
    location: { kind: "postgres", url: url.href, poolSize: 8 },
    url: url.href,
    drop: () => onServer(postgresUrl, `drop database if exists ${name} with (force)`),
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
