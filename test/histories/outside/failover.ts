import type { Db } from "@trellis/kernel/ports/database.js";
import { sql } from "kysely";

/** A second place that has all of the service's own tables as they were a moment ago, as a replica that lags has them. */
export interface Replica {
  /** What is committed now has arrived there, and nothing later. */
  follow(): Promise<void>;
  /** The service continues with the replica: what was committed since it followed last is lost. */
  takeOver(): Promise<void>;
}

/** What is not the service's: the chain, the partner, and which migrations have run. */
const outside = /^(chain_|simulated_|kysely_)/;

/**
 * Opens a replica of the service's tables beside them. The chain and the partner of a history live in the same database, and
 * lose nothing.
 */
export async function openReplica(db: Db): Promise<Replica> {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'
    order by tablename`.execute(db);
  const tables = rows.map(({ name }) => name).filter((name) => !outside.test(name));
  // What the database works out by itself is not given to it.
  const { rows: given } = await sql<{ table: string; columns: string[] }>`
    select table_name as table, array_agg(column_name::text order by ordinal_position) as columns
    from information_schema.columns where table_schema = 'public' and is_generated = 'NEVER' group by 1`.execute(db);
  const columnsOf = (name: string) =>
    sql.join((given.find(({ table }) => table === name)?.columns ?? []).map((column) => sql.id(column)));
  await sql`create schema replica`.execute(db);
  for (const name of tables) await sql`create table ${there(name)} (like ${here(name)})`.execute(db);
  /** Those that have rows: most tables of a history are empty in both places, and cost as much as the others. */
  const filled = async (trx: Db, place: typeof here): Promise<readonly string[]> => {
    const each = tables.map((name) => sql`select ${sql.lit(name)} as name where exists (select from ${place(name)})`);
    return (await sql<{ name: string }>`${sql.join(each, sql` union all `)}`.execute(trx)).rows.map(({ name }) => name);
  };
  return {
    follow: () =>
      db.transaction().execute(async (trx) => {
        const former = await filled(trx, there);
        if (former.length > 0) await sql`truncate ${sql.join(former.map(there))}`.execute(trx);
        for (const name of await filled(trx, here))
          await sql`insert into ${there(name)} (${columnsOf(name)}) select ${columnsOf(name)} from ${here(name)}`.execute(
            trx,
          );
      }),
    takeOver: () =>
      db.transaction().execute(async (trx) => {
        // Neither triggers nor foreign keys: nothing happens, it only was never there.
        await sql`set local session_replication_role = replica`.execute(trx);
        for (const name of await filled(trx, here)) await sql`delete from ${here(name)}`.execute(trx);
        for (const name of await filled(trx, there))
          await sql`insert into ${here(name)} (${columnsOf(name)}) overriding system value
            select ${columnsOf(name)} from ${there(name)}`.execute(trx);
      }),
  };
}

const here = (name: string) => sql.id("public", name);
const there = (name: string) => sql.id("replica", name);
