import { type Kysely, sql } from "kysely";

/** Creations that were left open are listed in the order in which a process last checked them. See `ports/database.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table account_creation add column looked_at int8 not null default 0`,
  `drop index account_creation_open`,
  `create index account_creation_due on account_creation (environment, looked_at)
    where state = 'pending' and (submission_id is not null or type = 'email')`,
];
