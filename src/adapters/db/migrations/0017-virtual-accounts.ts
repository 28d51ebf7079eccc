import { type Kysely, sql } from "kysely";

/** Virtual accounts, and the money that arrives at them. See `ports/database.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table rail_virtual_account (
    id text primary key,
    tenant_id text not null references tenant (id),
    environment text not null,
    account_address text not null,
    user_id text not null,
    partner text not null,
    partner_ref text,
    customer_ref text not null,
    operation_key text not null,
    operation_begun_at int8 not null,
    asked_as text,
    currency text not null,
    coin text not null,
    mint text not null,
    status text check (status in ('activated', 'deactivated')),
    rails text not null default '[]',
    instructions bytea,
    last4 text,
    fee_percent text,
    deposits_after text,
    version int8 not null default 0,
    active_since int8 not null,
    look_at int8,
    created_at int8 not null,
    updated_at int8 not null)`,
  // One of a currency, with each partner.
  `create unique index rail_virtual_account_one on rail_virtual_account (environment, account_address, currency, partner)`,
  `create unique index rail_virtual_account_ref on rail_virtual_account (environment, partner, partner_ref)
    where partner_ref is not null`,
  `create index rail_virtual_account_look on rail_virtual_account (environment, look_at) where look_at is not null`,
  `create index rail_virtual_account_unanswered on rail_virtual_account (environment, created_at)
    where partner_ref is null`,

  `create table rail_deposit (
    id text primary key,
    virtual_account_id text not null references rail_virtual_account (id) on delete cascade,
    tenant_id text not null references tenant (id),
    environment text not null,
    account_address text not null,
    partner_ref text not null,
    state text not null check (state in ('scheduled', 'received', 'in_review', 'submitted', 'processed', 'not_credited',
      'refunded')),
    amount text not null,
    currency text not null,
    coin text not null,
    mint text not null,
    decimals int4 not null,
    fees text,
    sender bytea,
    rail text,
    signature text,
    received text,
    confirmed_at int8,
    happened_at int8 not null,
    created_at int8 not null,
    updated_at int8 not null)`,
  `create unique index rail_deposit_ref on rail_deposit (virtual_account_id, partner_ref)`,
  `create index rail_deposit_list on rail_deposit (virtual_account_id, created_at, id)`,
  `create index rail_deposit_open on rail_deposit (virtual_account_id)
    where state in ('scheduled', 'received', 'in_review', 'submitted') or (state = 'processed' and confirmed_at is null)`,
  // For the list of transfers, with its filters.
  `create index rail_deposit_moved on rail_deposit (environment, account_address, created_at, id)
    where state <> 'not_credited'`,
  `create index rail_deposit_mint on rail_deposit (environment, account_address, mint, created_at, id)
    where state <> 'not_credited'`,
  `create index rail_deposit_credited on rail_deposit (environment, account_address, created_at, id)
    where confirmed_at is not null`,
  `create index rail_deposit_signature on rail_deposit (environment, account_address, signature)
    where signature is not null`,
  // A payment on chain stands for one deposit.
  `create unique index rail_deposit_paid on rail_deposit (environment, account_address, signature)
    where confirmed_at is not null`,

  `create function deposit_rank(state text) returns int4 language sql immutable as $$
    select case state when 'scheduled' then 0 when 'received' then 1 when 'in_review' then 2 when 'submitted' then 3
      when 'processed' then 4 when 'not_credited' then 4 when 'refunded' then 5 end $$`,

  // What a deposit's payment brought, and when, as the index of the account's history has it; nothing before it is final.
  `create function payment_of_deposit(place_of text, account text, hash text, of_mint text)
    returns table (received text, confirmed_at int8) language sql stable as $$
      select sum(t.amount::numeric)::text, max(h.confirmed_at) from history_transaction h
      join history_transfer t on (t.environment, t.account_address, t.signature) = (h.environment, h.account_address, h.signature)
      where h.environment = place_of and h.account_address = account and h.signature = hash and h.finalized and not h.failed
        and t.direction = 'inflow' and t.mint = of_mint
      having count(*) > 0 $$`,

  // Whichever arrives last, the partner's report or the chain's, joins the two.
  `create function credit_deposits() returns trigger language plpgsql as $$
    begin
      update rail_deposit set received = found.received, confirmed_at = found.confirmed_at,
        updated_at = greatest(rail_deposit.updated_at, found.confirmed_at * 1000)
      from (
        select distinct on (d.environment, d.account_address, d.signature) d.id, paid.received, paid.confirmed_at
        from fresh join rail_deposit d on (d.environment, d.account_address, d.signature)
          = (fresh.environment, fresh.account_address, fresh.signature)
        cross join lateral payment_of_deposit(d.environment, d.account_address, d.signature, d.mint) paid
        where fresh.finalized and not fresh.failed and d.confirmed_at is null and d.state <> 'not_credited' and not exists (
          select from rail_deposit other where other.environment = d.environment
            and other.account_address = d.account_address and other.signature = d.signature
            and other.confirmed_at is not null)
        order by d.environment, d.account_address, d.signature, d.created_at, d.id
      ) found
      where rail_deposit.id = found.id and rail_deposit.confirmed_at is null;
      return null;
    end $$`,
  `create trigger deposits_credited_new after insert on history_transaction referencing new table as fresh
    for each statement execute function credit_deposits()`,
  `create trigger deposits_credited_final after update on history_transaction referencing new table as fresh
    for each statement execute function credit_deposits()`,

  `create function report_virtual_account() returns trigger language plpgsql as $$
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
    end $$`,
  `create trigger virtual_account_moved after update on rail_virtual_account for each row
    when (new.partner_ref is not null and (old.partner_ref is null or old.status is distinct from new.status
      or old.updated_at <> new.updated_at))
    execute function report_virtual_account()`,

  `create function report_deposit() returns trigger language plpgsql as $$
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
          'received_amount', new.received, 'confirmed_at', wire_instant(new.confirmed_at * 1000),
          'created_at', wire_instant(new.created_at), 'updated_at', wire_instant(new.updated_at))), was);
      return null;
    end $$`,
  `create trigger deposit_seen after insert on rail_deposit for each row execute function report_deposit()`,
  `create trigger deposit_moved after update on rail_deposit for each row
    when (old.state <> new.state or (old.confirmed_at is null and new.confirmed_at is not null))
    execute function report_deposit()`,

  `create table simulated_virtual_account (
    ref text primary key,
    customer_ref text not null,
    operation_key text not null,
    currency text not null,
    coin text not null,
    address text not null,
    status text not null check (status in ('activated', 'deactivated')),
    number int8 not null generated always as identity,
    created_at int8 not null)`,
  `create unique index simulated_virtual_account_key on simulated_virtual_account (operation_key)`,
  `create index simulated_virtual_account_customer on simulated_virtual_account (customer_ref, currency, address)`,

  `create table simulated_deposit (
    ref text primary key,
    account_ref text not null references simulated_virtual_account (ref),
    asked_as text,
    amount text not null,
    rail text not null,
    state text not null,
    steps text not null,
    step int4 not null,
    due_at int8,
    is_paying boolean not null default false,
    signature text,
    changed int8 not null generated always as identity,
    environment text not null,
    created_at int8 not null,
    updated_at int8 not null)`,
  `create unique index simulated_deposit_asked on simulated_deposit (account_ref, asked_as) where asked_as is not null`,
  `create index simulated_deposit_list on simulated_deposit (account_ref, changed)`,
  `create index simulated_deposit_due on simulated_deposit (environment, due_at) where due_at is not null`,
  `create index simulated_deposit_age on simulated_deposit (environment, updated_at) where due_at is null`,
];
