import { type Kysely, sql } from "kysely";

/**
 * Refunds that fail, reasons of returns sealed, another payout address for one that was closed, checks that are not lost, one
 * order of locks, and daily checks spread over the day. See `ports/tables/rails.ts`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table rail_transfer add column sealed_return_reason bytea`,
  `alter table rail_payout add column sealed_return_reason bytea`,
  // Rows of earlier releases, until they are sealed.
  `create index rail_transfer_clear_reason on rail_transfer (id) where return_reason is not null`,
  `create index rail_payout_clear_reason on rail_payout (id) where return_reason is not null`,
  `update event set data = (data::jsonb - 'return_reason')::text
    where type in ('standing_order_payout.created', 'standing_order_payout.updated') and data like '%"return_reason"%'`,

  // What a bank returned and could not be given back.
  `create index rail_transfer_stuck on rail_transfer (environment, updated_at)
    where state = 'error' and (sealed_return_reason is not null or return_reason is not null)`,
  `create index rail_payout_stuck on rail_payout (environment, updated_at)
    where state = 'error' and (sealed_return_reason is not null or return_reason is not null)`,

  // As followsState in rails/transfer-states.ts.
  `create function payout_follows(known text, known_back boolean, told text, told_back boolean) returns boolean
    language sql immutable as $$
    select case
      when known = 'error' and known_back then told = 'refunded'
      when told = 'error' and (known in ('undeliverable', 'returned') or (known = 'payment_processed' and told_back)) then true
      else payout_rank(told) > payout_rank(known) end $$`,
  `create or replace function report_payout() returns trigger language plpgsql as $$
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
          'transaction_signature', new.signature,
          'created_at', wire_instant(new.created_at), 'updated_at', wire_instant(new.updated_at))), was);
      return null;
    end $$`,
  `create or replace function report_payment_intent() returns trigger language plpgsql as $$
    declare
      was text;
      carrier submission;
      wrong json;
    begin
      if tg_op = 'UPDATE' then was := old.state; end if;
      if was is not null then select * into carrier from submission where submission.id = new.prepared_id; end if;
      if new.state = 'error' and carrier.failure is not null then
        wrong := json_build_object('code', 'transaction_failed',
          'message', 'The transaction failed on chain. ' || (carrier.failure::json -> 'error')::text || '.');
      elsif new.state = 'error' and new.rail is not null and exists (select from rail_transfer where id = new.id
          and (sealed_return_reason is not null or return_reason is not null)) then
        wrong := json_build_object('code', 'partner_refused',
          'message', 'The money came back, and the partner could not give it back.');
      elsif new.state = 'error' and new.rail is not null then
        wrong := json_build_object('code', 'partner_refused', 'message', 'The partner could not move this money.');
      elsif new.state = 'canceled' and carrier.id is not null then
        wrong := json_build_object('code', 'blockhash_expired',
          'message', 'It was submitted and never landed. Nothing was paid.');
      elsif new.state = 'canceled' and new.rail is not distinct from 'in'
          and not exists (select from rail_transfer where id = new.id and given_up_at is not null) then
        wrong := json_build_object('code', 'partner_refused', 'message', 'The partner canceled it. Nothing was paid.');
      elsif new.state = 'canceled' and new.rail is not distinct from 'in' then
        wrong := json_build_object('code', 'payload_expired', 'message', 'No money came in time. Nothing was paid.');
      elsif new.state = 'canceled' then
        wrong := json_build_object('code', 'payload_expired',
          'message', 'It was not submitted in time. Nothing was paid.');
      end if;
      perform report(new.tenant_id, new.environment,
        case tg_op when 'INSERT' then 'payment_intent.created' else 'payment_intent.updated' end, new.id, new.updated_at,
        json_strip_nulls(json_build_object('id', new.id, 'state', new.state, 'amount', new.amount, 'currency', new.currency,
          'source', new.source::json, 'destination', new.destination::json,
          'transaction_signature', carrier.signature,
          'confirmed_at', case new.state when 'payment_processed' then wire_instant(carrier.block_time * 1000) end,
          'error', wrong,
          'created_at', wire_instant(new.created_at), 'updated_at', wire_instant(new.updated_at))), was);
      return null;
    end $$`,

  // A process that has read the row before reads it again.
  `create or replace function end_rail_transfer() returns trigger language plpgsql as $$
    begin
      update rail_transfer set look_at = 0, version = version + 1 where id = new.id and told = 'awaiting_funds';
      return null;
    end $$`,

  `alter table rail_payout_address add column was_active boolean not null default false, add column retired_at int8,
    add column wakes int8 not null default 0`,
  `update rail_payout_address set was_active = true where status is not null`,
  `drop index rail_payout_address_one`,
  `create unique index rail_payout_address_one
    on rail_payout_address (environment, account_address, external_account_id, coin, rail) where retired_at is null`,
  `create index rail_payout_address_account on rail_payout_address (environment, account_address)`,
  `alter table simulated_payout_address add column closed boolean not null default false,
    add column number int4 not null default 0`,
  `drop index simulated_payout_address_one`,
  `create unique index simulated_payout_address_one
    on simulated_payout_address (environment, customer_ref, bank_account_ref, coin, rail) where not closed`,

  // All orders at once and by their ids, as a payment holds them: so no transactions wait in a circle.
  `create or replace function payee_moved() returns trigger language plpgsql as $$
    declare
      mine rail_external_account;
      places text[];
      found text;
    begin
      if tg_op = 'DELETE' then mine := old; else mine := new; end if;
      places := array(select id from rail_payout_address where external_account_id = mine.id);
      perform from standing_order where payout_address_id = any(places) order by id for update;
      foreach found in array places loop
        perform stop_bank_orders(found, coalesce(mine.removed_at, mine.updated_at));
      end loop;
      return null;
    end $$`,
  `create or replace function approval_moved() returns trigger language plpgsql as $$
    declare
      places text[];
      found text;
    begin
      places := array(select id from rail_payout_address where environment = new.environment
        and account_address = new.account_address and partner = new.partner and customer_ref = new.customer_ref);
      perform from standing_order where payout_address_id = any(places) order by id for update;
      foreach found in array places loop
        perform stop_bank_orders(found, new.updated_at);
      end loop;
      return null;
    end $$`,

  // Only what an order pays, or what cannot be paid, is read each day; not all of it in the same second.
  `alter table rail_external_account add column told_at_real int8`,
  `update rail_external_account as bank set look_at = case
      when not active or exists (select from rail_payout_address as place
        join standing_order as paying on paying.payout_address_id = place.id
        where place.external_account_id = bank.id and paying.status in ('pending', 'active', 'inactive'))
      then (extract(epoch from now()) * 1000)::int8 + ('x' || substr(md5(id), 1, 8))::bit(32)::int8 % 86400000 end
    where partner_ref is not null and removed_at is null`,
];
