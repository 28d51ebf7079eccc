-- Every function of the database as it is now. This file is applied behind the migrations, in their transaction, where the
-- database was last given another version of it (`migrate.ts`): change a function here, and only here.
--
-- A line `-- trigger` says when a function is called. Triggers are made by migrations; a test holds these lines against the
-- database. A function with other arguments or another result needs a migration that drops the old one first. Each
-- function ends with a line that ends with `$$;`, and stands behind those that it calls in SQL.

create or replace function wire_instant(instant int8) returns text language sql stable as $$
select to_char(to_timestamp(instant / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

-- As formatUnits (kernel/money.ts); a test compares them.
create or replace function wire_units(amount text, decimals int4) returns text language plpgsql immutable as $$
declare
  digits text;
begin
  if decimals = 0 then return amount; end if;
  digits := lpad(amount, greatest(length(amount), decimals + 1), '0');
  return rtrim(rtrim(left(digits, -decimals) || '.' || right(digits, decimals), '0'), '.');
end $$;

-- As historyId (history/history-page.ts); a test compares them.
create or replace function history_id(parts text) returns text language plpgsql immutable as $$
declare
  digest bytea := sha256(convert_to(parts, 'UTF8'));
begin
  digest := set_byte(set_byte(digest, 6, get_byte(digest, 6) & 15 | 128), 8, get_byte(digest, 8) & 63 | 128);
  return left(encode(digest, 'hex'), 32)::uuid::text;
end $$;

-- A transaction that only repairs what was known before says so, and nothing is reported.
create or replace function report(tenant text, place_of text, kind text, object text, moment int8, body json, before text default null,
  only_once text default null)
returns void language plpgsql as $$
begin
  if tenant is null or coalesce(current_setting('trellis.unreported', true), '') = 'on' then return; end if;
  insert into event (id, tenant_id, environment, type, object_id, data, previous_status, once, created_at)
  values ('evt_' || replace(gen_random_uuid()::text, '-', ''), tenant, place_of, kind, object, body::text, before, only_once, moment)
  on conflict (tenant_id, environment, once) where once is not null do nothing;
end $$;

create or replace function account_for_event(mine account) returns json language sql stable as $$
select json_strip_nulls(json_build_object(
  'address', mine.address, 'grid_user_id', mine.user_id, 'status', 'active', 'type', mine.type,
  'settings_address', mine.settings_address,
  'email', case when mine.type = 'email' then (select email from app_user where app_user.id = mine.user_id) end,
  'memo', mine.memo,
  'created_at', wire_instant(mine.created_at), 'updated_at', wire_instant(mine.updated_at))) $$;

-- trigger account_created AFTER INSERT ON account FOR EACH ROW
-- trigger account_updated AFTER UPDATE OF updated_at ON account FOR EACH ROW
create or replace function report_account() returns trigger language plpgsql as $$
begin
  perform report(new.tenant_id, new.environment, case tg_op when 'INSERT' then 'account.created' else 'account.updated' end,
    new.address, new.updated_at, account_for_event(new));
  return null;
end $$;

-- trigger account_creation_failed AFTER UPDATE OF state ON account_creation FOR EACH ROW WHEN (new.state = 'failed'::text AND old.state IS DISTINCT FROM new.state)
create or replace function report_creation() returns trigger language plpgsql as $$
begin
  perform report(new.tenant_id, new.environment, 'account.creation_failed', new.id, new.created_at,
    json_strip_nulls(json_build_object('grid_user_id', new.user_id, 'type', new.type,
      'email', case when new.type = 'email' then (select email from app_user where app_user.id = new.user_id) end,
      'memo', new.plan::json -> 'memo', 'created_at', wire_instant(new.created_at))), old.state);
  return null;
end $$;

-- trigger submission_ended AFTER UPDATE OF state ON submission FOR EACH ROW WHEN ((new.state = ANY (ARRAY['landed'::text, 'failed'::text, 'expired'::text])) AND old.state IS DISTINCT FROM new.state AND new.tenant_id IS NOT NULL AND (new.purpose = ANY (ARRAY['transaction'::text, 'standing_order'::text])))
create or replace function report_submission() returns trigger language plpgsql as $$
begin
  perform report(new.tenant_id, new.environment,
    'transaction.' || case new.state when 'landed' then 'confirmed' else new.state end, new.id, new.updated_at,
    json_strip_nulls(json_build_object(
      'id', history_id(concat_ws(' ', new.environment, new.account_address, new.signature)), 'account', new.account_address,
      'signature', new.signature, 'status', case new.state when 'landed' then 'confirmed' else new.state end,
      'slot', case new.state when 'landed' then new.slot end,
      'created_at', case new.state when 'landed' then wire_instant(new.block_time * 1000) end,
      'confirmed_at', case new.state when 'landed' then wire_instant(new.block_time * 1000) end, 'error', new.failure::json -> 'error',
      'purpose', new.purpose)), old.state);
  return null;
end $$;

-- trigger session_chain_ended AFTER UPDATE OF ended_at ON session_chain FOR EACH ROW WHEN (new.ended_at IS NOT NULL AND old.ended_at IS NULL)
create or replace function report_session_chain() returns trigger language plpgsql as $$
declare
  person record;
begin
  select app_user.id, app_user.tenant_id, app_user.environment, session.provider, session.chain_started_at,
      session.expires_at, wallet.address into person
    from session join app_user on app_user.id = session.user_id join wallet on wallet.id = session.wallet_id
    where session.chain_id = new.id order by session.state = 'live' desc, session.created_at desc limit 1;
  if not found then
    select null as id, tenant_id, environment, null as provider, created_at as chain_started_at, expires_at, signer_address as address
      into person from wallet_session where id = new.id;
  end if;
  perform report(person.tenant_id, person.environment, 'session.revoked', new.id, new.ended_at,
    json_strip_nulls(json_build_object('id', new.id, 'grid_user_id', person.id, 'provider', person.provider,
      'signer', person.address, 'created_at', wire_instant(person.chain_started_at),
      'last_active_at', wire_instant(new.active_at), 'expires_at', wire_instant(person.expires_at),
      'reason', new.end_reason)));
  return null;
end $$;

-- trigger proposal_moved AFTER UPDATE ON proposal FOR EACH ROW WHEN (new.status IS NOT NULL AND (old.status IS DISTINCT FROM new.status OR old.approved IS DISTINCT FROM new.approved OR old.rejected IS DISTINCT FROM new.rejected OR old.cancelled IS DISTINCT FROM new.cancelled))
-- trigger proposal_seen AFTER INSERT ON proposal FOR EACH ROW WHEN (new.status IS NOT NULL)
create or replace function report_proposal() returns trigger language plpgsql as $$
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
    'createdAt', wire_instant(new.opened_at * 1000), 'creator', new.creator, 'kind', new.kind,
    'batch', case when new.batch_size is not null
      then json_build_object('size', new.batch_size, 'executed', coalesce(new.batch_executed, 0)) end));
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
end $$;

-- Where a proposal stands in lists across accounts: in that of all (no signer), and in those of whose vote it was or is up to. Members change
-- only together with the stale index, so whoever may vote now may vote on all that is not stale; of what is stale, those who voted are known.
create or replace function list_one_proposal(entry proposal) returns void language plpgsql as $$
declare
  owner text;
  electorate json;
  is_votable boolean;
