import { type Kysely, sql } from "kysely";

/** Owners bring keys of their own: what the custodian keeps of it, what the service does, and which wallets came so. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table kms_wallet add column imported_at int8`,
  `alter table wallet add column imported_at int8`,
  // Whom a key signs for, in all accounts.
  `create index account_signer_of_address on account_signer (signer_address)`,
  `create table kms_wallet_import (
    id text primary key,
    wallet_id text not null references kms_wallet (id),
    address text not null,
    sealed bytea,
    created_at int8 not null,
    expires_at int8 not null,
    imported_wallet_id text references kms_wallet (id)
  )`,
  `create index kms_wallet_import_of_wallet on kms_wallet_import (wallet_id, created_at)`,
  `create index kms_wallet_import_expiry on kms_wallet_import (expires_at)`,
  `create index kms_wallet_import_sealed on kms_wallet_import (expires_at) where sealed is not null`,
  `create table wallet_import (
    id text primary key,
    tenant_id text not null references tenant (id),
    environment text not null,
    user_id text not null references app_user (id),
    account_address text not null,
    provider text not null,
    wallet_id text not null,
    wallet_address text not null,
    signer_address text not null,
    recipient_public_key text not null,
    state text not null check (state in ('open', 'imported')),
    is_noticed boolean not null,
    notice_due_at int8 not null,
    notice_tries int4 not null default 0,
    requested_at int8 not null,
    expires_at int8 not null,
    imported_at int8,
    constraint wallet_import_imported_check check ((state = 'imported') = (imported_at is not null))
  )`,
  `create index wallet_import_noticed on wallet_import (environment, notice_due_at) where state = 'imported' and not is_noticed`,
  `create index wallet_import_open on wallet_import (environment, expires_at) where state = 'open'`,
  `create index wallet_import_expiry on wallet_import (environment, expires_at) where state = 'imported'`,
];
