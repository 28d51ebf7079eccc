import { type Kysely, sql } from "kysely";

/**
 * Payments of standing orders to a bank that their partner ended without moving their coins on: since when, by environment
 * time. Where it moves them on after all, that counts, as it does for a payment intent. See `ports/tables/rails.ts`. And the
 * keys of ended sessions that their custodian has not been asked to revoke. See `ports/tables/people.ts`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table rail_payout add column astray_since int8`,
  `update rail_payout set astray_since = updated_at
    where state in ('canceled', 'error') and sealed_return_reason is null and return_reason is null`,
  `create index rail_payout_astray on rail_payout (environment, astray_since)
    where astray_since is not null and acknowledged_at_real is null`,
  `create or replace function payout_follows(known text, known_back boolean, told text, told_back boolean) returns boolean
    language sql immutable as $$
    select case
      when known = 'error' and known_back then told = 'refunded'
      when known in ('canceled', 'error') and told in ('funds_received', 'payment_submitted', 'payment_processed',
        'undeliverable') then true
      when known in ('canceled', 'error') and told = 'error' and told_back then true
      when told = 'error' and (known in ('undeliverable', 'returned') or (known = 'payment_processed' and told_back)) then true
      else payout_rank(told) > payout_rank(known) end $$`,

  `create table key_removal (
    session_id text primary key,
    tenant_id text not null,
    environment text not null,
    attempt_at int8 not null)`,
  `create index key_removal_attempt on key_removal (environment, attempt_at)`,
  `create index key_removal_turn on key_removal (environment, tenant_id, attempt_at)`,
  `insert into key_removal (session_id, tenant_id, environment, attempt_at)
    select session.id, app_user.tenant_id, app_user.environment, 0
    from session_chain as chain join session on session.chain_id = chain.id join app_user on app_user.id = session.user_id
    where chain.end_reason is not null and session.key_revoked_at is null and session.expires_at > chain.ended_at`,
  // What ends a session asks the custodian at once. After a while another process does.
  `create function note_key_removals() returns trigger language plpgsql as $$
    begin
      insert into key_removal (session_id, tenant_id, environment, attempt_at)
        select session.id, app_user.tenant_id, app_user.environment, new.ended_at + 20000
        from session join app_user on app_user.id = session.user_id
        where session.chain_id = new.id and session.key_revoked_at is null and session.expires_at > new.ended_at
        on conflict (session_id) do nothing;
      return null;
    end $$`,
  `create trigger session_chain_keys after update of end_reason on session_chain for each row
    when (old.end_reason is null and new.end_reason is not null) execute function note_key_removals()`,
  `create function forget_key_removal() returns trigger language plpgsql as $$
    begin
      delete from key_removal where session_id = new.id;
      return null;
    end $$`,
  `create trigger session_key_removed after update of key_revoked_at on session for each row
    when (new.key_revoked_at is not null) execute function forget_key_removal()`,
];