begin
  select tenant_id into owner from account
    where account.environment = entry.environment and account.settings_address = entry.settings_address;
  if owner is null then return; end if;
  -- Who reads the settings at the same time waits, or is waited for: one of the two sees what the other has written. Locks of rows take no
  -- place in the server's table of locks, however many accounts one transaction has.
  perform from proposal_watch as watch
    where watch.environment = entry.environment and watch.settings_address = entry.settings_address for update;
  if not found then
    -- Who makes that row holds the account's, as this does.
    perform from account
      where account.environment = entry.environment and account.settings_address = entry.settings_address for no key update;
  end if;
  select voters::json, entry.transaction_index > stale_transaction_index into electorate, is_votable from proposal_watch as watch
    where watch.environment = entry.environment and watch.settings_address = entry.settings_address;
  if not is_votable or electorate is null then electorate := '[]'; end if;
  if is_votable then
    delete from proposal_listing as listing
      where listing.environment = entry.environment and listing.settings_address = entry.settings_address
        and listing.transaction_index = entry.transaction_index and listing.signer_address <> '' and listing.signer_address not in (
          select json_array_elements_text(electorate) union select json_array_elements_text(entry.approved::json)
          union select json_array_elements_text(entry.rejected::json) union select json_array_elements_text(entry.cancelled::json));
  end if;
  insert into proposal_listing as listing
    select entry.environment, entry.settings_address, entry.transaction_index, signer.address, owner,
      coalesce(entry.opened_at, entry.status_timestamp, 0), entry.status, coalesce(entry.chain_status = 'active', false) and signer.votes
    from (
      select address, bool_or(part = 'may') and not bool_or(part = 'did') as votes from (
        select '' as address, 'all' as part
        union all select signer_address, 'was' from proposal_listing as former
          where former.environment = entry.environment and former.settings_address = entry.settings_address
            and former.transaction_index = entry.transaction_index
        union all select json_array_elements_text(electorate), 'may'
        union all select json_array_elements_text(entry.approved::json), 'did'
        union all select json_array_elements_text(entry.rejected::json), 'did'
        union all select json_array_elements_text(entry.cancelled::json), 'did'
      ) as known group by address
    ) as signer order by signer.address
    on conflict (environment, settings_address, transaction_index, signer_address) do update
      set listed_at = excluded.listed_at, status = excluded.status, waits = excluded.waits
      where (listing.listed_at, listing.status, listing.waits) is distinct from (excluded.listed_at, excluded.status, excluded.waits);
end $$;

-- A proposal that was read, or who votes: what has become stale waits for nobody, and what is open waits for those who vote now. One
-- statement does no more than this for an account with any number of proposals: of those that are open the newest, and of the rows that
-- are stale the newest. What stays is passed over where it is read.
-- trigger proposal_listed_again AFTER UPDATE ON proposal FOR EACH ROW WHEN (new.status IS NOT NULL AND (old.status IS DISTINCT FROM new.status OR old.chain_status IS DISTINCT FROM new.chain_status OR old.approved IS DISTINCT FROM new.approved OR old.rejected IS DISTINCT FROM new.rejected OR old.cancelled IS DISTINCT FROM new.cancelled OR old.opened_at IS DISTINCT FROM new.opened_at OR old.status_timestamp IS DISTINCT FROM new.status_timestamp))
-- trigger proposal_listed_first AFTER INSERT ON proposal FOR EACH ROW WHEN (new.status IS NOT NULL)
-- trigger proposal_voters_found AFTER INSERT ON proposal_watch FOR EACH ROW WHEN (new.voters IS NOT NULL)
-- trigger proposal_voters_moved AFTER UPDATE ON proposal_watch FOR EACH ROW WHEN (old.voters IS DISTINCT FROM new.voters OR old.stale_transaction_index IS DISTINCT FROM new.stale_transaction_index)
create or replace function list_proposals() returns trigger language plpgsql as $$
declare
  entry proposal;
begin
  if tg_table_name = 'proposal' then
    perform list_one_proposal(new);
    return null;
  end if;
  if tg_op = 'INSERT' then
    -- A proposal that was written meanwhile had no row to hold but the account's.
    perform from account
      where account.environment = new.environment and account.settings_address = new.settings_address for no key update;
  end if;
  update proposal_listing as listing set waits = false
    where (listing.environment, listing.settings_address, listing.transaction_index, listing.signer_address) in (
      select stale.environment, stale.settings_address, stale.transaction_index, stale.signer_address from proposal_listing as stale
      where stale.environment = new.environment and stale.settings_address = new.settings_address and stale.waits
        and stale.transaction_index <= new.stale_transaction_index
      order by stale.transaction_index desc limit 2000);
  for entry in select * from proposal
    where proposal.environment = new.environment and proposal.settings_address = new.settings_address
      and proposal.status = 'Active' and proposal.transaction_index > new.stale_transaction_index
    order by proposal.transaction_index desc limit 500
  loop
    perform list_one_proposal(entry);
  end loop;
  return null;
end $$;

-- trigger payment_intent_created AFTER INSERT ON payment_intent FOR EACH ROW
-- trigger payment_intent_moved AFTER UPDATE OF state, updated_at ON payment_intent FOR EACH ROW WHEN (old.state IS DISTINCT FROM new.state OR new.rail IS NOT NULL AND (new.state = ANY (ARRAY['canceled'::text, 'error'::text])) AND old.updated_at IS DISTINCT FROM new.updated_at)
create or replace function report_payment_intent() returns trigger language plpgsql as $$
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
end $$;

-- As dueAt (standing-orders/schedule.ts) for the last due date: months count from the original day. A test compares them.
create or replace function last_due(frequency text, start_at int8, occurrences int4) returns int8 language sql immutable as $$
select (extract(epoch from timestamp 'epoch' + start_at * interval '1 millisecond' + (occurrences - 1) * case frequency
  when 'daily' then interval '1 day' when 'weekly' then interval '7 days' else interval '1 month' end) * 1000)::int8 $$;

-- trigger standing_order_created AFTER INSERT ON standing_order FOR EACH ROW
-- trigger standing_order_limit_came AFTER UPDATE OF mandate, spending_limit_address ON standing_order FOR EACH ROW WHEN (old.status = 'cancelled'::text AND new.status = 'cancelled'::text AND (old.mandate = 'awaited'::text AND (new.mandate = ANY (ARRAY['active'::text, 'revocation_pending'::text])) OR new.mandate = 'active'::text AND (old.mandate IS DISTINCT FROM new.mandate OR old.spending_limit_address IS DISTINCT FROM new.spending_limit_address)))
-- trigger standing_order_moved AFTER UPDATE OF status, reason ON standing_order FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status OR old.reason IS DISTINCT FROM new.reason AND (NOT new.reason IS DISTINCT FROM 'operator'::text OR NOT old.reason IS DISTINCT FROM 'operator'::text AND new.reason IS DISTINCT FROM 'released'::text))
create or replace function report_standing_order() returns trigger language plpgsql as $$
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
      'remaining_amount', case when new.occurrences is not null then (new.amount::numeric
        * case when new.next_index is null then 0 else new.occurrences - new.next_index end)::text end,
      'next_execution_date', wire_instant(coalesce(new.next_due_at,
        last_due(new.frequency, new.start_at, new.occurrences), new.start_at)),
      'last_execution_date', wire_instant(new.last_paid_at),
      'spending_limit_address', new.spending_limit_address, 'executor_address', new.executor_address,
      'proposal_address', new.proposal_address, 'valid_until', wire_instant(new.valid_until),
      'created_at', wire_instant(new.created_at), 'updated_at', wire_instant(new.updated_at))), was);
  return null;
end $$;

-- trigger standing_order_run_begun AFTER INSERT ON standing_order_run FOR EACH ROW WHEN (new.state = ANY (ARRAY['paid'::text, 'missed'::text, 'retrying'::text]))
-- trigger standing_order_run_moved AFTER UPDATE OF state ON standing_order_run FOR EACH ROW WHEN ((new.state = ANY (ARRAY['paid'::text, 'missed'::text, 'retrying'::text])) AND old.state IS DISTINCT FROM new.state)
create or replace function report_standing_order_run() returns trigger language plpgsql as $$
declare
  mine standing_order;
  was text;
begin
  if tg_op = 'UPDATE' then was := old.state; end if;
  select * into mine from standing_order where standing_order.id = new.order_id;
  perform report(mine.tenant_id, mine.environment,
    'standing_order_run.' || case new.state when 'retrying' then 'failed' else new.state end,
    new.order_id || '/' || new.due_at, new.updated_at,
    json_build_object('standing_order_id', new.order_id, 'account', mine.account_address,
      'due_at', wire_instant(new.due_at), 'state', new.state, 'amount', mine.amount, 'currency', mine.currency,
      'attempts', new.attempts, 'paid_at', wire_instant(new.paid_at), 'signature', new.signature, 'error', new.error), was);
  return null;
end $$;

