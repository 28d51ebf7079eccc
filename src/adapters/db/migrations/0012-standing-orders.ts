import { type Kysely, sql } from "kysely";

/** Standing orders, and their due dates that have been reached. See `ports/database.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table standing_order (
    id text primary key,
    tenant_id text not null references tenant (id),
    environment text not null,
    account_address text not null,
    settings_address text not null,
    status text not null,
    reason text,
    amount text not null,
    currency text not null,
    mint text,
    frequency text not null,
    source text not null,
    destination text not null,
    payee text not null,
    start_at int8 not null,
    end_at int8,
    occurrences int4,
    executor_address text not null,
    spending_limit_address text not null,
    limit_expires_at int8,
    prepared_id text not null,
    proposal_address text,
    removal_prepared_id text,
    renewal_limit_address text,
    place int4 not null,
    valid_until int8 not null,
    mandate text not null,
    mandated_at int8,
    next_index int4,
    next_due_at int8,
    attempt_at int8,
    leased_until int8,
    missed_in_a_row int4 not null,
    last_paid_at int8,
    created_at int8 not null,
    updated_at int8 not null,
    unique (environment, spending_limit_address))`,
  `create index standing_order_account on standing_order (environment, account_address, created_at, id)`,
  // How many are open is bounded: of two that would take the last place at once, one fails.
  `create unique index standing_order_place on standing_order (environment, account_address, place)
    where status in ('pending', 'active')`,
  `create index standing_order_attempt on standing_order (environment, attempt_at, id) where attempt_at is not null`,
  `create index standing_order_leased on standing_order (environment) where leased_until is not null`,
  `create index standing_order_executor on standing_order (environment, executor_address)
    where mandate in ('awaited', 'active', 'revocation_pending')`,

  `create table standing_order_run (
    order_id text not null references standing_order (id),
    due_at int8 not null,
    environment text not null,
    state text not null,
    attempts int4 not null,
    refusals int4 not null default 0,
    paid_at int8,
    submission_id text,
    signature text,
    error text,
    created_at int8 not null,
    updated_at int8 not null,
    primary key (order_id, due_at))`,
  `create index standing_order_run_sending on standing_order_run (order_id) where state = 'sending'`,
  `create index standing_order_run_paid on standing_order_run (order_id, paid_at) where paid_at is not null`,
  `create index standing_order_run_signature on standing_order_run (signature) where signature is not null`,
];
