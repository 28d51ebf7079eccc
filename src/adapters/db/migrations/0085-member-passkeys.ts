import { type Kysely, sql } from "kysely";

/**
 * Passkeys of members of the console: what they are verified by, what a member requires, which of them opened a session, and the nonces
 * that were used. Codes say whether the browser that asked for them was known. The functions stand in `functions.sql`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table member_passkey (
    id text primary key,
    member_id text not null references member (id) on delete cascade,
    credential_id text not null unique,
    public_key bytea not null,
    rp_id text not null,
    counter int8 not null,
    name text not null,
    aaguid text not null,
    is_synced boolean not null,
    created_at int8 not null,
    last_used_at int8
  )`,
  `create index member_passkey_member on member_passkey (member_id, created_at)`,
  `create table member_nonce (nonce text primary key, expires_at int8 not null)`,
  `create index member_nonce_expiry on member_nonce (expires_at)`,
  `alter table member add column passkey_required boolean not null default false`,
  `alter table member_secret add column is_known_browser boolean not null default false`,
  `alter table member_session add column passkey_id text references member_passkey (id) on delete set null`,
  `create index member_session_passkey on member_session (passkey_id) where passkey_id is not null`,
  `drop trigger audit_member_changed on member`,
  `create trigger audit_member_changed after update of role, status, is_operator, environments, passkey_required on member for each row
    when (old.role is distinct from new.role or old.status is distinct from new.status
      or old.is_operator is distinct from new.is_operator or old.environments is distinct from new.environments
      or old.passkey_required is distinct from new.passkey_required)
    execute function audit_member()`,
  `create function audit_member_passkey() returns trigger language plpgsql as $$ begin return null; end $$`,
  `create trigger audit_member_passkey_added after insert on member_passkey for each row execute function audit_member_passkey()`,
  `create trigger audit_member_passkey_removed after delete on member_passkey for each row execute function audit_member_passkey()`,
];
