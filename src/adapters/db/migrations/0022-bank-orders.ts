import { type Kysely, sql } from "kysely";

/** Standing orders that pay a bank account: addresses that pass coins on to it, and what became of them there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table rail_payout_address (
    id text primary key,
    tenant_id text not null references tenant (id),
    environment text not null,
    account_address text not null,
    partner text not null,
    partner_ref text,
    customer_ref text not null,
    operation_key text not null,
    operation_begun_at int8 not null,
    external_account_id text not null,
    external_account_ref text not null,
    coin text not null,
    mint text not null,
    fiat text not null,
    rail text not null,
    endorsement text not null,
    address text,
    status text check (status in ('activated', 'deactivated')),
    active_since int8,
    look_at int8,
    created_at int8 not null,
    updated_at int8 not null)`,
  `create unique index rail_payout_address_one
    on rail_payout_address (environment, account_address, external_account_id, coin, rail)`,
  `create index rail_payout_address_external on rail_payout_address (external_account_id)`,
  `create index rail_payout_address_ref on rail_payout_address (environment, partner, partner_ref)
    where partner_ref is not null`,
  `create index rail_payout_address_address on rail_payout_address (environment, address) where address is not null`,
  `create index rail_payout_address_look on rail_payout_address (environment, look_at) where look_at is not null`,
  `create index rail_payout_address_unanswered on rail_payout_address (environment, created_at)
    where partner_ref is null`,

  `alter table standing_order add column payout_address_id text`,
  `create index standing_order_payout_address on standing_order (payout_address_id, id)
    where payout_address_id is not null`,

  `create table rail_payout (
    id text primary key,
    payout_address_id text not null references rail_payout_address (id) on delete cascade,
    tenant_id text not null references tenant (id),
    environment text not null,
    account_address text not null,
    order_id text not null,
    due_at int8 not null,
    partner_ref text not null,
    signature text not null,
    state text not null,
    amount text not null,
    receipt bytea,
    return_reason text,
    created_at int8 not null,
    updated_at int8 not null)`,
  `create unique index rail_payout_ref on rail_payout (payout_address_id, partner_ref)`,
  // A payment of an order is passed on once.
  `create unique index rail_payout_run on rail_payout (order_id, due_at)`,
  `create index rail_payout_recent on rail_payout (payout_address_id, updated_at)`,
  `create index rail_payout_open on rail_payout (payout_address_id)
    where state in ('awaiting_funds', 'in_review', 'funds_received', 'payment_submitted', 'undeliverable', 'returned')`,
  `create index rail_payout_age on rail_payout (environment, created_at)`,

  // As in rails/transfer-states.ts.
  `create function payout_rank(state text) returns int4 language sql immutable as $$
    select case state when 'awaiting_funds' then 0 when 'in_review' then 1 when 'funds_received' then 2
      when 'payment_submitted' then 3 when 'returned' then 5 when 'refunded' then 6 else 4 end $$`,
  `create function report_payout() returns trigger language plpgsql as $$
    declare
      was text;
      place rail_payout_address;
    begin
      if tg_op = 'UPDATE' then was := old.state; end if;
      select * into place from rail_payout_address where rail_payout_address.id = new.payout_address_id;
      perform report(new.tenant_id, new.environment,
        case when was is null then 'standing_order_payout.created' else 'standing_order_payout.updated' end, new.id,
        new.updated_at,
        json_strip_nulls(json_build_object('id', new.id, 'standing_order_id', new.order_id, 'account', new.account_address,
          'due_at', wire_instant(new.due_at), 'external_account_id', place.external_account_id, 'payment_rail', place.rail,
          'state', new.state, 'amount', new.amount, 'currency', place.coin, 'destination_currency', place.fiat,
          'transaction_signature', new.signature, 'return_reason', new.return_reason,
          'created_at', wire_instant(new.created_at), 'updated_at', wire_instant(new.updated_at))), was);
      return null;
    end $$`,
  `create trigger payout_begun after insert on rail_payout for each row execute function report_payout()`,
  `create trigger payout_moved after update of state on rail_payout for each row
    when (old.state is distinct from new.state) execute function report_payout()`,

  // Why nothing may be sent to this address now; null: it may.
  `create function payout_hold(wanted text) returns text language sql stable as $$
    select case
      when place.id is null then 'external_account_removed'
      when not exists (select from rail_external_account as bank where bank.id = place.external_account_id
        and bank.removed_at is null and bank.active) then 'external_account_removed'
      when not exists (select from rail_verification as checked where checked.environment = place.environment
        and checked.account_address = place.account_address and checked.partner = place.partner
        and checked.tenant_id = place.tenant_id and checked.customer_ref = place.customer_ref
        and checked.status = 'approved' and checked.terms = 'approved'
        and checked.endorsements::json ->> place.endorsement = 'approved') then 'kyc_required'
      when place.status is distinct from 'activated' then 'payout_address_deactivated'
    end
    from (select wanted as id) as asked left join rail_payout_address as place on place.id = asked.id $$`,
  // What is under way is seen to its end, as for a suspension (gap 111); nothing new is signed for an order that is inactive.
  `create function stop_bank_orders(wanted text, happened int8) returns void language plpgsql as $$
    declare
      why text := payout_hold(wanted);
    begin
      if why is null then return; end if;
      perform from standing_order where payout_address_id = wanted order by id for update;
      update standing_order set status = 'inactive', reason = why, updated_at = greatest(updated_at, happened),
        attempt_at = case when mandate = 'awaited' or renewal_limit_address is not null or exists (
            select from standing_order_run as run where run.order_id = standing_order.id and run.state = 'sending')
          then 0 else end_at + 1 end
      where payout_address_id = wanted
        and (status in ('pending', 'active') or (status = 'inactive' and reason is not distinct from 'released'));
      update standing_order set suspended_from = why
      where payout_address_id = wanted and status = 'inactive' and reason is not distinct from 'operator';
    end $$`,
  `create function payout_address_moved() returns trigger language plpgsql as $$
    begin
      perform stop_bank_orders(new.id, new.updated_at);
      return null;
    end $$`,
  `create trigger payout_address_off after update of status on rail_payout_address for each row
    when (old.status = 'activated' and new.status is distinct from 'activated') execute function payout_address_moved()`,
  `create function payee_moved() returns trigger language plpgsql as $$
    declare
      mine rail_external_account;
      found text;
    begin
      if tg_op = 'DELETE' then mine := old; else mine := new; end if;
      for found in select id from rail_payout_address where external_account_id = mine.id order by id loop
        perform stop_bank_orders(found, coalesce(mine.removed_at, mine.updated_at));
      end loop;
      return null;
    end $$`,
  `create trigger external_account_off after update of removed_at, active on rail_external_account for each row
    when (new.removed_at is not null or not new.active) execute function payee_moved()`,
  `create trigger external_account_lost after delete on rail_external_account for each row
    when (old.partner_ref is not null) execute function payee_moved()`,
  `create function approval_moved() returns trigger language plpgsql as $$
    declare
      found text;
    begin
      for found in select id from rail_payout_address where environment = new.environment
          and account_address = new.account_address and partner = new.partner and customer_ref = new.customer_ref
        order by id loop
        perform stop_bank_orders(found, new.updated_at);
      end loop;
      return null;
    end $$`,
  `create trigger verification_taken_back after update of status, terms, endorsements on rail_verification for each row
    when (old.status = 'approved' and (new.status <> old.status or new.terms <> old.terms
      or new.endorsements <> old.endorsements)) execute function approval_moved()`,

  `alter table simulated_transfer add column payout_address_ref text`,
  `create index simulated_transfer_payout on simulated_transfer (payout_address_ref, created_at, ref)
    where payout_address_ref is not null`,
  `create table simulated_payout_address (
    ref text primary key,
    environment text not null,
    customer_ref text not null,
    operation_key text not null,
    bank_account_ref text not null,
    coin text not null,
    mint text not null,
    fiat text not null,
    rail text not null,
    address text not null,
    held text not null default '0',
    seen_signature text,
    looked_at int8 not null default 0,
    created_at int8 not null)`,
  `create unique index simulated_payout_address_key on simulated_payout_address (operation_key)`,
  `create unique index simulated_payout_address_one
    on simulated_payout_address (environment, customer_ref, bank_account_ref, coin, rail)`,
  `create index simulated_payout_address_watched on simulated_payout_address (environment, looked_at)`,
];
