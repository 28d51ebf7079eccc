import { type Kysely, sql } from "kysely";

/** How many transactions a batch holds, how many of them were executed, and what closing them brought; and
 * which prepared transaction another one follows. See `ports/database.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table proposal add column batch_size int4, add column batch_executed int4,
        add column batch_reclaimed_lamports int8`,
    )
    .execute(db);
  await sql.raw("alter table prepared_transaction add column follows text").execute(db);
  // Word for word what claims of finished proposals ask for.
  await sql.raw("drop index proposal_closable").execute(db);
  await sql
    .raw(
      `create index proposal_closable on proposal (environment, proposal_rent_collector, transaction_rent_collector,
        (coalesce(close_tried_at, status_timestamp * 1000)))
      where chain_status in ('executed', 'rejected', 'cancelled') and kind in ('transaction', 'settings', 'batch')`,
    )
    .execute(db);
}
