import { type Kysely, sql } from "kysely";

/** Accounts are checked when their turn is due, and closings are found by an index. See `ports/database.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** A proposal that can still be voted on or executed. */
const open = `proposal.environment = watch.environment and proposal.settings_address = watch.settings_address
  and proposal.chain_status in ('draft', 'active', 'approved', 'executing')`;

const statements = [
  `alter table proposal_watch rename column checked_at to active_at`,
  `alter table proposal_watch rename column stale_seen_at to stale_due_at`,
  `alter table proposal_watch alter column stale_due_at drop not null,
    add column looked_at int8, add column due_at int8`,

  // Who of the older accounts can have proposals, a first check shows. It runs within a day, so that they are not all due
  // at once; where a vote is open, it runs now.
  `insert into proposal_watch
      (environment, settings_address, transaction_index, stale_transaction_index, read_slot, active_at)
    select environment, settings_address, 0, 0, -1, created_at from account
    on conflict do nothing`,
  `update proposal_watch watch set
    due_at = case when exists (select from proposal where ${open}) then 0
      else (extract(epoch from clock_timestamp()) * 1000 + random() * 86400000)::int8 end,
    stale_due_at = case when stale_transaction_index > 0 then stale_due_at + 3600000 end`,

  `create index proposal_watch_due on proposal_watch (environment, due_at) where due_at is not null`,
  `create index proposal_watch_active on proposal_watch (environment, active_at) where due_at is not null`,
  `create index proposal_watch_stale on proposal_watch (environment, stale_due_at) where stale_due_at is not null`,

  // Word for word what claims of finished proposals ask for: one that was tried waits as long as one that has finished.
  `drop index proposal_closable`,
  `create index proposal_closable on proposal (environment, proposal_rent_collector, transaction_rent_collector,
      (coalesce(close_tried_at, status_timestamp * 1000)))
    where chain_status in ('executed', 'rejected', 'cancelled') and kind in ('transaction', 'settings')`,
];
