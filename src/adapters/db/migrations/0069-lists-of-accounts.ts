import { type Kysely, sql } from "kysely";

/**
 * All accounts and all users of a tenant can be listed, newest first, by any filter. Whom a key signs for has a table of its own: rows of
 * `account_signer` know neither their tenant nor when their account was made.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // A list of one type is a range of it, and a list of all merges the few types.
  `create index account_of_tenant on account (tenant_id, environment, type, created_at, address)`,
  // A memo may be longer than an index takes.
  `create index account_with_memo on account (tenant_id, environment, hashtextextended(memo, 0), type, created_at, address)
    where memo is not null`,
  `create index account_of_user on account (user_id, type, created_at, address)`,
  `create index app_user_of_tenant on app_user (tenant_id, environment, created_at, id)`,
  `create index session_of_user on session (user_id, chain_started_at, chain_id) where state = 'live'`,

  `create table signed_account (
    tenant_id text not null,
    environment text not null,
    signer_address text not null,
    type text not null,
    created_at int8 not null,
    account_address text not null,
    primary key (tenant_id, environment, signer_address, type, created_at, account_address))`,
  `create function list_signed_account() returns trigger language plpgsql as $$ begin return null; end $$`,
  `create trigger signed_account_added after insert on account_signer for each row execute function list_signed_account()`,
  `create trigger signed_account_removed after delete on account_signer for each row execute function list_signed_account()`,
  // Behind the triggers, whose making waits for what is being written: none is missed.
  `insert into signed_account (tenant_id, environment, signer_address, type, created_at, account_address)
    select account.tenant_id, account.environment, signer.signer_address, account.type, account.created_at, account.address
    from account_signer as signer
    join account on account.environment = signer.environment and account.address = signer.account_address`,
];
