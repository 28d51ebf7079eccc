import { type Kysely, sql } from "kysely";

/**
 * What banks say of transfers, sealed; lists of transfers by their direction; ends for payments from banks that are never made,
 * for removals that a partner refuses, and for play money that cannot be paid. See `ports/database.ts`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table rail_transfer add column sealed_reference bytea, add column sealed_receipt bytea, add column received text,
    add column cancel_refused_at int8`,
  // Rows of earlier releases, until they are sealed.
  `create index rail_transfer_clear on rail_transfer (id) where receipt is not null or reference is not null`,
  `create index rail_transfer_told on rail_transfer (environment, account_address, direction, created_at, id)
    where answer is not null`,
  `create index rail_transfer_signature on rail_transfer (environment, account_address, signature)
    where signature is not null`,
  `create index rail_transfer_unpaid on rail_transfer (environment, partner, created_at)
    where direction = 'in' and told = 'awaiting_funds' and answer is not null and given_up_at is null`,

  `alter table rail_external_account add column removal_refused_at int8`,
  // From now on they are read again, as whatever else lives with a partner.
  `update rail_external_account set look_at = 0 where partner_ref is not null and look_at is null`,

  `alter table simulated_deposit add column tries int4 not null default 0`,
  `alter table simulated_transfer add column tries int4 not null default 0`,
  `update simulated_transfer set to_leg = (to_leg::jsonb - 'reference')::text where to_leg like '%"reference"%'`,

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
];
