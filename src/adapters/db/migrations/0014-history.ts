import { type Kysely, sql } from "kysely";

/** The index of histories: every transaction of an account, and what it moved. See `ports/database.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table history_transaction (
    environment text not null,
    account_address text not null,
    signature text not null,
    slot int8 not null,
    confirmed_at int8 not null,
    finalized boolean not null,
    failed boolean not null,
    error text,
    kind text not null,
    found_at text not null,
    primary key (environment, account_address, signature))`,
  // Newest first, with every filter that lists know; of what has two values, both are read and merged.
  `create index history_transaction_listed on history_transaction
    (environment, account_address, failed, confirmed_at, slot, signature)`,
  `create index history_transaction_kind on history_transaction
    (environment, account_address, kind, failed, confirmed_at, slot, signature)`,
  `create index history_transaction_open on history_transaction (environment, account_address, found_at)
    where not finalized`,

  `create table history_transfer (
    environment text not null,
    account_address text not null,
    signature text not null,
    position int4 not null,
    slot int8 not null,
    confirmed_at int8 not null,
    instruction_index int4 not null,
    direction text not null check (direction in ('inflow', 'outflow')),
    own_address text not null,
    mint text not null,
    is_token_2022 boolean not null,
    decimals int4 not null,
    from_address text not null,
    to_address text not null,
    amount text not null,
    is_first_of_mint boolean not null,
    primary key (environment, account_address, signature, position))`,
  `create index history_transfer_listed on history_transfer
    (environment, account_address, direction, confirmed_at, slot, signature, position)`,
  `create index history_transfer_mint on history_transfer
    (environment, account_address, mint, direction, confirmed_at, slot, signature, position)`,
  `create index history_transfer_first on history_transfer
    (environment, account_address, mint, confirmed_at, slot, signature) where is_first_of_mint`,

  `create table history_unread (
    environment text not null,
    account_address text not null,
    signature text not null,
    slot int8 not null,
    confirmed_at int8,
    finalized boolean not null,
    found_at text not null,
    tries int4 not null,
    due_at int8 not null,
    primary key (environment, account_address, signature))`,
  `create index history_unread_due on history_unread (environment, account_address, due_at)`,

  `create table history_address (
    environment text not null,
    account_address text not null,
    address text not null,
    role text not null check (role in ('vault', 'settings', 'token')),
    total numeric not null,
    frontier text,
    scan_top text,
    scan_before text,
    primary key (environment, account_address, address))`,
  `create index history_address_known on history_address (environment, address)`,

  `create table history_watch (
    environment text not null,
    account_address text not null,
    active_at int8 not null,
    followed_since int8,
    looked_at int8,
    read_at int8,
    complete_at int8,
    due_at int8,
    fingerprint text,
    primary key (environment, account_address))`,
  `create index history_watch_due on history_watch (environment, due_at) where due_at is not null`,
  `create index history_watch_active on history_watch (environment, active_at) where due_at is not null`,

  // What older accounts did is read within a day, so that they are not all due at once.
  `insert into history_watch (environment, account_address, active_at, followed_since, due_at)
    select environment, address, created_at, present, present + (random() * 86400000)::int8
    from account, (select (extract(epoch from clock_timestamp()) * 1000)::int8 as present) as clock`,
];
