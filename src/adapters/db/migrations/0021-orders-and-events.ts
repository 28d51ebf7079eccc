import { type Kysely, sql } from "kysely";

/**
 * An operator's suspensions of standing orders, an index for the orders whose limit may be added or removed, changes of accounts whose
 * members are still to be read, and what went wrong in the events of payment intents. See `ports/database.ts`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table standing_order add column suspended_for text, add column suspended_from text`,
  `create index standing_order_suspended on standing_order (id) where reason = 'operator'`,
  `create index standing_order_mandated on standing_order (environment, account_address, created_at, id)
    where mandate <> 'revoked' or renewal_limit_address is not null`,
  // A suspension is reported also where the order rested already.
  `drop trigger standing_order_moved on standing_order`,
  `create trigger standing_order_moved after update of status, reason on standing_order for each row
    when (old.status is distinct from new.status or (old.reason is distinct from new.reason
      and (new.reason is not distinct from 'operator'
        or (old.reason is not distinct from 'operator' and new.reason is distinct from 'released'))))
    execute function report_standing_order()`,

  // Null: it does not, or it is not known when it was recorded.
  `alter table submission add column changes_settings boolean`,
  `alter table account add column members_due int8`,
  `create index account_members_due on account (environment, members_due) where members_due is not null`,
  `create function note_changed_settings() returns trigger language plpgsql as $$
    begin
      update account set members_due = greatest(members_due, coalesce(new.slot, 0))
        where environment = new.environment and address = new.account_address;
      return null;
    end $$`,
  `create trigger submission_changed_settings after update of state on submission for each row
    when (new.changes_settings and new.state = 'landed' and old.state is distinct from new.state)
    execute function note_changed_settings()`,

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
