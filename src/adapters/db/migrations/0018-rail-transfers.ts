import { type Kysely, sql } from "kysely";

/** Bank accounts that can be paid, and money that a partner moves between a bank and the chain. See `ports/database.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table rail_external_account (
    id text primary key,
    tenant_id text not null references tenant (id),
    environment text not null,
    account_address text not null,
    partner text not null,
    partner_ref text,
    customer_ref text not null,
    operation_key text not null,
    operation_begun_at int8 not null,
    fingerprint bytea not null,
    details bytea,
    shown bytea not null,
    kind text not null,
    currency text not null,
    last4 text not null,
    active boolean not null default true,
    removal_key text not null,
    removed_at int8,
    look_at int8,
    created_at int8 not null,
    updated_at int8 not null)`,
  `create unique index rail_external_account_one
    on rail_external_account (environment, account_address, partner, fingerprint) where removed_at is null`,
  `create index rail_external_account_list on rail_external_account (environment, account_address, created_at, id)`,
  `create index rail_external_account_ref on rail_external_account (environment, partner, partner_ref)
    where partner_ref is not null`,
  `create index rail_external_account_look on rail_external_account (environment, look_at) where look_at is not null`,
  `create index rail_external_account_unanswered on rail_external_account (operation_begun_at) where partner_ref is null`,

  `create table rail_transfer (
    id text primary key,
    tenant_id text not null references tenant (id),
    environment text not null,
    account_address text not null,
    user_id text not null,
    partner text not null,
    partner_ref text,
    customer_ref text not null,
    operation_id text,
    operation_key text not null,
    operation_begun_at int8 not null,
    cancel_key text not null,
    direction text not null check (direction in ('in', 'out')),
    external_account_id text,
    external_account_ref text,
    coin text not null,
    mint text not null,
    decimals int4 not null,
    base_units text not null,
    fiat text not null,
    rail text not null,
    amount text not null,
    reference text,
    to_address text,
    instructions bytea,
    state text not null,
    told text not null,
    receipt text,
    return_reason text,
    signature text,
    credited_at int8,
    answer text,
    given_up_at int8,
    version int8 not null default 0,
    active_since int8 not null,
    look_at int8,
    created_at int8 not null,
    updated_at int8 not null)`,
  `create unique index rail_transfer_operation on rail_transfer (tenant_id, environment, operation_id)
    where operation_id is not null`,
  `create index rail_transfer_ref on rail_transfer (environment, partner, partner_ref) where partner_ref is not null`,
  `create index rail_transfer_look on rail_transfer (environment, look_at) where look_at is not null`,
  `create index rail_transfer_list on rail_transfer (environment, account_address, created_at, id)`,
  `create index rail_transfer_age on rail_transfer (environment, created_at)`,
  // A payment on chain stands for one pay-in.
  `create unique index rail_transfer_credited on rail_transfer (environment, account_address, signature)
    where credited_at is not null`,

  // Nor for a pay-in and a deposit: what credits one holds it until it has committed, and checks then.
  `create function is_payment_taken(place text, account text, hash text, but text) returns boolean language sql stable as $$
    select exists (select from rail_transfer t where t.environment = place and t.account_address = account
        and t.signature = hash and t.credited_at is not null and t.id <> but)
      or exists (select from rail_deposit d where d.environment = place and d.account_address = account
        and d.signature = hash and d.confirmed_at is not null and d.id <> but) $$`,
  // A row that loses is left as it was.
  `create function credit_once() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(
        hashtextextended(concat_ws('/', 'trellis/payment', new.environment, new.account_address, new.signature), 0));
      if is_payment_taken(new.environment, new.account_address, new.signature, new.id) then return null; end if;
      return new;
    end $$`,
  `create trigger transfer_credited_once before update on rail_transfer for each row
    when (old.credited_at is null and new.credited_at is not null) execute function credit_once()`,
  `create trigger deposit_credited_once before update on rail_deposit for each row
    when (old.confirmed_at is null and new.confirmed_at is not null) execute function credit_once()`,

  // A payment from a bank has nothing to sign, and so no transaction of its own.
  `alter table payment_intent alter column prepared_id drop not null`,
  `alter table payment_intent add column rail text check (rail in ('in', 'out'))`,
  // What never went on chain, or failed there, is canceled with the partner as well.
  `create function end_rail_transfer() returns trigger language plpgsql as $$
    begin
      update rail_transfer set look_at = 0 where id = new.id and told = 'awaiting_funds';
      return null;
    end $$`,
  `create trigger payment_intent_over after update of state on payment_intent for each row
    when (new.rail = 'out' and new.state in ('canceled', 'error') and old.state is distinct from new.state)
    execute function end_rail_transfer()`,

  `create function report_external_account() returns trigger language plpgsql as $$
    declare
      mine rail_external_account;
    begin
      if tg_op = 'DELETE' then mine := old; else mine := new; end if;
      perform report(mine.tenant_id, mine.environment,
        case when tg_op = 'DELETE' then 'external_account.deleted'
          when old.partner_ref is null then 'external_account.created' else 'external_account.updated' end,
        mine.id, coalesce(case when tg_op = 'DELETE' then mine.removed_at end, mine.updated_at),
        json_build_object('id', mine.id, 'account', mine.account_address, 'account_type', mine.kind,
          'currency', mine.currency, 'last_4', mine.last4, 'active', mine.active and tg_op <> 'DELETE',
          'created_at', wire_instant(mine.created_at), 'updated_at', wire_instant(mine.updated_at)));
      return null;
    end $$`,
  `create trigger external_account_moved after update on rail_external_account for each row
    when (new.partner_ref is not null and (old.partner_ref is null or old.active <> new.active))
    execute function report_external_account()`,
  `create trigger external_account_gone after delete on rail_external_account for each row
    when (old.partner_ref is not null) execute function report_external_account()`,

  `create table simulated_bank_account (
    ref text primary key,
    customer_ref text not null,
    operation_key text not null,
    fingerprint bytea not null,
    currency text not null,
    last4 text not null,
    bank_name text,
    created_at int8 not null)`,
  `create unique index simulated_bank_account_key on simulated_bank_account (operation_key)`,
  `create unique index simulated_bank_account_one on simulated_bank_account (customer_ref, fingerprint)`,

  `create table simulated_transfer (
    ref text primary key,
    environment text not null,
    customer_ref text not null,
    operation_key text not null,
    client_reference text not null,
    direction text not null check (direction in ('in', 'out')),
    amount text not null,
    coin text not null,
    mint text not null,
    base_units text not null,
    from_leg text not null,
    to_leg text not null,
    watched text,
    state text not null,
    steps text not null default '[]',
    due_at int8,
    held text,
    source_signature text,
    destination_signature text,
    looked_at int8 not null default 0,
    created_at int8 not null,
    updated_at int8 not null)`,
  `create unique index simulated_transfer_key on simulated_transfer (operation_key)`,
  `create index simulated_transfer_reference on simulated_transfer (customer_ref, client_reference)`,
  `create index simulated_transfer_due on simulated_transfer (environment, due_at) where due_at is not null`,
  `create index simulated_transfer_watched on simulated_transfer (environment, looked_at)
    where direction = 'out' and held is null and state in ('awaiting_funds', 'in_review')`,
  `create index simulated_transfer_age on simulated_transfer (environment, created_at)`,
];
