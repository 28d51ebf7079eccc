import { type Kysely, sql } from "kysely";

/** What the service pays for others, cost by cost, and who gains. See `ports/database.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table sponsored_cost (
    submission_id text not null,
    position int2 not null,
    environment text not null,
    tenant_id text not null,
    account_address text,
    kind text not null check (kind in ('fee', 'settings_rent', 'creation_fee', 'proposal_rent', 'proposal_growth',
      'token_account_rent', 'spending_limit_rent')),
    held_at text,
    beneficiary text,
    is_recoverable boolean not null,
    reserved_lamports int8 not null check (reserved_lamports >= 0),
    reserved_on int4 not null,
    spent_lamports int8,
    returned_lamports int8,
    returned_at int8,
    primary key (submission_id, position))`,
  `create index sponsored_cost_outstanding on sponsored_cost (environment, held_at)
    where is_recoverable and returned_at is null`,
  `create index sponsored_cost_day on sponsored_cost (reserved_on)
    where not (is_recoverable and returned_at is null and spent_lamports is distinct from 0)`,

  `create table sponsored_opening (
    environment text not null,
    account_address text not null,
    opened int4 not null,
    ceiling int4 not null,
    constraint sponsored_opening_ceiling check (opened <= ceiling),
    primary key (environment, account_address))`,

  // From now on it says that the rent has not been returned to the budgets yet; what was closed before is not known there.
  `update proposal set close_tried_at = null where reclaimed_lamports is not null`,
  `create index proposal_reclaimed on proposal (environment)
    where close_tried_at is not null and reclaimed_lamports is not null`,
];
