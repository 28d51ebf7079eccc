import { type Kysely, sql } from "kysely";

/**
 * Lists of proposals across accounts: where each proposal stands in them, kept by triggers whose functions stand in `functions.sql`. Of
 * proposals that are there, those who voted are known at once; whose vote is missing is known with the next reading of the settings.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const listed = "environment, tenant_id, signer_address";
const order = "listed_at, settings_address, transaction_index";
const moved = ["status", "chain_status", "approved", "rejected", "cancelled", "opened_at", "status_timestamp"]
  .map((column) => `old.${column} is distinct from new.${column}`)
  .join(" or ");

const statements = [
  `create table proposal_listing (
    environment text not null,
    settings_address text not null,
    transaction_index int8 not null,
    signer_address text not null,
    tenant_id text not null,
    listed_at int8 not null,
    status text not null,
    waits boolean not null,
    primary key (environment, settings_address, transaction_index, signer_address),
    foreign key (environment, settings_address, transaction_index)
      references proposal (environment, settings_address, transaction_index) on delete cascade)`,
  `create function list_proposals() returns trigger language plpgsql as $$ begin return null; end $$`,
  // No process writes what the rows below would miss: a trigger keeps writers out until the migration is over.
  `create trigger proposal_listed_first after insert on proposal for each row when (new.status is not null)
    execute function list_proposals()`,
  `create trigger proposal_listed_again after update on proposal for each row when (new.status is not null and (${moved}))
    execute function list_proposals()`,
  `insert into proposal_listing
    select proposal.environment, proposal.settings_address, transaction_index, voter.address, account.tenant_id,
      coalesce(opened_at, status_timestamp, 0), status, false
    from proposal join account on account.environment = proposal.environment
      and account.settings_address = proposal.settings_address
    cross join lateral (
      select '' as address union select json_array_elements_text(approved::json)
      union select json_array_elements_text(rejected::json) union select json_array_elements_text(cancelled::json)
    ) as voter
    where status is not null`,
  `create index proposal_listing_page on proposal_listing (${listed}, ${order})`,
  `create index proposal_listing_status on proposal_listing (${listed}, status, ${order})`,
  `create index proposal_listing_waiting on proposal_listing (${listed}, ${order}) where waits`,
  `create index proposal_listing_open on proposal_listing (environment, settings_address, transaction_index) where waits`,
];
