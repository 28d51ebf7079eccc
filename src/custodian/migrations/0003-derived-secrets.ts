import { type Kysely, sql } from "kysely";

/** Secrets with ids of their own, which a keyring reads from the database that it is opened over. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table derived_secret (
    purpose text not null,
    id int4 not null check (id between 0 and 65535),
    sealed bytea,
    created_at int8 not null,
    activated_at int8,
    ends_at int8,
    retired_at int8,
    primary key (purpose, id)
  )`,
];
