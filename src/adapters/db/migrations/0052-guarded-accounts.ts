import { type Kysely, sql } from "kysely";

/** An account that waits for its code may be a guarded one: its plan is kept, as JSON. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table pending_account add column plan text`.execute(db);
}
