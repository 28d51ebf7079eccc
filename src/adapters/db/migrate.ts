import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type QueryExecutorProvider, sql, type Transaction } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { migrations } from "./migrations/index.js";

/** The functions of the database as they are now: see the file. */
export const functionsFile = new URL("functions.sql", import.meta.url);

/** Where the version of the functions stands that a database was last given. */
const versionKey = "functions";

/** What is done with functions of another release. */
export interface FunctionsOptions {
  /** They stay, unless there was a migration: a command must not change what services beside it run. */
  readonly keepsFunctions?: boolean;
  /** Called where they were replaced. */
  readonly functionsReplaced?: () => void;
  /** Another schema than the service's, which has no functions: its migrations by name, in order. */
  readonly schema?: Readonly<Record<string, Migration>>;
}

/**
 * Brings a database up to date, in one transaction: its tables by the migrations it has not had, and then its functions. A
 * function is written once, in `functions.sql`, however many migrations have changed it.
 */
export async function migrate<Schema>(
  trx: Transaction<Schema>,
  { keepsFunctions = false, functionsReplaced, schema }: FunctionsOptions = {},
): Promise<void> {
  const wanted = schema ?? migrations;
  const isChanged = !(await hasHad(trx, Object.keys(wanted)));
  if (isChanged) {
    const migrator = new Migrator({ db: trx, provider: { getMigrations: async () => ({ ...wanted }) } });
    const { error } = await migrator.migrateToLatest();
    if (error) throw error;
  }
  if (schema !== undefined) return;
  const former = await functionsVersion(trx);
  if (keepsFunctions && former !== undefined && !isChanged) return;
  const isNew = await applyFunctions(trx, readFileSync(functionsFile, "utf8"));
  if (isNew && former !== undefined) functionsReplaced?.();
}

/**
 * Whether a database has had exactly these migrations, as at nearly every start. The migrator is not asked then: it reads every column of
 * every table to learn whether its own are there.
 */
async function hasHad(db: QueryExecutorProvider, names: readonly string[]): Promise<boolean> {
  const { rows: found } = await sql`select where to_regclass('kysely_migration') is not null`.execute(db);
  if (found.length === 0) return false;
  const { rows: had } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const missing = new Set(names);
  return had.every(({ name }) => missing.delete(name)) && missing.size === 0;
}

/** The version of the functions that the database was last given; undefined: none was noted. */
async function functionsVersion(db: QueryExecutorProvider): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`select value from meta where key = ${versionKey}`.execute(db);
  return rows[0]?.value;
}

/**
 * Gives the database the functions of this release, unless it has them; says whether it did. A release that is started again
 * after a later one gives it its own: what must not be undone is part of a migration, behind which no earlier release starts.
 */
export async function applyFunctions(db: QueryExecutorProvider, text: string): Promise<boolean> {
  const version = createHash("sha256").update(text).digest("hex");
  if ((await functionsVersion(db)) === version) return false;
  for (const definition of splitDefinitions(text)) await sql.raw(definition).execute(db);
  await sql`insert into meta (key, value) values (${versionKey}, ${version})
    on conflict (key) do update set value = excluded.value`.execute(db);
  return true;
}

/** One statement each: a prepared statement takes no more. */
export function splitDefinitions(text: string): readonly string[] {
  return text.split(/(?<=\$\$;)\n/).filter((part) => part.trim() !== "");
}