-- What can still be rolled back is not reported, and neither is what came more than a day before its account began to be
-- followed. How late a deposit is found does not matter: a quiet account is looked at once a day.
-- trigger history_transaction_finalized AFTER UPDATE OF finalized ON history_transaction FOR EACH ROW WHEN (new.finalized AND NOT old.finalized)
-- trigger history_transaction_read AFTER INSERT ON history_transaction FOR EACH ROW WHEN (new.finalized)
create or replace function report_transfers() returns trigger language plpgsql as $$
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
      json_build_object('Spl', json_strip_nulls(json_build_object(
        'id', history_id(concat_ws(' ', new.environment, new.account_address, new.signature, transfer.position)),
        'grid_user_id', owner.user_id, 'main_account_address', new.account_address, 'mint', transfer.mint,
        'is_token_2022', transfer.is_token_2022, 'signature', new.signature, 'confirmation_status', 'finalized',
        'token_account', case when transfer.own_address <> new.account_address then transfer.own_address end,
        'from_address', transfer.from_address, 'to_address', transfer.to_address, 'amount', transfer.amount,
        'ui_amount', wire_units(transfer.amount, transfer.decimals), 'decimals', transfer.decimals,
        'confirmed_at', wire_instant(new.confirmed_at * 1000), 'created_at', wire_instant(new.confirmed_at * 1000),
        'updated_at', wire_instant(new.confirmed_at * 1000), 'direction', transfer.direction,
        'environment', new.environment, 'instruction_index', transfer.instruction_index))),
      -- An index that is made again reads the same transfers again.
      null, 'transfer/' || new.account_address || '/' || new.signature || '/' || transfer.position);
  end loop;
  return null;
end $$;

-- trigger rail_verification_moved AFTER UPDATE ON rail_verification FOR EACH ROW WHEN (new.partner_ref IS NOT NULL AND (old.partner_ref IS NULL OR old.status IS DISTINCT FROM new.status OR old.terms IS DISTINCT FROM new.terms OR old.endorsements IS DISTINCT FROM new.endorsements))
create or replace function report_rail_verification() returns trigger language plpgsql as $$
declare
  was text;
begin
  if old.partner_ref is not null then was := old.status; end if;
  perform report(new.tenant_id, new.environment, case when was is null then 'kyc.created' else 'kyc.updated' end,
    new.id, new.updated_at,
    json_build_object('id', new.id, 'account', new.account_address, 'type', new.type, 'status', new.status,
      'tos_status', new.terms, 'endorsements', new.endorsements::json,
      'created_at', wire_instant(new.created_at), 'updated_at', wire_instant(new.updated_at)), was);
  return null;
end $$;

create or replace function deposit_rank(state text) returns int4 language sql immutable as $$
select case state when 'scheduled' then 0 when 'received' then 1 when 'in_review' then 2 when 'submitted' then 3
  when 'processed' then 4 when 'not_credited' then 4 when 'refunded' then 5 end $$;

-- Adds transfers to the sums of their account, or takes them away again. What nothing is left of goes: sums are of the rows that are there.
-- Rows are changed in the order of their key, so that two who change the same ones wait for each other, and no longer.
-- trigger history_transfer_added AFTER INSERT ON history_transfer REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
-- trigger history_transfer_removed AFTER DELETE ON history_transfer REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
create or replace function sum_transfers() returns trigger language plpgsql as $$
declare
  sign int := case tg_op when 'DELETE' then -1 else 1 end;
begin
  insert into history_sum as kept
    (environment, account_address, span, mint, starts_at, decimals, transfers, received, sent)
  select changed.environment, changed.account_address, part.span, changed.mint, part.starts_at, max(changed.decimals),
    sign * count(*),
    sign * coalesce(sum(changed.amount::numeric) filter (where changed.direction = 'inflow'), 0),
    sign * coalesce(sum(changed.amount::numeric) filter (where changed.direction = 'outflow'), 0)
  from changed cross join lateral (values
    ('all', 0::int8),
    ('day', changed.confirmed_at - changed.confirmed_at % 86400),
    ('hour', changed.confirmed_at - changed.confirmed_at % 3600)
  ) as part (span, starts_at)
  group by 1, 2, 3, 4, 5
  order by 1, 2, 3, 4, 5
  on conflict (environment, account_address, span, mint, starts_at) do update set
    transfers = kept.transfers + excluded.transfers,
    received = kept.received + excluded.received,
    sent = kept.sent + excluded.sent;
  if tg_op = 'DELETE' then
    delete from history_sum as kept using (
      select distinct changed.environment, changed.account_address, part.span, changed.mint, part.starts_at
      from changed cross join lateral (values
        ('all', 0::int8),
        ('day', changed.confirmed_at - changed.confirmed_at % 86400),
        ('hour', changed.confirmed_at - changed.confirmed_at % 3600)
      ) as part (span, starts_at)
    ) as part
    where kept.transfers = 0
      and (kept.environment, kept.account_address, kept.span, kept.mint, kept.starts_at)
        = (part.environment, part.account_address, part.span, part.mint, part.starts_at);
  end if;
  return null;
end $$;

-- What a deposit's payment brought, and when, as the index of the account's history has it; nothing before it is final.
create or replace function payment_of_deposit(place_of text, account text, hash text, of_mint text)
returns table (received text, confirmed_at int8) language sql stable as $$
  select sum(t.amount::numeric)::text, max(h.confirmed_at) from history_transaction h
  join history_transfer t on (t.environment, t.account_address, t.signature) = (h.environment, h.account_address, h.signature)
  where h.environment = place_of and h.account_address = account and h.signature = hash and h.finalized and not h.failed
    and t.direction = 'inflow' and t.mint = of_mint
  having count(*) > 0 $$;

-- Whichever comes last, the partner's word or the chain's, joins the two.
-- trigger deposits_credited_final AFTER UPDATE ON history_transaction REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT
-- trigger deposits_credited_new AFTER INSERT ON history_transaction REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT
create or replace function credit_deposits() returns trigger language plpgsql as $$
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
end $$;

-- trigger virtual_account_moved AFTER UPDATE ON rail_virtual_account FOR EACH ROW WHEN (new.partner_ref IS NOT NULL AND (old.partner_ref IS NULL OR old.status IS DISTINCT FROM new.status OR old.updated_at <> new.updated_at))
create or replace function report_virtual_account() returns trigger language plpgsql as $$
begin
  perform report(new.tenant_id, new.environment,
    case when old.partner_ref is null then 'virtual_account.created' else 'virtual_account.updated' end, new.id,
    new.updated_at,
    json_strip_nulls(json_build_object('id', new.id, 'account', new.account_address, 'grid_user_id', new.user_id,
      'status', new.status, 'currency', new.currency, 'payment_rails', new.rails::json,
      'destination', json_build_object('address', new.account_address, 'currency', new.coin, 'payment_rail', 'solana'),
      'last_4', new.last4, 'developer_fee_percent', coalesce(new.fee_percent, '0'),
      'created_at', wire_instant(new.created_at), 'updated_at', wire_instant(new.updated_at))), old.status);
  return null;
end $$;

-- trigger deposit_moved AFTER UPDATE ON rail_deposit FOR EACH ROW WHEN (old.state <> new.state OR old.confirmed_at IS NULL AND new.confirmed_at IS NOT NULL)
-- trigger deposit_seen AFTER INSERT ON rail_deposit FOR EACH ROW
create or replace function report_deposit() returns trigger language plpgsql as $$
declare
  was text;
begin
  if tg_op = 'UPDATE' then was := old.state; end if;
  perform report(new.tenant_id, new.environment,
    case tg_op when 'INSERT' then 'deposit.created' else 'deposit.updated' end, new.id, new.updated_at,
    json_strip_nulls(json_build_object('id', new.id, 'virtual_account_id', new.virtual_account_id,
      'account', new.account_address, 'state', new.state, 'amount', new.amount, 'currency', new.currency,
      'payment_rail', new.rail, 'fees', new.fees::json,
      'destination', json_build_object('address', new.account_address, 'currency', new.coin, 'payment_rail', 'solana'),
      'transaction_signature', new.signature, 'credited', new.confirmed_at is not null,
      'received', case when new.received is not null then json_build_object('amount', new.received,
        'ui_amount', wire_units(new.received, new.decimals), 'confirmed_at', wire_instant(new.confirmed_at * 1000)) end,
      'created_at', wire_instant(new.created_at), 'updated_at', wire_instant(new.updated_at))), was);
  return null;
end $$;

-- Nor for a pay-in and a deposit: whoever credits one holds it until it has committed, and looks then.
create or replace function is_payment_taken(place text, account text, hash text, but text) returns boolean language sql stable as $$
select exists (select from rail_transfer t where t.environment = place and t.account_address = account
    and t.signature = hash and t.credited_at is not null and t.id <> but)
  or exists (select from rail_deposit d where d.environment = place and d.account_address = account
    and d.signature = hash and d.confirmed_at is not null and d.id <> but) $$;

