import { type Kysely, sql } from "kysely";

/** Challenges that passkeys sign for the chain, which tenant had a passkey made, and what the service pays for its account there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table passkey_ceremony (
    challenge text primary key,
    tenant_id text not null,
    environment text not null,
    kind text not null check (kind in ('create', 'auth')),
    slot int8 not null,
    slot_hash text not null,
    payer text not null,
    session_key text not null,
    session_seconds int4 not null,
    session_ends_at int8,
    app_name text not null,
    redirect_url text,
    user_handle text not null,
    relying_party_id text not null,
    origin text not null,
    created_at int8 not null,
    expires_at int8 not null,
    passkey_address text,
    submission_id text,
    signing_until int8
  )`,
  `create index passkey_ceremony_expiry on passkey_ceremony (environment, expires_at)`,
  `create table passkey_signer (
    environment text not null,
    address text not null,
    tenant_id text not null,
    primary key (environment, address)
  )`,
  `alter table sponsored_cost drop constraint sponsored_cost_kind_check`,
  `alter table sponsored_cost add constraint sponsored_cost_kind_check check (kind in ('fee', 'settings_rent', 'creation_fee',
    'proposal_rent', 'proposal_growth', 'token_account_rent', 'spending_limit_rent', 'passkey_rent')) not valid`,
];
