import { type Kysely, sql } from "kysely";

/** How far the database is, by a count that also stands in a file outside of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table custodian_mark (
    id int4 primary key check (id = 1),
    count int8 not null,
    restored_at int8
  )`,
];