-- A row that loses is left as it was.
-- trigger deposit_credited_once BEFORE UPDATE ON rail_deposit FOR EACH ROW WHEN (old.confirmed_at IS NULL AND new.confirmed_at IS NOT NULL)
-- trigger transfer_credited_once BEFORE UPDATE ON rail_transfer FOR EACH ROW WHEN (old.credited_at IS NULL AND new.credited_at IS NOT NULL)
create or replace function credit_once() returns trigger language plpgsql as $$
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
end $$;

-- Whoever has read the row before reads it again.
-- trigger payment_intent_over AFTER UPDATE OF state ON payment_intent FOR EACH ROW WHEN (new.rail = 'out'::text AND (new.state = ANY (ARRAY['canceled'::text, 'error'::text])) AND old.state IS DISTINCT FROM new.state)
create or replace function end_rail_transfer() returns trigger language plpgsql as $$
begin
  update rail_transfer set look_at = 0, version = version + 1
    where id = new.id and told in ('awaiting_funds', 'in_review');
  return null;
end $$;

-- trigger external_account_gone AFTER DELETE ON rail_external_account FOR EACH ROW WHEN (old.partner_ref IS NOT NULL)
-- trigger external_account_moved AFTER UPDATE ON rail_external_account FOR EACH ROW WHEN (new.partner_ref IS NOT NULL AND (old.partner_ref IS NULL OR old.active <> new.active))
create or replace function report_external_account() returns trigger language plpgsql as $$
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
end $$;

-- trigger submission_changed_settings AFTER UPDATE OF state ON submission FOR EACH ROW WHEN (new.changes_settings AND new.state = 'landed'::text AND old.state IS DISTINCT FROM new.state)
create or replace function note_changed_settings() returns trigger language plpgsql as $$
begin
  update account set members_due = greatest(members_due, coalesce(new.slot, 0))
    where environment = new.environment and address = new.account_address;
  return null;
end $$;

-- In the order of rails/transfer-states.ts; test/states.test.ts compares them.
create or replace function payout_rank(state text) returns int4 language sql immutable as $$
select case state when 'awaiting_funds' then 0 when 'in_review' then 1 when 'funds_received' then 2
  when 'payment_submitted' then 3 when 'returned' then 5 when 'refunded' then 6 else 4 end $$;

-- trigger payout_begun AFTER INSERT ON rail_payout FOR EACH ROW
-- trigger payout_moved AFTER UPDATE OF state ON rail_payout FOR EACH ROW WHEN (old.state IS DISTINCT FROM new.state)
create or replace function report_payout() returns trigger language plpgsql as $$
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
end $$;

-- Why nothing may be sent to this address now; null: it may.
create or replace function payout_hold(wanted text) returns text language sql stable as $$
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
from (select wanted as id) as asked left join rail_payout_address as place on place.id = asked.id $$;

-- What is under way is seen to its end, as for a suspension (gap 111); nothing new is signed for an order that is inactive.
create or replace function stop_bank_orders(wanted text, happened int8) returns void language plpgsql as $$
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
end $$;

-- trigger payout_address_off AFTER UPDATE OF status ON rail_payout_address FOR EACH ROW WHEN (old.status = 'activated'::text AND new.status IS DISTINCT FROM 'activated'::text)
create or replace function payout_address_moved() returns trigger language plpgsql as $$
begin
  perform stop_bank_orders(new.id, new.updated_at);
  return null;
end $$;

-- All orders at once and by their ids, as whoever pays holds them: so nobody waits in a circle.
-- trigger external_account_lost AFTER DELETE ON rail_external_account FOR EACH ROW WHEN (old.partner_ref IS NOT NULL)
-- trigger external_account_off AFTER UPDATE OF removed_at, active ON rail_external_account FOR EACH ROW WHEN (new.removed_at IS NOT NULL OR NOT new.active)
create or replace function payee_moved() returns trigger language plpgsql as $$
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
end $$;

-- trigger verification_taken_back AFTER UPDATE OF status, terms, endorsements ON rail_verification FOR EACH ROW WHEN (old.status = 'approved'::text AND (new.status <> old.status OR new.terms <> old.terms OR new.endorsements <> old.endorsements))
create or replace function approval_moved() returns trigger language plpgsql as $$
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
end $$;

-- As mayFollow in rails/transfer-states.ts; test/states.test.ts compares them.
create or replace function payout_follows(known text, known_back boolean, told text, told_back boolean) returns boolean
language sql immutable as $$
select case
  when known = 'error' and known_back then told = 'refunded'
  when known in ('canceled', 'error') and told in ('funds_received', 'payment_submitted', 'payment_processed',
    'undeliverable') then true
  when known in ('canceled', 'error') and told = 'error' and told_back then true
  when told = 'error' and (known in ('undeliverable', 'returned') or (known = 'payment_processed' and told_back)) then true
  else payout_rank(told) > payout_rank(known) end $$;

-- Why a payment is canceled or in error, by what is known now: for its events, and for whoever reads it.
create or replace function payment_intent_error(of_id text, of_state text, of_rail text, prepared text, ended text)
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
end $$;

-- The transaction of a payment whose partner ended it first has its own end later. Locks are taken as everywhere: the
-- submission, its intent, its transfer.
-- trigger submission_ended_late AFTER UPDATE OF state ON submission FOR EACH ROW WHEN (new.purpose = 'transaction'::text AND (old.state = ANY (ARRAY['signed'::text, 'sent'::text])) AND (new.state = ANY (ARRAY['landed'::text, 'failed'::text, 'expired'::text])))
create or replace function end_late_submission() returns trigger language plpgsql as $$
declare
  ended text;
begin
  update payment_intent set updated_at = greatest(updated_at + 1, new.updated_at)
    where prepared_id = new.id and rail = 'out' and state in ('canceled', 'error') returning id into ended;
  if ended is not null then
    update rail_transfer set look_at = 0, version = version + 1 where id = ended and state in ('canceled', 'error');
  end if;
  return null;
end $$;

create or replace function share_of_deposit(mine rail_deposit) returns text language plpgsql as $$
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
end $$;

-- Who ends a session asks the custodian at once. After a while somebody else does.
-- trigger session_chain_keys AFTER UPDATE OF end_reason ON session_chain FOR EACH ROW WHEN (old.end_reason IS NULL AND new.end_reason IS NOT NULL)
create or replace function note_key_removals() returns trigger language plpgsql as $$
begin
  insert into key_removal (session_id, tenant_id, environment, attempt_at)
    select session.id, app_user.tenant_id, app_user.environment, new.ended_at + 20000
    from session join app_user on app_user.id = session.user_id
    where session.chain_id = new.id and session.key_revoked_at is null and session.expires_at > new.ended_at
    on conflict (session_id) do nothing;
  return null;
end $$;

-- trigger session_key_removed AFTER UPDATE OF key_revoked_at ON session FOR EACH ROW WHEN (new.key_revoked_at IS NOT NULL)
create or replace function forget_key_removal() returns trigger language plpgsql as $$
begin
  delete from key_removal where session_id = new.id;
  return null;
end $$;

-- What is logged is part of the transaction that changes it. `about` names what was changed, `person` whose it is; who did it is in the
-- setting of the transaction, where the service knows. The salt keeps all hashes from being guessed once the body is deleted.
create or replace function audit(tenant text, place_of text, what text, about text, person text, details json)
returns void language plpgsql as $$
declare
  own_salt bytea := sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'));
  own_body text := json_strip_nulls(json_build_object('tenant', tenant, 'environment', place_of, 'subject', about, 'user', person,
    'actor', nullif(current_setting('trellis.actor', true), ''), 'details', details))::text;
begin
  insert into audit_entry (tenant_id, environment, kind, subject, user_id, at, salt, body, subject_hash, body_hash)
  values (tenant, place_of, what, about, person, floor(extract(epoch from clock_timestamp()) * 1000)::int8, own_salt, own_body,
    sha256(own_salt || convert_to(about, 'UTF8')), sha256(own_salt || convert_to(own_body, 'UTF8')));
end $$;

