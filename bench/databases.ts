import { randomBytes } from "node:crypto";
import pg from "pg";

/** A database of this run alone. */
export interface BenchDatabase {
  readonly url: string;
  /** Of the services on it, base64. */
  readonly masterKey: string;
  drop(): Promise<void>;
}

/**
 * A fresh database on the server that BENCH_DATABASE_URL names, noted in `databases`; undefined without a server. `settings` are
 * those of every session on it.
 */
export async function makeDatabase(
  databases: BenchDatabase[],
  settings: Readonly<Record<string, string>> = {},
): Promise<BenchDatabase | undefined> {
  const server = process.env.BENCH_DATABASE_URL;
  if (server === undefined) return undefined;
  const name = `trellis_bench_${randomBytes(6).toString("hex")}`;
  const run = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  const url = new URL(server);
  url.pathname = `/${name}`;
  const drop = () => run(`drop database if exists ${name} with (force)`);
  const database = { url: url.href, masterKey: randomBytes(32).toString("base64"), drop };
  await run(`create database ${name}`);
  databases.push(database);
  await run(...Object.entries(settings).map(([key, value]) => `alter database ${name} set ${key} = '${value}'`));
  return database;
}
