import { type Kysely, sql } from "kysely";

/** Passkeys command custodians' wallets: what the custodian checks them by, what the service calls them, and where they belong. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
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
  `create index kms_passkey_removed on kms_passkey (removed_at) where removed_at is not null`,
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
  `create index kms_ceremony_expiry on kms_ceremony (expires_at)`,
  `create table passkey (
    id text primary key,
    tenant_id text not null references tenant (id),
    environment text not null,
    user_id text not null references app_user (id),
    provider text not null,
    wallet_id text not null,
    signer_address text not null,
    credential_id text not null,
    public_key bytea not null,
    rp_id text not null,
    name text not null,
    aaguid text not null,
    is_synced boolean not null,
    created_at int8 not null,
    last_used_at int8,
    removed_at int8
  )`,
  `create index passkey_of_wallet on passkey (wallet_id, created_at) where removed_at is null`,
  `create unique index passkey_of_credential on passkey (tenant_id, environment, credential_id) where removed_at is null`,
  `create table passkey_sign_in (nonce text primary key, expires_at int8 not null)`,
  `create index passkey_sign_in_expiry on passkey_sign_in (expires_at)`,
  `create index passkey_removed on passkey (environment, removed_at) where removed_at is not null`,
  `alter table tenant add column relying_party text`,
];