-- A key of mainnet is that environment's; the others are of all that a test key opens.
-- trigger audit_api_key_created AFTER INSERT ON api_key FOR EACH ROW
-- trigger audit_api_key_changed AFTER UPDATE OF disabled_at, revoked_at, scopes, environments, expires_at, allowed_origins, allowed_addresses ON api_key FOR EACH ROW WHEN (old.disabled_at IS DISTINCT FROM new.disabled_at OR old.revoked_at IS DISTINCT FROM new.revoked_at OR old.scopes IS DISTINCT FROM new.scopes OR old.environments IS DISTINCT FROM new.environments OR old.expires_at IS DISTINCT FROM new.expires_at OR old.allowed_origins IS DISTINCT FROM new.allowed_origins OR old.allowed_addresses IS DISTINCT FROM new.allowed_addresses)
create or replace function audit_api_key() returns trigger language plpgsql as $$
declare
  what text := 'changed';
begin
  if tg_op = 'INSERT' then what := 'created';
  elsif old.revoked_at is null and new.revoked_at is not null then what := 'revoked';
  elsif old.disabled_at is null and new.disabled_at is not null then what := 'disabled';
  elsif old.disabled_at is not null and new.disabled_at is null then what := 'enabled'; end if;
  perform audit(new.tenant_id, case when new.environments::jsonb ? 'mainnet' then 'mainnet' end, 'api_key.' || what, 'api_key/' || new.id,
    null, json_build_object('kind', new.kind, 'visible_prefix', new.visible_prefix, 'scopes', new.scopes::json,
      'environments', new.environments::json, 'allowed_origins', new.allowed_origins, 'allowed_addresses', new.allowed_addresses,
      'origin', new.origin, 'expires_at', wire_instant(new.expires_at)));
  return null;
end $$;

-- trigger audit_tenant_created AFTER INSERT ON tenant FOR EACH ROW
-- trigger audit_tenant_changed AFTER UPDATE OF disabled_at, session_idle_seconds, one_session, relying_party ON tenant FOR EACH ROW WHEN (old.disabled_at IS DISTINCT FROM new.disabled_at OR old.session_idle_seconds IS DISTINCT FROM new.session_idle_seconds OR old.one_session IS DISTINCT FROM new.one_session OR old.relying_party IS DISTINCT FROM new.relying_party)
create or replace function audit_tenant() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform audit(new.id, null, 'tenant.created', 'tenant/' || new.id, null, json_build_object('name', new.name));
    return null;
  end if;
  if (old.disabled_at is null) <> (new.disabled_at is null) then
    perform audit(new.id, null, case when new.disabled_at is null then 'tenant.enabled' else 'tenant.disabled' end,
      'tenant/' || new.id, null, null);
  end if;
  if (old.session_idle_seconds, old.one_session) is distinct from (new.session_idle_seconds, new.one_session) then
    perform audit(new.id, null, 'session_policy.changed', 'tenant/' || new.id, null,
      json_build_object('idle_seconds', new.session_idle_seconds, 'one_session', new.one_session,
        'before', json_build_object('idle_seconds', old.session_idle_seconds, 'one_session', old.one_session)));
  end if;
  if old.relying_party is distinct from new.relying_party then
    perform audit(new.id, null, 'relying_party.changed', 'tenant/' || new.id, null,
      json_build_object('relying_party', new.relying_party::json, 'before', old.relying_party::json));
  end if;
  return null;
end $$;

-- trigger audit_domain_confirmed AFTER UPDATE OF confirmed_relying_party ON tenant FOR EACH ROW WHEN (old.confirmed_relying_party IS DISTINCT FROM new.confirmed_relying_party)
create or replace function audit_confirmed_domain() returns trigger language plpgsql as $$
begin
  perform audit(new.id, null, 'relying_party.changed', 'tenant/' || new.id, null,
    json_build_object('confirmed', new.confirmed_relying_party, 'before', json_build_object('confirmed', old.confirmed_relying_party)));
  return null;
end $$;

-- trigger audit_member_invited AFTER INSERT ON member FOR EACH ROW
-- trigger audit_member_changed AFTER UPDATE OF role, status, is_operator, environments, passkey_required ON member FOR EACH ROW WHEN (old.role IS DISTINCT FROM new.role OR old.status IS DISTINCT FROM new.status OR old.is_operator IS DISTINCT FROM new.is_operator OR old.environments IS DISTINCT FROM new.environments OR old.passkey_required IS DISTINCT FROM new.passkey_required)
-- trigger audit_member_removed AFTER DELETE ON member FOR EACH ROW
create or replace function audit_member() returns trigger language plpgsql as $$
declare
  held member := new;
  what text := 'changed';
begin
  if tg_op = 'INSERT' then what := 'invited';
  elsif tg_op = 'DELETE' then what := 'removed'; held := old; end if;
  perform audit(held.tenant_id, null, 'member.' || what, 'member/' || held.id, null,
    json_build_object('role', held.role, 'status', held.status, 'is_operator', held.is_operator,
      'environments', held.environments::json, 'passkey_required', held.passkey_required));
  return null;
end $$;

-- trigger audit_member_passkey_added AFTER INSERT ON member_passkey FOR EACH ROW
-- trigger audit_member_passkey_removed AFTER DELETE ON member_passkey FOR EACH ROW
create or replace function audit_member_passkey() returns trigger language plpgsql as $$
declare
  held member_passkey := new;
  what text := 'added';
  tenant text;
begin
  if tg_op = 'DELETE' then what := 'removed'; held := old; end if;
  select tenant_id into tenant from member where id = held.member_id;
  -- With its member, whose entry says so.
  if tenant is null then return null; end if;
  perform audit(tenant, null, 'member.passkey_' || what, 'member/' || held.member_id, null,
    json_build_object('passkey', held.id, 'credential_id', held.credential_id));
  return null;
end $$;

-- trigger audit_member_link_issued AFTER INSERT ON member_secret FOR EACH ROW WHEN (new.kind <> 'code'::text)
create or replace function audit_member_secret() returns trigger language plpgsql as $$
begin
  perform audit((select tenant_id from member where id = new.member_id), null, 'member.link_issued', 'member/' || new.member_id,
    null, json_build_object('kind', new.kind, 'expires_at', wire_instant(new.expires_at)));
  return null;
end $$;

-- trigger audit_member_signed_in AFTER INSERT ON member_session FOR EACH ROW
create or replace function audit_member_session() returns trigger language plpgsql as $$
begin
  perform audit((select tenant_id from member where id = new.member_id), null, 'member.signed_in', 'member/' || new.member_id,
    null, json_build_object('expires_at', wire_instant(new.expires_at), 'passkey', new.passkey_id));
  return null;
end $$;

-- trigger audit_account_defaults_changed AFTER UPDATE OF default_protection, recovery_address ON tenant FOR EACH ROW WHEN (old.default_protection IS DISTINCT FROM new.default_protection OR old.recovery_address IS DISTINCT FROM new.recovery_address)
create or replace function audit_account_defaults() returns trigger language plpgsql as $$
begin
  perform audit(new.id, null, 'account_defaults.changed', 'tenant/' || new.id, null,
    json_build_object('protection', new.default_protection, 'recovery', new.recovery_address,
      'before', json_build_object('protection', old.default_protection, 'recovery', old.recovery_address)));
  return null;
end $$;

-- trigger audit_treasury_page_changed AFTER UPDATE OF treasury_page ON tenant FOR EACH ROW WHEN (old.treasury_page IS DISTINCT FROM new.treasury_page)
-- Its logo is a picture, and is not repeated in the log.
create or replace function audit_treasury_page() returns trigger language plpgsql as $$
begin
  perform audit(new.id, null, 'treasury_page.changed', 'tenant/' || new.id, null,
    json_build_object('treasury_page', (new.treasury_page::jsonb - 'logo')::json, 'before', (old.treasury_page::jsonb - 'logo')::json));
  return null;
end $$;

-- trigger audit_proposal_mails_changed AFTER UPDATE OF proposal_mails ON tenant FOR EACH ROW WHEN (old.proposal_mails IS DISTINCT FROM new.proposal_mails)
create or replace function audit_proposal_mails() returns trigger language plpgsql as $$
begin
  perform audit(new.id, null, 'proposal_mails.changed', 'tenant/' || new.id, null,
    json_build_object('proposal_mails', new.proposal_mails::json, 'before', old.proposal_mails::json));
  return null;
end $$;

