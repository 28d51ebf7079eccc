import { type Kysely, sql } from "kysely";

/** The index of proposals: what the chain says about them, kept where it can be listed. See `ports/database.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table proposal (
    environment text not null,
    settings_address text not null,
    transaction_index int8 not null,
    proposal_address text not null,
    transaction_address text not null,
    kind text not null check (kind in ('transaction', 'settings', 'batch', 'unknown')),
    status text check (status in ('Active', 'Approved', 'Executed', 'Rejected', 'Cancelled')),
    chain_status text check (chain_status in
      ('draft', 'active', 'rejected', 'approved', 'executing', 'executed', 'cancelled', 'closed')),
    status_timestamp int8,
    approved text not null,
    rejected text not null,
    cancelled text not null,
    votes text not null,
    creator text,
    proposal_rent_collector text,
    transaction_rent_collector text,
    content bytea,
    opened_at int8,
    last_modified_signature text,
    last_modified_at int8,
    uses_durable_nonce boolean not null,
    reclaimed_lamports int8,
    seen_signature text,
    read_slot int8 not null,
    close_tried_at int8,
    primary key (environment, settings_address, transaction_index),
    foreign key (environment, settings_address) references account (environment, settings_address),
    unique (environment, proposal_address))`,
  `create index proposal_listed on proposal (environment, settings_address, status, transaction_index)`,
  `create index proposal_unfinished on proposal (environment, settings_address, transaction_index)
    where chain_status is null or chain_status in ('draft', 'active', 'approved', 'executing')
      or (chain_status = 'closed' and reclaimed_lamports is null)`,
  `create index proposal_finished on proposal (environment, settings_address, transaction_index)
    where chain_status in ('executed', 'rejected', 'cancelled')`,
  `create index proposal_closable on proposal (environment, proposal_rent_collector, status_timestamp)
    where chain_status <> 'closed' and proposal_rent_collector = transaction_rent_collector`,

  // Written at every turn where there are more accounts than one turn takes: without an index on the instant the
  // server updates rows in place.
  `create table proposal_watch (
    environment text not null,
    settings_address text not null,
    transaction_index int8 not null,
    stale_transaction_index int8 not null,
    read_slot int8 not null,
    checked_at int8 not null,
    stale_seen_at int8 not null,
    primary key (environment, settings_address),
    foreign key (environment, settings_address) references account (environment, settings_address))
    with (fillfactor = 50)`,
];
