import { type Kysely, sql } from "kysely";

/** What passkeys are asked to approve themselves. See `ports/tables/custody.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table passkey_approval (
    challenge text primary key,
    tenant_id text not null,
    environment text not null,
    account_address text not null,
    passkey_address text not null,
    prepared_id text not null,
    slot int8 not null,
    slot_hash text not null,
    payer text not null,
    execution text not null,
    owners text not null,
    app_name text not null,
    redirect_url text,
    relying_party_id text not null,
    origin text not null,
    created_at int8 not null,
    expires_at int8 not null,
    transaction text,
    fee_lamports int8,
    last_valid_block_height int8,
    signing_until int8,
    answers int4 not null default 0
  )`,
  `create unique index passkey_approval_fixed on passkey_approval (prepared_id) where transaction is not null`,
  `create index passkey_approval_prepared on passkey_approval (prepared_id)`,
  `create index passkey_approval_expiry on passkey_approval (environment, expires_at)`,
];
