import { type Kysely, sql } from "kysely";

/**
 * Sessions end: a chain says when it last did something and why it ended, and a tenant may bound how long one may rest and
 * whether a sign-in ends those before it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create index session_of_chain on session (chain_id)`,
  `alter table session_chain add column active_at int8, add column end_reason text`,
  `update session_chain set active_at = coalesce(
      (select max(session.created_at) from session where session.chain_id = session_chain.id), refreshed_since),
    end_reason = case when ended_at is null then null else 'refresh_token_reused' end`,
  `alter table session_chain alter column active_at set not null`,
  `alter table session_chain add constraint session_chain_end_reason check (end_reason in ('refresh_token_reused',
    'signed_out', 'ended_by_holder', 'ended_by_tenant', 'ended_by_operator', 'replaced', 'idle'))`,
  // However often its sessions were refreshed, a chain has one live session.
  `create index session_live on session (wallet_id, chain_started_at) where state = 'live'`,
  `alter table tenant add column session_idle_seconds int4, add column one_session boolean not null default false`,
  `create or replace function report_session_chain() returns trigger language plpgsql as $$
    declare
      person record;
    begin
      select app_user.id, app_user.tenant_id, app_user.environment, session.provider into person
        from session join app_user on app_user.id = session.user_id where session.chain_id = new.id limit 1;
      perform report(person.tenant_id, person.environment, 'session.revoked', new.id, new.ended_at,
        json_strip_nulls(json_build_object('id', new.id, 'grid_user_id', person.id, 'provider', person.provider,
          'reason', new.end_reason, 'revoked_at', wire_instant(new.ended_at))));
      return null;
    end $$`,
];
