import { type Kysely, sql } from "kysely";

/** What a change of settings does that waits: its hash alone would say nothing to the holder who may cancel it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table custodian_pending add column change text").execute(db);
}
