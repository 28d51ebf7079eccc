import { type Kysely, sql } from "kysely";

/** Secrets with ids of their own, by purpose. Id 0 stands for the one that derives from the root, and nothing is sealed in its row. */
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
