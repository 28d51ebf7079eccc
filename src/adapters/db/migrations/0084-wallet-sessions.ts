import { type Kysely, sql } from "kysely";

/**
 * Sessions of people who signed in with a wallet of their own. Their chain is `session_chain`, as that of other sessions. The functions of
 * the triggers stand in `functions.sql`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table wallet_session (
    id text primary key,
    tenant_id text not null references tenant (id),
    environment text not null,
    signer_address text not null,
    origin text not null,
    nonce text not null unique,
    token_hash bytea not null unique,
    created_at int8 not null,
    expires_at int8 not null
  )`,
  `create index wallet_session_signer on wallet_session (tenant_id, environment, signer_address, created_at)`,
  `create index wallet_session_created on wallet_session (created_at)`,
  `create function audit_wallet_session() returns trigger language plpgsql as $$ begin return null; end $$`,
  `create trigger audit_wallet_session_opened after insert on wallet_session for each row
    execute function audit_wallet_session()`,
];
