import { type Kysely, sql } from "kysely";

/** All that a custodian keeps: wallets, what commands them, and what it has been asked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table meta (key text primary key, value text not null)`,
  `create table kms_wallet (
    id text primary key,
    provider text not null,
    owner_id text not null,
    environment text not null,
    address text not null unique,
    secret bytea not null,
    created_at int8 not null,
    unique (owner_id, provider)
  )`,
  `create table kms_authorization_key (
    id text primary key,
    wallet_id text not null references kms_wallet (id),
    public_key bytea not null,
    created_at int8 not null,
    expires_at int8 not null,
    revoked_at int8,
    binding bytea not null
  )`,
  `create table kms_passkey (
    id text primary key,
    wallet_id text not null references kms_wallet (id),
    credential_id text not null,
    public_key bytea not null,
    rp_id text not null,
    counter int8 not null,
    last_stamp bytea,
    aaguid text not null,
    is_synced boolean not null,
    created_at int8 not null,
    removed_at int8,
    binding bytea not null
  )`,
  `create unique index kms_passkey_live on kms_passkey (wallet_id, credential_id) where removed_at is null`,
  `create table kms_ceremony (
    id text primary key,
    wallet_id text not null references kms_wallet (id),
    rp_id text not null,
    challenge bytea not null,
    created_at int8 not null,
    expires_at int8 not null,
    passkey_id text,
    binding bytea not null
  )`,
  `create index kms_ceremony_of_wallet on kms_ceremony (wallet_id, created_at)`,
  // Written before the wallet, under the id that the wallet will have.
  `create table custodian_wallet (
    wallet_id text primary key,
    owner_id text not null unique,
    environment text not null check (environment in ('sandbox', 'devnet', 'mainnet')),
    kind text not null check (kind in ('session', 'guarded')),
    rp_id text,
    rp_origins text,
    had_passkey boolean not null,
    binding bytea not null,
    sandbox_now int8 not null,
    check ((kind = 'guarded') = (rp_id is not null and rp_origins is not null))
  )`,
  `create table custodian_nonce (nonce text primary key, received_at int8 not null)`,
  `create index custodian_nonce_age on custodian_nonce (received_at)`,
];
