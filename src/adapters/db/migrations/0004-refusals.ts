import { type Kysely, sql } from "kysely";

/** What was refused for good stays refused. See `ports/database.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table prepared_transaction add column refused_at int8`).execute(db);
}
