import { type Kysely, sql } from "kysely";

/**
 * Events, and their way to receivers. What changes a row that is reported also writes its event: triggers do that, in the
 * same statement, whichever process changes the row (decision 16). See `ports/database.ts`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table event (
    id text primary key,
    tenant_id text not null references tenant (id),
    environment text not null,
    type text not null,
    object_id text not null,
    sequence int8 not null generated always as identity,
    data text not null,
    previous_status text,
    is_example boolean not null default false,
    once text,
    created_at int8 not null,
    place int8,
    placed_at int8)`,
  `create index event_unplaced on event (environment, sequence) where place is null`,
  `create unique index event_by_place on event (tenant_id, environment, place) where place is not null`,
  `create index event_by_type on event (tenant_id, environment, type, place) where place is not null`,
  `create index event_age on event (environment, placed_at)`,
  `create unique index event_once on event (tenant_id, environment, once) where once is not null`,

  `create table event_feed (id int4 primary key check (id = 1), next_place int8 not null)`,
  `insert into event_feed (id, next_place) values (1, 1)`,

  `create table webhook_endpoint (
    id text primary key,
    tenant_id text not null references tenant (id),
    environment text not null,
    url text not null,
    types text[] not null,
    object_id text,
    description text,
    status text not null check (status in ('enabled', 'disabled', 'deleted')),
    disabled_reason text,
    secret bytea,
    previous_secret bytea,
    previous_secret_until int8,
    failing_since int8,
    next_due_at int8,
    leased_until int8,
    created_at int8 not null,
    updated_at int8 not null)`,
  `create index webhook_endpoint_list on webhook_endpoint (tenant_id, environment, created_at, id)
    where object_id is null and status <> 'deleted'`,
  `create index webhook_endpoint_object on webhook_endpoint (tenant_id, environment, object_id) where object_id is not null`,
  `create index webhook_endpoint_due on webhook_endpoint (environment, next_due_at) where next_due_at is not null`,
  `create index webhook_endpoint_leased on webhook_endpoint (environment, leased_until) where leased_until is not null`,
  `create index webhook_endpoint_deleted on webhook_endpoint (environment, updated_at) where status = 'deleted'`,
  `create index webhook_endpoint_age on webhook_endpoint (environment, created_at) where object_id is not null`,

  `create table webhook_delivery (
    endpoint_id text not null references webhook_endpoint (id) on delete cascade,
    event_id text not null references event (id) on delete cascade,
    environment text not null,
    state text not null check (state in ('pending', 'delivered', 'failed')),
    attempts int4 not null default 0,
    next_attempt_at int8,
    ahead_ms int8,
    created_at int8 not null,
    primary key (endpoint_id, event_id))`,
  `create index webhook_delivery_event on webhook_delivery (event_id)`,
  `create index webhook_delivery_due on webhook_delivery (endpoint_id, next_attempt_at) where state = 'pending'`,
  `create index webhook_delivery_failed on webhook_delivery (endpoint_id, created_at) where state = 'failed'`,

  `create table webhook_attempt (
    id text primary key,
    endpoint_id text not null references webhook_endpoint (id) on delete cascade,
    event_id text not null,
    event_type text not null,
    environment text not null,
    attempt int4 not null,
    is_delivered boolean not null,
    response_status int4,
    fault text,
    response_body text,
    duration_ms int4 not null,
    attempted_at int8 not null)`,
  `create index webhook_attempt_list on webhook_attempt (endpoint_id, attempted_at, id)`,
  `create index webhook_attempt_event on webhook_attempt (endpoint_id, event_id, attempted_at, id)`,
  `create index webhook_attempt_age on webhook_attempt (environment, attempted_at)`,

  `create function wire_instant(instant int8) returns text language sql immutable as $$
    select to_char(to_timestamp(instant / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$`,

  // A process that only repairs what was known before says so for its transaction, and nothing is reported.
  `create function report(tenant text, place_of text, kind text, object text, moment int8, body json, before text default null,
      only_once text default null)
    returns void language plpgsql as $$
    begin
      if tenant is null or coalesce(current_setting('trellis.unreported', true), '') = 'on' then return; end if;
      insert into event (id, tenant_id, environment, type, object_id, data, previous_status, once, created_at)
      values ('evt_' || replace(gen_random_uuid()::text, '-', ''), tenant, place_of, kind, object, body::text, before, only_once, moment)
      on conflict (tenant_id, environment, once) where once is not null do nothing;
    end $$`,

  `create function account_for_event(mine account) returns json language sql stable as $$
    select json_strip_nulls(json_build_object(
      'address', mine.address, 'grid_user_id', mine.user_id, 'status', 'active', 'type', mine.type,
      'settings_address', mine.settings_address,
      'email', case when mine.type = 'email' then (select email from app_user where app_user.id = mine.user_id) end,
      'memo', mine.memo,
      'signers', (select coalesce(json_agg(json_build_object('address', signer_address, 'role', role,
          'provider', provider) order by position), '[]')
        from account_signer where account_signer.environment = mine.environment and account_address = mine.address),
      'created_at', wire_instant(mine.created_at), 'updated_at', wire_instant(mine.updated_at))) $$`,
  `create function report_account() returns trigger language plpgsql as $$
    begin
      perform report(new.tenant_id, new.environment, case tg_op when 'INSERT' then 'account.created' else 'account.updated' end,
        new.address, new.updated_at, account_for_event(new));
      return null;
    end $$`,
  `create trigger account_created after insert on account for each row execute function report_account()`,
  `create trigger account_updated after update of updated_at on account for each row execute function report_account()`,

  `create function report_creation() returns trigger language plpgsql as $$
    begin
      perform report(new.tenant_id, new.environment, 'account.creation_failed', new.id, new.created_at,
        json_strip_nulls(json_build_object('id', new.id, 'grid_user_id', new.user_id, 'type', new.type,
          'email', (select email from app_user where app_user.id = new.user_id),
          'created_at', wire_instant(new.created_at))), old.state);
      return null;
    end $$`,
  `create trigger account_creation_failed after update of state on account_creation for each row
    when (new.state = 'failed' and old.state is distinct from new.state) execute function report_creation()`,

  `create function report_submission() returns trigger language plpgsql as $$
    begin
      perform report(new.tenant_id, new.environment,
        'transaction.' || case new.state when 'landed' then 'confirmed' else new.state end, new.id, new.updated_at,
        json_strip_nulls(json_build_object('id', new.id, 'transaction_signature', new.signature,
          'account', new.account_address, 'purpose', new.purpose,
          'status', case new.state when 'landed' then 'confirmed' else new.state end,
          'slot', new.slot, 'confirmed_at', wire_instant(new.block_time * 1000),
          'error', new.failure::json -> 'error', 'created_at', wire_instant(new.created_at))), old.state);
      return null;
    end $$`,
  `create trigger submission_ended after update of state on submission for each row
    when (new.state in ('landed', 'failed', 'expired') and old.state is distinct from new.state
      and new.tenant_id is not null and new.purpose in ('transaction', 'standing_order'))
    execute function report_submission()`,

  `create function report_session_chain() returns trigger language plpgsql as $$
    declare
      person record;
    begin
      select app_user.id, app_user.tenant_id, app_user.environment, session.provider into person
        from session join app_user on app_user.id = session.user_id where session.chain_id = new.id limit 1;
      perform report(person.tenant_id, person.environment, 'session.revoked', new.id, new.ended_at,
        json_build_object('id', new.id, 'grid_user_id', person.id, 'provider', person.provider,
          'revoked_at', wire_instant(new.ended_at)));
      return null;
    end $$`,
  `create trigger session_chain_ended after update of ended_at on session_chain for each row
    when (new.ended_at is not null and old.ended_at is null) execute function report_session_chain()`,

  `create function report_proposal() returns trigger language plpgsql as $$
    declare
      owner account;
      stale int8;
      was text;
      moment int8;
      body json;
    begin
      if tg_op = 'UPDATE' then was := old.status; end if;
      select * into owner from account
        where account.environment = new.environment and account.settings_address = new.settings_address;
      select stale_transaction_index into stale from proposal_watch as watch
        where watch.environment = new.environment and watch.settings_address = new.settings_address;
      moment := coalesce(new.status_timestamp, new.last_modified_at, extract(epoch from clock_timestamp())::int8) * 1000;
      body := json_strip_nulls(json_build_object('proposalAddress', new.proposal_address, 'status', new.status,
        'statusTimestamp', coalesce(new.status_timestamp, new.opened_at, 0), 'approved', new.approved::json,
        'rejected', new.rejected::json, 'cancelled', new.cancelled::json, 'consensusAccount', new.settings_address,
        'consensusAccountType', 'Settings', 'blockTime', wire_instant(new.last_modified_at * 1000),
        'lastModifiedSignature', new.last_modified_signature, 'mainAccountAddress', owner.address,
        'settingsAddress', new.settings_address, 'transactionIndex', new.transaction_index,
        'stale', new.status in ('Active', 'Approved') and new.transaction_index <= coalesce(stale, 0),
        'closed', coalesce(new.chain_status = 'closed', false), 'reclaimedLamports', new.reclaimed_lamports::text,
        'createdAt', wire_instant(new.opened_at * 1000), 'creator', new.creator, 'kind', new.kind));
      if was is null then
        perform report(owner.tenant_id, new.environment, 'proposal.created', new.proposal_address, moment, body);
      end if;
      if new.status is distinct from was and new.status <> 'Active' then
        perform report(owner.tenant_id, new.environment, 'proposal.' || lower(new.status), new.proposal_address, moment, body, was);
      elsif was is not null then
        -- Its status is as old as before; the vote is new.
        perform report(owner.tenant_id, new.environment, 'proposal.voted', new.proposal_address,
          coalesce(new.last_modified_at * 1000, moment), body, was);
      end if;
      return null;
    end $$`,
  `create trigger proposal_seen after insert on proposal for each row when (new.status is not null)
    execute function report_proposal()`,
  `create trigger proposal_moved after update on proposal for each row
    when (new.status is not null and (old.status, old.approved, old.rejected, old.cancelled)
      is distinct from (new.status, new.approved, new.rejected, new.cancelled))
    execute function report_proposal()`,

  `create function report_payment_intent() returns trigger language plpgsql as $$
    declare
      was text;
      carrier submission;
    begin
      if tg_op = 'UPDATE' then was := old.state; end if;
      if was is not null then select * into carrier from submission where submission.id = new.prepared_id; end if;
      perform report(new.tenant_id, new.environment,
        case tg_op when 'INSERT' then 'payment_intent.created' else 'payment_intent.updated' end, new.id, new.updated_at,
        json_strip_nulls(json_build_object('id', new.id, 'state', new.state, 'amount', new.amount, 'currency', new.currency,
          'source', new.source::json, 'destination', new.destination::json,
          'transaction_signature', carrier.signature,
          'confirmed_at', case new.state when 'payment_processed' then wire_instant(carrier.block_time * 1000) end,
          'created_at', wire_instant(new.created_at), 'updated_at', wire_instant(new.updated_at))), was);
      return null;
    end $$`,
  `create trigger payment_intent_created after insert on payment_intent for each row
    execute function report_payment_intent()`,
  `create trigger payment_intent_moved after update of state on payment_intent for each row
    when (old.state is distinct from new.state) execute function report_payment_intent()`,

  `create function report_standing_order() returns trigger language plpgsql as $$
    declare
      was text;
    begin
      if tg_op = 'UPDATE' then was := old.status; end if;
      perform report(new.tenant_id, new.environment,
        'standing_order.' || case when was is null then 'created' when new.status = 'active' then 'activated'
          when new.status = 'inactive' then 'deactivated' else new.status end,
        new.id, new.updated_at,
        json_strip_nulls(json_build_object('id', new.id, 'account', new.account_address, 'status', new.status,
          'reason', new.reason, 'mandate', new.mandate, 'amount', new.amount, 'currency', new.currency,
          'frequency', new.frequency, 'period', new.frequency, 'payment_rail', 'solana', 'source', new.source::json,
          'destination', new.destination::json, 'destinations', json_build_array(new.payee),
          'start_date', wire_instant(new.start_at), 'end_date', wire_instant(new.end_at), 'occurrences', new.occurrences,
          'next_execution_date', wire_instant(new.next_due_at), 'last_execution_date', wire_instant(new.last_paid_at),
          'spending_limit_address', new.spending_limit_address, 'executor_address', new.executor_address,
          'proposal_address', new.proposal_address, 'valid_until', wire_instant(new.valid_until),
          'created_at', wire_instant(new.created_at), 'updated_at', wire_instant(new.updated_at))), was);
      return null;
    end $$`,
  `create trigger standing_order_created after insert on standing_order for each row execute function report_standing_order()`,
  `create trigger standing_order_moved after update of status on standing_order for each row
    when (old.status is distinct from new.status) execute function report_standing_order()`,

  `create function report_standing_order_run() returns trigger language plpgsql as $$
    declare
      mine standing_order;
      was text;
    begin
      if tg_op = 'UPDATE' then was := old.state; end if;
      select * into mine from standing_order where standing_order.id = new.order_id;
      perform report(mine.tenant_id, mine.environment,
        'standing_order_run.' || case new.state when 'retrying' then 'failed' else new.state end,
        new.order_id || '/' || new.due_at, new.updated_at,
        json_strip_nulls(json_build_object('standing_order_id', new.order_id, 'account', mine.account_address,
          'due_at', wire_instant(new.due_at), 'status', case new.state when 'retrying' then 'failed' else new.state end,
          'amount', mine.amount, 'currency', mine.currency, 'attempts', new.attempts, 'will_retry', new.state = 'retrying',
          'paid_at', wire_instant(new.paid_at), 'transaction_signature', new.signature, 'error', new.error)), was);
      return null;
    end $$`,
  `create trigger standing_order_run_begun after insert on standing_order_run for each row
    when (new.state in ('paid', 'missed', 'retrying')) execute function report_standing_order_run()`,
  `create trigger standing_order_run_moved after update of state on standing_order_run for each row
    when (new.state in ('paid', 'missed', 'retrying') and old.state is distinct from new.state)
    execute function report_standing_order_run()`,

  // What can still be rolled back is not reported, and neither is what arrived more than a day before its account began to be
  // followed. How late a deposit is found does not matter: a quiet account is checked once a day.
  `create function report_transfers() returns trigger language plpgsql as $$
    declare
      owner account;
      transfer history_transfer;
      since int8;
    begin
      if new.failed then return null; end if;
      select * into owner from account
        where account.environment = new.environment and account.address = new.account_address;
      select followed_since into since from history_watch as watch
        where watch.environment = new.environment and watch.account_address = new.account_address;
      if new.confirmed_at * 1000 < coalesce(since, owner.created_at) - 86400000 then return null; end if;
      for transfer in
        select * from history_transfer as moved
        where moved.environment = new.environment and moved.account_address = new.account_address
          and moved.signature = new.signature and moved.direction = 'inflow'
        order by moved.position
      loop
        perform report(owner.tenant_id, new.environment, 'transfer.received',
          new.account_address || '/' || new.signature || '/' || transfer.position, new.confirmed_at * 1000,
          json_strip_nulls(json_build_object('account', new.account_address, 'mint', transfer.mint, 'amount', transfer.amount,
            'decimals', transfer.decimals, 'from', transfer.from_address, 'to', transfer.to_address,
            'token_account', case when transfer.own_address <> new.account_address then transfer.own_address end,
            'transaction_signature', new.signature, 'confirmed_at', wire_instant(new.confirmed_at * 1000))),
          -- An index that is made again reads the same transfers again.
          null, 'transfer/' || new.account_address || '/' || new.signature || '/' || transfer.position);
      end loop;
      return null;
    end $$`,
  `create trigger history_transaction_read after insert on history_transaction for each row when (new.finalized)
    execute function report_transfers()`,
  `create trigger history_transaction_finalized after update of finalized on history_transaction for each row
    when (new.finalized and not old.finalized) execute function report_transfers()`,
];
