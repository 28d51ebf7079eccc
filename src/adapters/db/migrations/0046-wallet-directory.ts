import { type Kysely, sql } from "kysely";

/**
 * Which wallet is whose, for every custodian. The tables of those that are built in (`kms_…`) are theirs alone from now on: what
 * other custodians hold is not in this database.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table wallet (
    id text primary key,
    provider text not null,
    owner_id text not null,
    environment text not null,
    address text not null unique,
    created_at int8 not null,
    unique (owner_id, provider))`,
  `create index wallet_provider on wallet (provider, created_at)`,
  `lock table kms_wallet in share row exclusive mode`,
  `insert into wallet (id, provider, owner_id, environment, address, created_at)
    select id, provider, owner_id, environment, address, created_at from kms_wallet`,
  // What is made by a process of the former release, too.
  `create function record_wallet() returns trigger language plpgsql as $$ begin return null; end $$`,
  `create trigger record_built_in_wallet after insert on kms_wallet for each row execute function record_wallet()`,
  `alter table session
    drop constraint session_wallet_id_fkey,
    drop constraint session_authorization_key_id_fkey,
    add constraint session_wallet_id_fkey foreign key (wallet_id) references wallet (id)`,
];
