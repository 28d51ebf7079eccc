import { type Kysely, sql } from "kysely";

/** What a prepared transaction leaves of a message in a transaction buffer. See `ports/database.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table prepared_transaction add column buffer_step text").execute(db);
}