-- Where a tenant wants mails about proposals: what happens from now on is handed on. A tenant that comes with an archive wants what it wanted.
-- trigger proposal_mails_moved AFTER UPDATE OF proposal_mails ON tenant FOR EACH ROW WHEN (old.proposal_mails IS DISTINCT FROM new.proposal_mails)
-- trigger proposal_mails_on AFTER INSERT ON tenant FOR EACH ROW WHEN (new.proposal_mails IS NOT NULL)
create or replace function follow_proposal_news() returns trigger language plpgsql as $$
declare
  wanted text[] := array(select json_array_elements_text(new.proposal_mails::json -> 'environments'));
begin
  -- What hands on news at this moment is waited for: it leaves nothing behind.
  delete from proposal_mail_feed where tenant_id = new.id and environment <> all(wanted);
  delete from proposal_mail where tenant_id = new.id and environment <> all(wanted);
  insert into proposal_mail_feed (tenant_id, environment, seen_place)
    select new.id, name, (select next_place - 1 from event_feed where id = 1) from unnest(wanted) as name
    on conflict (tenant_id, environment) do nothing;
  return null;
end $$;

-- Unconditionally: what hands on the tenant's news at this moment may not have seen this, and leaves a row due that has changed.
-- trigger proposal_news_placed AFTER UPDATE OF place ON event FOR EACH ROW WHEN (old.place IS NULL AND new.place IS NOT NULL AND (new.type = ANY (ARRAY['proposal.created'::text, 'proposal.approved'::text, 'proposal.executed'::text])))
create or replace function note_proposal_news() returns trigger language plpgsql as $$
begin
  update proposal_mail_feed set due_at = least(due_at, (extract(epoch from clock_timestamp()) * 1000)::int8)
    where tenant_id = new.tenant_id and environment = new.environment;
  return null;
end $$;

-- trigger audit_wallet_root_created AFTER INSERT ON wallet_root FOR EACH ROW
-- trigger audit_wallet_root_retired AFTER UPDATE OF retired_at ON wallet_root FOR EACH ROW WHEN (old.retired_at IS NULL AND new.retired_at IS NOT NULL)
create or replace function audit_wallet_root() returns trigger language plpgsql as $$
begin
  perform audit(null, null, 'wallet_root.' || case when tg_op = 'INSERT' then 'created' else 'retired' end,
    'wallet_root/' || new.provider || '/' || new.generation, null,
    json_build_object('provider', new.provider, 'generation', new.generation, 'used_from', wire_instant(new.used_from)));
  return null;
end $$;

-- trigger audit_label AFTER INSERT OR DELETE OR UPDATE ON label FOR EACH ROW
create or replace function audit_label() returns trigger language plpgsql as $$
declare
  mine label;
begin
  if tg_op = 'DELETE' then mine := old; else mine := new; end if;
  perform audit(mine.tenant_id, mine.environment,
    'label.' || case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'changed' else 'removed' end, 'label/' || mine.address,
    (select user_id from account where account.environment = mine.environment and account.address = mine.account_address),
    json_build_object('address', mine.address, 'account', nullif(mine.account_address, ''),
      'name', case when tg_op <> 'DELETE' then mine.name end, 'note', case when tg_op <> 'DELETE' then mine.note end,
      'before', case when tg_op = 'INSERT' then null else json_build_object('name', old.name, 'note', old.note) end));
  return null;
end $$;

-- trigger audit_identity_key_created AFTER INSERT ON identity_key FOR EACH ROW
create or replace function audit_identity_key() returns trigger language plpgsql as $$
begin
  perform audit(null, null, 'identity_key.created', 'identity_key/' || new.id, null,
    json_build_object('x', new.x, 'y', new.y, 'signs_from', wire_instant(new.signs_from)));
  return null;
end $$;

create or replace function audit_remote_key(opened session, what text) returns void language plpgsql as $$
declare
  held record;
begin
  select wallet.address, wallet.environment, app_user.tenant_id into held
    from wallet left join app_user on app_user.id = wallet.owner_id where wallet.id = opened.wallet_id;
  perform audit(held.tenant_id, held.environment, 'authorization_key.' || what, 'authorization_key/' || opened.authorization_key_id,
    opened.user_id, json_build_object('wallet', held.address, 'provider', opened.provider,
      'public_key', encode(opened.authorization_public_key, 'hex'), 'expires_at', wire_instant(opened.expires_at)));
end $$;

-- trigger audit_session_opened AFTER INSERT ON session FOR EACH ROW
create or replace function audit_session() returns trigger language plpgsql as $$
declare
  owner app_user;
begin
  select * into owner from app_user where id = new.user_id;
  -- Of a custodian in a process of its own this row is all that is known of the key.
  if not exists (select from kms_wallet where kms_wallet.id = new.wallet_id) then
    perform audit_remote_key(new, 'granted');
  end if;
  perform audit(owner.tenant_id, owner.environment,
    case when new.parent_id is null then 'session.opened' else 'session.refreshed' end, 'session/' || new.chain_id, owner.id,
    json_build_object('provider', new.provider, 'authorization_key', new.authorization_key_id,
      'authorization_public_key', encode(new.authorization_public_key, 'hex'),
      'client_public_key', encode(new.client_public_key, 'hex'), 'expires_at', wire_instant(new.expires_at)));
  return null;
end $$;

-- trigger audit_wallet_session_opened AFTER INSERT ON wallet_session FOR EACH ROW
create or replace function audit_wallet_session() returns trigger language plpgsql as $$
begin
  perform audit(new.tenant_id, new.environment, 'session.opened', 'session/' || new.id, null,
    json_build_object('wallet', new.signer_address, 'origin', new.origin, 'expires_at', wire_instant(new.expires_at)));
  return null;
end $$;

-- trigger audit_session_chain_ended AFTER UPDATE OF end_reason ON session_chain FOR EACH ROW WHEN (old.end_reason IS NULL AND new.end_reason IS NOT NULL)
create or replace function audit_session_chain() returns trigger language plpgsql as $$
declare
  owner app_user;
begin
  select app_user.* into owner from session join app_user on app_user.id = session.user_id
    where session.chain_id = new.id limit 1;
  if not found then
    select tenant_id, environment into owner.tenant_id, owner.environment from wallet_session where id = new.id;
  end if;
  perform audit(owner.tenant_id, owner.environment, 'session.ended', 'session/' || new.id, owner.id,
    json_build_object('reason', new.end_reason, 'ended_at', wire_instant(new.ended_at)));
  return null;
end $$;

-- trigger record_built_in_wallet AFTER INSERT ON kms_wallet FOR EACH ROW
create or replace function record_wallet() returns trigger language plpgsql as $$
begin
  insert into wallet (id, provider, owner_id, environment, address, created_at, number, commanded_by, imported_at)
    values (new.id, new.provider, new.owner_id, new.environment, new.address, new.created_at, new.number, new.commanded_by,
      new.imported_at)
    on conflict do nothing;
  return null;
end $$;

-- trigger audit_authorization_key_granted AFTER INSERT ON kms_authorization_key FOR EACH ROW
-- trigger audit_authorization_key_revoked AFTER UPDATE OF revoked_at ON kms_authorization_key FOR EACH ROW WHEN (old.revoked_at IS DISTINCT FROM new.revoked_at)
create or replace function audit_authorization_key() returns trigger language plpgsql as $$
declare
  held record;
begin
  select wallet.address, wallet.provider, wallet.environment, app_user.tenant_id, app_user.id as user_id into held
    from wallet left join app_user on app_user.id = wallet.owner_id where wallet.id = new.wallet_id;
  perform audit(held.tenant_id, held.environment,
    'authorization_key.' || case when tg_op = 'INSERT' then 'granted' when new.revoked_at is null then 'restored' else 'revoked' end,
    'authorization_key/' || new.id, held.user_id,
    json_build_object('wallet', held.address, 'provider', held.provider, 'public_key', encode(new.public_key, 'hex'),
      'expires_at', wire_instant(new.expires_at)));
  return null;
end $$;

-- trigger audit_passkey_added AFTER INSERT ON passkey FOR EACH ROW
-- trigger audit_passkey_removed AFTER UPDATE OF removed_at ON passkey FOR EACH ROW WHEN (old.removed_at IS DISTINCT FROM new.removed_at)
create or replace function audit_passkey() returns trigger language plpgsql as $$
begin
  perform audit(new.tenant_id, new.environment,
    'passkey.' || case when new.removed_at is not null then 'removed' when tg_op = 'INSERT' then 'added' else 'restored' end,
    'passkey/' || new.id, new.user_id,
    json_build_object('wallet', new.signer_address, 'provider', new.provider, 'credential_id', new.credential_id,
      'public_key', encode(new.public_key, 'hex'), 'rp_id', new.rp_id));
  return null;
