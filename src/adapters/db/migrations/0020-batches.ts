import { type Kysely, sql } from "kysely";

/** How many transactions a batch holds, how many of them were executed, and what closing them brought; and
 * which prepared transaction another one comes after. See `ports/database.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table proposal add column batch_size int4, add column batch_executed int4,
        add column batch_reclaimed_lamports int8`,
    )
    .execute(db);
  await sql.raw("alter table prepared_transaction add column follows text").execute(db);
}
