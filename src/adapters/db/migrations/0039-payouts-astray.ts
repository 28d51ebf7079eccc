import { type Kysely, sql } from "kysely";

/**
 * Payments of standing orders to a bank that their partner ended without moving their coins on: since when, by environment
 * time. Where it moves them on after all, that counts, as it does for a payment intent. See `ports/tables/rails.ts`.
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
];