end $$;

-- trigger audit_account_signer_removed AFTER DELETE ON account_signer FOR EACH ROW
create or replace function audit_account_signer() returns trigger language plpgsql as $$
declare
  owner account;
begin
  select * into owner from account
    where account.environment = old.environment and account.address = old.account_address;
  perform audit(owner.tenant_id, old.environment, 'account.signer_removed', 'account/' || old.account_address, owner.user_id,
    json_build_object('signer', old.signer_address, 'provider', old.provider, 'role', old.role));
  return null;
end $$;

-- Whom a key signs for, as lists of accounts find it: account and signer of one row.
-- trigger signed_account_removed AFTER DELETE ON account_signer FOR EACH ROW
create or replace function list_signed_account() returns trigger language plpgsql as $$
begin
  delete from signed_account using account
    where account.environment = old.environment and account.address = old.account_address
      and signed_account.tenant_id = account.tenant_id and signed_account.environment = account.environment
      and signed_account.signer_address = old.signer_address and signed_account.type = account.type
      and signed_account.created_at = account.created_at and signed_account.account_address = account.address;
  return null;
end $$;

-- Enters the signers that a statement has added, of all of its accounts at once. Accounts are found one by one, by their key, whatever the
-- server knows of how many there are.
-- trigger audit_account_signer_added AFTER INSERT ON account_signer REFERENCING NEW TABLE AS added FOR EACH STATEMENT
create or replace function audit_added_signers() returns trigger language plpgsql as $$
begin
  perform audit(owner.tenant_id, added.environment, 'account.signer_added', 'account/' || added.account_address, owner.user_id,
      json_build_object('signer', added.signer_address, 'provider', added.provider, 'role', added.role))
    from added left join lateral (
      select * from account where account.environment = added.environment and account.address = added.account_address offset 0
    ) as owner on true
    order by added.account_address, added.position;
  return null;
end $$;

-- Lists them.
-- trigger signed_account_added AFTER INSERT ON account_signer REFERENCING NEW TABLE AS added FOR EACH STATEMENT
create or replace function list_added_signers() returns trigger language plpgsql as $$
begin
  insert into signed_account (tenant_id, environment, signer_address, type, created_at, account_address)
    select owner.tenant_id, owner.environment, added.signer_address, owner.type, owner.created_at, owner.address
    from added cross join lateral (
      select * from account where account.environment = added.environment and account.address = added.account_address offset 0
    ) as owner
    order by added.account_address, added.position
    on conflict do nothing;
  return null;
end $$;

-- A transaction that may have changed which spending limits an account has, one that the chain has dropped, or an account that was made
-- elsewhere: its limits are read at once, from a node that has reached that slot.
-- trigger limits_changed AFTER INSERT ON history_transaction FOR EACH ROW WHEN ((new.kind = ANY (ARRAY['settings_change'::text, 'proposal_execution'::text])) AND NOT new.failed)
-- trigger limits_imported AFTER INSERT ON account FOR EACH ROW WHEN (new.imported_at IS NOT NULL)
-- trigger limits_unchanged AFTER DELETE ON history_transaction FOR EACH ROW WHEN ((old.kind = ANY (ARRAY['settings_change'::text, 'proposal_execution'::text])) AND NOT old.failed AND NOT old.finalized)
create or replace function mark_limits() returns trigger language plpgsql as $$
declare
  owner account;
  seen_at int8 := 0;
begin
  if tg_table_name = 'account' then
    owner := new;
  elsif tg_op = 'INSERT' then
    select * into owner from account where account.environment = new.environment and account.address = new.account_address;
    seen_at := new.slot;
  else
    select * into owner from account where account.environment = old.environment and account.address = old.account_address;
  end if;
  if owner.address is null then return null; end if;
  insert into spending_limit_watch as subscription (environment, settings_address, tenant_id, least_slot, read_slot, active_at, due_at)
    values (owner.environment, owner.settings_address, owner.tenant_id, seen_at, -1, 0, 0)
    on conflict (environment, settings_address) do update set
      least_slot = greatest(subscription.least_slot, excluded.least_slot), due_at = 0;
  return null;
end $$;

-- trigger audit_settings_changed AFTER UPDATE OF state ON submission FOR EACH ROW WHEN (new.changes_settings AND new.state = 'landed'::text AND old.state IS DISTINCT FROM new.state)
create or replace function audit_settings() returns trigger language plpgsql as $$
begin
  perform audit(new.tenant_id, new.environment, 'account.settings_changed', 'account/' || new.account_address, null,
    json_build_object('signature', new.signature, 'slot', new.slot));
  return null;
end $$;

-- A passkey's answer is on chain: reported and logged with the outcome of its transaction. As readCeremonyOutcome
-- (passkey-signers/ceremony-outcome.ts); a test compares them.
-- trigger passkey_session_landed AFTER UPDATE OF state ON submission FOR EACH ROW WHEN (new.purpose = 'passkey'::text AND new.state = 'landed'::text AND old.state IS DISTINCT FROM new.state)
create or replace function note_passkey_session() returns trigger language plpgsql as $$
declare
  held passkey_ceremony;
  what text;
  ends_at text;
  accounts json;
begin
  select * into held from passkey_ceremony where submission_id = new.id;
  if not found then return null; end if;
  what := 'passkey_session.' || case held.session_seconds when 0 then 'ended' else 'opened' end;
  ends_at := wire_instant(coalesce(held.session_ends_at, new.block_time + held.session_seconds) * 1000);
  select coalesce(json_agg(found.account_address), '[]') into accounts from (
    select signed.account_address from unnest(array['email', 'signers', 'custom']) as wanted (type) cross join lateral (
      select account_address, created_at from signed_account
      where tenant_id = held.tenant_id and environment = held.environment and signer_address = held.passkey_address
        and signed_account.type = wanted.type
      order by created_at desc, account_address desc limit 100
    ) as signed order by signed.created_at desc, signed.account_address desc limit 100
  ) as found;
  perform report(held.tenant_id, held.environment, what, held.challenge, new.updated_at, json_build_object(
    'challenge', held.challenge, 'ceremony_type', held.kind, 'status', 'completed', 'app_name', held.app_name,
    'session_key', held.session_key, 'session_seconds', held.session_seconds, 'session_expires_at', ends_at,
    'passkey_account', held.passkey_address, 'accounts', accounts, 'signature', new.signature,
    'created_at', wire_instant(held.created_at), 'expires_at', wire_instant(held.expires_at)),
    null, 'passkey session ' || held.challenge);
  perform audit(held.tenant_id, held.environment, what, 'passkey_signer/' || held.passkey_address, null,
    json_build_object('accounts', accounts, 'session_key', held.session_key, 'session_expires_at', ends_at,
      'ceremony_type', held.kind, 'signature', new.signature));
  return null;
end $$;

-- trigger audit_order_suspended AFTER UPDATE OF reason ON standing_order FOR EACH ROW WHEN (old.reason IS DISTINCT FROM new.reason AND (NOT old.reason IS DISTINCT FROM 'operator'::text OR NOT new.reason IS DISTINCT FROM 'operator'::text))
create or replace function audit_suspension() returns trigger language plpgsql as $$
begin
  perform audit(new.tenant_id, new.environment,
    'standing_order.' || case when new.reason is not distinct from 'operator' then 'suspended' else 'released' end,
    'standing_order/' || new.id, null, json_build_object('account', new.account_address, 'reason', new.suspended_for));
  return null;
end $$;

-- Whether a tenant is being moved, or was: then nothing new is signed for it here.
create or replace function is_frozen(of_tenant text) returns boolean language plpgsql stable as $$
begin
  return exists (select from tenant where tenant.id = of_tenant and tenant.frozen_at is not null);
end $$;

-- An account's address for a row that stands for its money or keys: the last word on whether it is here, whatever was checked before. A release
-- holds the account's row until it has committed, and what comes later does not find it.
create or replace function held_account(place text, wanted text, tenant text) returns text language plpgsql as $$
begin
  perform from account where account.environment = place and account.address = wanted and account.tenant_id = tenant for key share;
  if not found then raise exception 'the account is not here' using errcode = 'TF002'; end if;
  return wanted;
end $$;

