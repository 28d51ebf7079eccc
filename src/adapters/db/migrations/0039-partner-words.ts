import { type Kysely, sql } from "kysely";

/**
 * Payments with a bank whose partner says what is not expected: why each ended, in one place for events and answers; coins
 * that are where nothing moves them on; deposits that one transaction pays together. See `ports/tables/rails.ts`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table rail_transfer add column astray_since int8`,
  `create index rail_transfer_astray on rail_transfer (environment, astray_since)
    where astray_since is not null and acknowledged_at_real is null`,
  `alter table payment_intent add column ended_by text
    check (ended_by in ('partner', 'time', 'bank_removed', 'data_deleted'))`,

  // Its transaction ends a payment that its partner has in review as well.
  `drop index payment_intent_waiting`,
  `create index payment_intent_waiting on payment_intent (environment, created_at)
    where state in ('awaiting_funds', 'in_review') and open_until_height is null`,
  `create or replace function end_rail_transfer() returns trigger language plpgsql as $$
    begin
      update rail_transfer set look_at = 0, version = version + 1
        where id = new.id and told in ('awaiting_funds', 'in_review');
      return null;
    end $$`,

  // Why a payment is canceled or in error, by what is known now: for its events, and for its readers.
  `create function payment_intent_error(of_id text, of_state text, of_rail text, prepared text, ended text)
    returns json language plpgsql stable as $$
    declare
      carrier submission;
      told rail_transfer;
      code text := 'partner_refused';
      words text;
    begin
      if of_state not in ('canceled', 'error') then return null; end if;
      select * into carrier from submission where submission.id = prepared;
      if of_rail is not null then select * into told from rail_transfer where rail_transfer.id = of_id; end if;
      if carrier.state = 'failed' then
        code := 'transaction_failed';
        words := 'The transaction failed on chain. ' || (carrier.failure::json -> 'error')::text || '.';
      elsif of_state = 'error' and (told.sealed_return_reason is not null or told.return_reason is not null) then
        words := 'The money came back, and the partner could not give it back.';
      elsif of_state = 'error' then
        words := 'The partner could not move this money.' || case
          when carrier.state = 'landed' then ' The coins were sent.'
          when carrier.state in ('signed', 'sent') then ' Its transaction was submitted and may still land.'
          when told.astray_since is not null and of_rail = 'out' then ' Coins are at its address.'
          when of_rail = 'in' and told.credited_at is not null then ' It was paid all the same.'
          else '' end;
      elsif carrier.state = 'expired' then
        code := 'blockhash_expired';
        words := 'It was submitted and never landed. ' || case
          when told.astray_since is not null then 'Coins are at the partner''s address all the same.'
          else 'Nothing was paid.' end;
      elsif carrier.state is not null then
        words := 'The partner canceled it. ' || case
          when carrier.state = 'landed' then 'The coins were sent.'
          else 'Its transaction was submitted and may still land.' end;
      else
        if of_rail = 'in' and ended is null then
          ended := case when told.given_up_at is not null then 'time' else 'partner' end;
        end if;
        if ended is distinct from 'partner' then code := 'payload_expired'; end if;
        words := case
          when ended = 'partner' then 'The partner canceled it. '
          when ended = 'bank_removed' then 'The bank account was removed before it was submitted. '
          when ended = 'data_deleted' then 'What is kept of the account for bank rails was deleted first. '
          when of_rail = 'in' then 'No money came in time. '
          else 'It was not submitted in time. ' end || case
          when of_rail = 'out' and told.astray_since is not null then 'Coins are at the partner''s address all the same.'
          when of_rail = 'in' and told.credited_at is not null then 'It was paid all the same.'
          else 'Nothing was paid.' end;
      end if;
      return json_build_object('code', code, 'message', words);
    end $$`,
  `create or replace function report_payment_intent() returns trigger language plpgsql as $$
    declare
      was text;
      carrier submission;
      hash text;
      seen_at int8;
    begin
      if tg_op = 'UPDATE' then was := old.state; end if;
      if was is not null and new.rail is not distinct from 'in' then
        select signature, credited_at into hash, seen_at from rail_transfer
          where id = new.id and credited_at is not null;
      elsif was is not null then
        select * into carrier from submission where submission.id = new.prepared_id;
        hash := carrier.signature;
        if new.rail is not null or new.state = 'payment_processed' then seen_at := carrier.block_time * 1000; end if;
      end if;
      perform report(new.tenant_id, new.environment,
        case tg_op when 'INSERT' then 'payment_intent.created' else 'payment_intent.updated' end, new.id, new.updated_at,
        json_strip_nulls(json_build_object('id', new.id, 'state', new.state, 'amount', new.amount, 'currency', new.currency,
          'source', new.source::json, 'destination', new.destination::json,
          'transaction_signature', hash, 'confirmed_at', wire_instant(seen_at),
          'error', case when was is not null
            then payment_intent_error(new.id, new.state, new.rail, new.prepared_id, new.ended_by) end,
          'created_at', wire_instant(new.created_at), 'updated_at', wire_instant(new.updated_at))), was);
      return null;
    end $$`,
  // One that has ended is reported again where it moves without a new state: what is known of its coins has changed.
  `drop trigger payment_intent_moved on payment_intent`,
  `create trigger payment_intent_moved after update of state, updated_at on payment_intent for each row
    when (old.state is distinct from new.state or (new.rail is not null
      and new.state in ('canceled', 'error') and old.updated_at is distinct from new.updated_at))
    execute function report_payment_intent()`,
  // The transaction of a payment whose partner ended it first has its own end later. Locks are acquired as everywhere: the
  // submission, its intent, its transfer.
  `create function end_late_submission() returns trigger language plpgsql as $$
    declare
      ended text;
    begin
      update payment_intent set updated_at = greatest(updated_at + 1, new.updated_at)
        where prepared_id = new.id and rail = 'out' and state in ('canceled', 'error') returning id into ended;
      if ended is not null then
        update rail_transfer set look_at = 0, version = version + 1 where id = ended and state in ('canceled', 'error');
      end if;
      return null;
    end $$`,
  `create trigger submission_ended_late after update of state on submission for each row
    when (new.purpose = 'transaction' and old.state in ('signed', 'sent') and new.state in ('landed', 'failed', 'expired'))
    execute function end_late_submission()`,

  // What earlier releases left: payments in review whose transaction had its end, and coins that were not asked for again.
  `update payment_intent as intent set state = case carrier.state when 'failed' then 'error' else 'canceled' end,
      updated_at = greatest(intent.updated_at, carrier.updated_at)
    from submission as carrier
    where carrier.id = intent.prepared_id and intent.rail = 'out' and intent.state = 'in_review'
      and carrier.state in ('failed', 'expired')`,
  `update rail_transfer as told set look_at = (extract(epoch from now()) * 1000)::int8
    where direction = 'out' and state in ('canceled', 'error') and look_at is null and partner_ref is not null
      and active_since > (extract(epoch from now()) * 1000)::int8 - 30 * 86400000::int8
      and exists (select from payment_intent as intent join submission as carrier on carrier.id = intent.prepared_id
        where intent.id = told.id and carrier.state in ('signed', 'sent', 'landed'))`,

  // A transaction can pay several deposits of one account: each has what is left of it, and no more than it was to bring.
  `drop index rail_deposit_paid`,
  `create index rail_deposit_unseen on rail_deposit (environment, updated_at)
    where state = 'processed' and confirmed_at is null`,
  `create function share_of_deposit(mine rail_deposit) returns text language plpgsql as $$
    declare
      brought numeric;
      given numeric;
      most numeric;
      is_shared boolean;
    begin
      if exists (select from rail_transfer t where t.environment = mine.environment
          and t.account_address = mine.account_address and t.signature = mine.signature and t.credited_at is not null) then
        return null;
      end if;
      select paid.received::numeric into brought
        from payment_of_deposit(mine.environment, mine.account_address, mine.signature, mine.mint) paid;
      select coalesce(sum(d.received::numeric) filter (where d.confirmed_at is not null), 0), count(*) > 0
        into given, is_shared from rail_deposit d
        where d.environment = mine.environment and d.account_address = mine.account_address and d.signature = mine.signature
          and d.id <> mine.id and d.state <> 'not_credited';
      if (mine.currency = 'usd' and mine.coin in ('usdc', 'usdt', 'pyusd')) or (mine.currency = 'eur' and mine.coin = 'eurc') then
        most := mine.amount::numeric;
        -- What a fee is in is the partner's to know: only where it has to be divided it is taken off.
        if is_shared and mine.fees is not null then
          most := most - coalesce((mine.fees::json ->> 'developer_fee')::numeric, 0)
            - coalesce((mine.fees::json ->> 'exchange_fee')::numeric, 0) - coalesce((mine.fees::json ->> 'gas_fee')::numeric, 0);
        end if;
        most := ceil(most * 10::numeric ^ mine.decimals);
      elsif is_shared then
        -- Nobody knows the rate, and so nobody which part is whose.
        return null;
      end if;
      most := least(brought - given, coalesce(most, brought));
      return case when most > 0 then trunc(most)::text end;
    end $$`,
  `create or replace function credit_once() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(
        hashtextextended(concat_ws('/', 'trellis/payment', new.environment, new.account_address, new.signature), 0));
      if tg_table_name = 'rail_deposit' then
        new.received := share_of_deposit(new);
        if new.received is null then return null; end if;
      elsif is_payment_taken(new.environment, new.account_address, new.signature, new.id) then
        return null;
      end if;
      return new;
    end $$`,
  `create or replace function credit_deposits() returns trigger language plpgsql as $$
    begin
      update rail_deposit set received = found.received, confirmed_at = found.confirmed_at,
        updated_at = greatest(rail_deposit.updated_at, found.confirmed_at * 1000)
      from (
        select d.id, paid.received, paid.confirmed_at
        from fresh join rail_deposit d on (d.environment, d.account_address, d.signature)
          = (fresh.environment, fresh.account_address, fresh.signature)
        cross join lateral payment_of_deposit(d.environment, d.account_address, d.signature, d.mint) paid
        where fresh.finalized and not fresh.failed and d.confirmed_at is null and d.state <> 'not_credited'
        order by d.created_at, d.id
      ) found
      where rail_deposit.id = found.id and rail_deposit.confirmed_at is null;
      return null;
    end $$`,
];
