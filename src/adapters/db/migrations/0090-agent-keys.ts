import { type Kysely, sql } from "kysely";

/** API keys of agents. See `ports/database.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table api_key drop constraint api_key_kind_check`,
  `alter table api_key add constraint api_key_kind_check check (kind in ('secret', 'publishable', 'agent'))`,
];