-- The last word on whether bytes of a frozen tenant are stored, whatever was checked before. What freezes a tenant waits for what holds
-- its row here, and what comes later sees it frozen. A payment of a standing order is passed over, as one that another process has; closing
-- proposals pays nobody, and what was found on the chain is there already.
-- trigger submission_of_frozen BEFORE INSERT ON submission FOR EACH ROW WHEN (new.tenant_id IS NOT NULL)
create or replace function refuse_frozen() returns trigger language plpgsql as $$
declare
  since int8;
begin
  select frozen_at into since from tenant where tenant.id = new.tenant_id for share;
  if since is null or new.purpose = 'proposal_close' or current_setting('trellis.found', true) = 'yes' then return new; end if;
  if new.purpose = 'standing_order' then return null; end if;
  raise exception 'the tenant is frozen' using errcode = 'TF001';
end $$;

-- The same for what must not begin meanwhile, by a process of whatever release: the archive would lack it, or both places would do it.
-- trigger creation_of_frozen BEFORE INSERT ON account_creation FOR EACH ROW
-- trigger wallet_of_frozen BEFORE INSERT ON wallet FOR EACH ROW
-- trigger passkey_of_frozen BEFORE INSERT ON passkey FOR EACH ROW
-- trigger passkey_removal_of_frozen BEFORE UPDATE OF removed_at ON passkey FOR EACH ROW WHEN (old.removed_at IS DISTINCT FROM new.removed_at)
-- trigger kms_passkey_of_frozen BEFORE INSERT ON kms_passkey FOR EACH ROW
-- trigger kms_passkey_removal_of_frozen BEFORE UPDATE OF removed_at ON kms_passkey FOR EACH ROW WHEN (old.removed_at IS DISTINCT FROM new.removed_at)
-- trigger wallet_export_of_frozen BEFORE INSERT ON wallet_export FOR EACH ROW
-- trigger kms_export_of_frozen BEFORE INSERT ON kms_wallet_export FOR EACH ROW
-- trigger kms_export_handed_of_frozen BEFORE UPDATE OF exported_at ON kms_wallet_export FOR EACH ROW WHEN (old.exported_at IS NULL AND new.exported_at IS NOT NULL)
-- trigger standing_order_of_frozen BEFORE INSERT ON standing_order FOR EACH ROW
-- trigger rail_transfer_of_frozen BEFORE INSERT ON rail_transfer FOR EACH ROW
create or replace function refuse_frozen_write() returns trigger language plpgsql as $$
declare
  whose text;
  since int8;
begin
  if tg_table_name = 'wallet' then
    select tenant_id into whose from app_user where id = new.owner_id;
  elsif tg_table_name in ('kms_passkey', 'kms_wallet_export') then
    select app_user.tenant_id into whose from kms_wallet join app_user on app_user.id = kms_wallet.owner_id
      where kms_wallet.id = new.wallet_id;
  else
    whose := new.tenant_id;
  end if;
  select frozen_at into since from tenant where tenant.id = whose for share;
  if since is null then return new; end if;
  raise exception 'the tenant is frozen' using errcode = 'TF001';
end $$;

-- The statement may have begun long before it comes to this row, and has waited for its user's: what others have committed meanwhile counts.
-- trigger creation_of_email BEFORE INSERT ON account_creation FOR EACH ROW WHEN (new.type = 'email'::text AND new.state = 'pending'::text)
create or replace function leave_out_second_creation() returns trigger language plpgsql as $$
begin
  if exists (select from account where account.user_id = new.user_id and account.type = 'email') or exists (
    select from account_creation as other where other.user_id = new.user_id and other.type = 'email' and other.state = 'pending'
  ) then
    return null;
  end if;
  return new;
end $$;

-- trigger audit_tenant_frozen AFTER UPDATE OF frozen_at ON tenant FOR EACH ROW WHEN ((old.frozen_at IS NULL) <> (new.frozen_at IS NULL))
create or replace function audit_freeze() returns trigger language plpgsql as $$
begin
  perform audit(new.id, null, case when new.frozen_at is null then 'tenant.unfrozen' else 'tenant.frozen' end,
    'tenant/' || new.id, null, null);
  return null;
end $$;

-- trigger audit_session_key_revoked AFTER UPDATE OF key_revoked_at ON session FOR EACH ROW WHEN (old.key_revoked_at IS NULL AND new.key_revoked_at IS NOT NULL)
create or replace function audit_session_key() returns trigger language plpgsql as $$
begin
  if not exists (select from kms_wallet where kms_wallet.id = new.wallet_id) then
    perform audit_remote_key(new, 'revoked');
  end if;
  return null;
end $$;

-- trigger audit_wallet_created AFTER INSERT ON wallet FOR EACH ROW
create or replace function audit_wallet() returns trigger language plpgsql as $$
begin
  perform audit((select tenant_id from app_user where id = new.owner_id), new.environment,
    case when new.imported_at is null then 'wallet.created' else 'wallet.imported' end, 'wallet/' || new.id,
    (select id from app_user where id = new.owner_id), json_build_object('address', new.address, 'provider', new.provider));
  return null;
end $$;

-- trigger audit_wallet_export_requested AFTER INSERT ON wallet_export FOR EACH ROW
-- trigger audit_wallet_export_ended AFTER UPDATE OF state ON wallet_export FOR EACH ROW WHEN (old.state IS DISTINCT FROM new.state)
create or replace function audit_wallet_export() returns trigger language plpgsql as $$
begin
  perform audit(new.tenant_id, new.environment,
    'wallet_export.' || case new.state when 'waiting' then 'requested' when 'exported' then 'completed' else new.state end,
    'wallet_export/' || new.id, new.user_id,
    json_build_object('account', new.account_address, 'wallet', new.signer_address, 'provider', new.provider,
      'recipient_public_key', new.recipient_public_key, 'not_before', wire_instant(new.not_before)));
  return null;
end $$;

-- trigger audit_export_delay_changed AFTER UPDATE OF wallet_export_delay_seconds ON tenant FOR EACH ROW WHEN (old.wallet_export_delay_seconds IS DISTINCT FROM new.wallet_export_delay_seconds)
create or replace function audit_export_delay() returns trigger language plpgsql as $$
begin
  perform audit(new.id, null, 'wallet_export_policy.changed', 'tenant/' || new.id, null,
    json_build_object('delay_seconds', new.wallet_export_delay_seconds,
      'before', json_build_object('delay_seconds', old.wallet_export_delay_seconds)));
  return null;
end $$;

-- trigger audit_passkey_requirement_changed AFTER UPDATE OF passkey_sign_in ON app_user FOR EACH ROW WHEN (old.passkey_sign_in IS DISTINCT FROM new.passkey_sign_in)
create or replace function audit_passkey_requirement() returns trigger language plpgsql as $$
begin
  perform audit(new.tenant_id, new.environment, 'passkey_requirement.changed', 'user/' || new.id, new.id,
    json_build_object('sign_in', new.passkey_sign_in, 'before', json_build_object('sign_in', old.passkey_sign_in)));
  return null;
end $$;

-- trigger audit_mandate_changed AFTER UPDATE OF mandate ON standing_order FOR EACH ROW WHEN (old.mandate IS DISTINCT FROM new.mandate AND (new.mandate = ANY (ARRAY['active'::text, 'revoked'::text])))
create or replace function audit_mandate() returns trigger language plpgsql as $$
begin
  perform audit(new.tenant_id, new.environment, 'spending_grant.' || case new.mandate when 'active' then 'given' else 'ended' end,
    'standing_order/' || new.id, null,
    json_build_object('account', new.account_address, 'executor', new.executor_address,
      'spending_limit', new.spending_limit_address));
  return null;
end $$;

-- trigger audit_secret_created AFTER INSERT ON derived_secret FOR EACH ROW
-- trigger audit_secret_changed AFTER UPDATE OF activated_at, retired_at ON derived_secret FOR EACH ROW WHEN (old.activated_at IS DISTINCT FROM new.activated_at OR old.retired_at IS DISTINCT FROM new.retired_at)
create or replace function audit_secret() returns trigger language plpgsql as $$
begin
  -- The one that there was before any had ids.
  if tg_op = 'INSERT' and new.id = 0 then return null; end if;
  perform audit(null, null,
    'secret.' || case when tg_op = 'INSERT' then 'created' when new.retired_at is not null then 'retired' else 'activated' end,
    'secret/' || new.purpose || '/' || new.id, null, json_build_object('purpose', new.purpose, 'id', new.id));
  return null;
end $$;
