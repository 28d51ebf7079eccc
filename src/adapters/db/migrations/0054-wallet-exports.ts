import { type Kysely, sql } from "kysely";

/** Owners have their wallets' keys handed out: what the custodian keeps of it, what the service does, and the tenant's delay. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table kms_wallet_export (
    id text primary key,
    wallet_id text not null references kms_wallet (id),
    nonce text not null,
    recipient bytea not null,
    requested_at int8 not null,
    not_before int8 not null,
    expires_at int8 not null,
    cancelled_at int8,
    exported_at int8,
    binding bytea not null
  )`,
  `create unique index kms_wallet_export_nonce on kms_wallet_export (wallet_id, nonce)`,
  `create index kms_wallet_export_expiry on kms_wallet_export (expires_at)`,
  `create table wallet_export (
    id text primary key,
    tenant_id text not null references tenant (id),
    environment text not null,
    user_id text not null references app_user (id),
    account_address text not null,
    provider text not null,
    wallet_id text not null,
    signer_address text not null,
    recipient_public_key text not null,
    state text not null check (state in ('waiting', 'exported', 'cancelled')),
    noticed_state text check (noticed_state in ('waiting', 'exported', 'cancelled')),
    notice_due_at int8 not null,
    requested_at int8 not null,
    not_before int8 not null,
    expires_at int8 not null,
    cancelled_at int8,
    exported_at int8
  )`,
  `create index wallet_export_of_wallet on wallet_export (wallet_id, requested_at)`,
  `create index wallet_export_noticed on wallet_export (environment, notice_due_at) where noticed_state is distinct from state`,
  `create index wallet_export_expiry on wallet_export (environment, expires_at) where state <> 'exported'`,
  // Whether any passkey commands a wallet is asked of removed ones too: that they were removed is not believed of every row.
  `create index kms_passkey_of_wallet on kms_passkey (wallet_id)`,
  `alter table tenant add column wallet_export_delay_seconds int4`,
  `alter table one_time_code drop constraint one_time_code_purpose_check`,
  `alter table one_time_code add constraint one_time_code_purpose_check check (purpose in ('create', 'authenticate', 'export'))`,
  `alter table mail drop constraint mail_purpose_check`,
  `alter table mail add constraint mail_purpose_check check (purpose in ('create', 'authenticate', 'export', 'notice'))`,
];
