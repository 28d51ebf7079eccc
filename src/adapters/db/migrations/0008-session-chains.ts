import { type Kysely, sql } from "kysely";

/**
 * Chains of sessions get rows of their own, which what opens or ends one locks. Sessions know the public half of their
 * authorization key, so that a signature is matched by them; used payloads know their stamp. Mails say what they are for,
 * and wrong tries are counted by environment. See `ports/database.ts`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // An index of this name is in the way, and nothing reads whole chains any more.
  `drop index session_chain`,
  `create table session_chain (
    id text primary key,
    ended_at int8,
    refreshed_since int8 not null,
    refreshes int4 not null)`,
  // The first session of a chain was revoked by nothing but the end of the chain, whatever survived that.
  `insert into session_chain (id, ended_at, refreshed_since, refreshes)
    select chain_id, max(created_at) filter (where ended), min(chain_started_at), 0
    from (
      select chain_id, created_at, chain_started_at,
        bool_or(state = 'revoked' and parent_id is null) over (partition by chain_id) as ended
      from session
    ) as known
    group by chain_id`,
  `create index session_chain_age on session_chain (refreshed_since)`,

  `alter table session
    add column authorization_public_key bytea,
    add column key_revoked_at int8,
    add column replaces_id text`,
  `update session set authorization_public_key = key.public_key, key_revoked_at = key.revoked_at
    from kms_authorization_key as key where key.id = session.authorization_key_id`,
  `alter table session alter column authorization_public_key set not null`,
  `create index session_key on session (wallet_id, expires_at) where key_revoked_at is null`,

  // What was signed for a transaction that was submitted is recognised by this, and not by trying.
  `alter table kms_payload add column stamp_hash bytea`,
  `create index kms_payload_stamp on kms_payload (stamp_hash) where stamp_hash is not null`,

  `alter table mail add column purpose text check (purpose in ('create', 'authenticate'))`,
  `drop index otp_failure_tenant`,
  `create index otp_failure_tenant on otp_failure (tenant_id, environment, failed_at)`,
];
