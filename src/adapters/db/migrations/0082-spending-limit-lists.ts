import { type Kysely, sql } from "kysely";

/**
 * Lists of spending limits across accounts. The chain alone has the limits: here stands which there are, for whom and of what. What may have
 * changed that marks its account, by triggers whose function stands in `functions.sql`. Accounts that are there are marked by the sweep.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const listed = "environment, tenant_id, signer_address";
const changes = (row: "old" | "new") =>
  `${row}.kind in ('settings_change', 'proposal_execution') and not ${row}.failed`;

const statements = [
  `create table spending_limit_listing (
    environment text not null,
    -- By bytes, as the addresses of one account are ordered.
    limit_address text collate "C" not null,
    signer_address text not null,
    settings_address text not null,
    tenant_id text not null,
    mint text not null,
    primary key (environment, limit_address, signer_address),
    foreign key (environment, settings_address) references account (environment, settings_address) on delete cascade)`,
  `create index spending_limit_listing_page on spending_limit_listing (${listed}, limit_address)`,
  `create index spending_limit_listing_mint on spending_limit_listing (${listed}, mint, limit_address)`,
  `create index spending_limit_listing_account on spending_limit_listing (environment, settings_address)`,
  `create table spending_limit_watch (
    environment text not null,
    settings_address text not null,
    tenant_id text,
    least_slot int8 not null default 0,
    read_slot int8 not null,
    active_at int8 not null,
    looked_at int8,
    due_at int8,
    primary key (environment, settings_address))`,
  `create index spending_limit_watch_due on spending_limit_watch (environment, due_at) where due_at is not null`,
  `create function mark_limits() returns trigger language plpgsql as $$ begin return null; end $$`,
  `create trigger limits_changed after insert on history_transaction for each row when (${changes("new")})
    execute function mark_limits()`,
  // What a fork had, and the chain has dropped.
  `create trigger limits_unchanged after delete on history_transaction for each row when (${changes("old")} and not old.finalized)
    execute function mark_limits()`,
  `create trigger limits_imported after insert on account for each row when (new.imported_at is not null)
    execute function mark_limits()`,
  `insert into meta (key, value) values ('limits_marked', '')`,
];
