import { type Kysely, sql } from "kysely";

/** The sandbox chain's ledger: its head, its accounts, its transactions and who took part in them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table chain_state (
    id int4 primary key check (id = 1),
    seed bytea not null,
    genesis_at int8 not null,
    clock_offset_ms int8 not null,
    writer_epoch int8 not null)`,

  `create table chain_account (
    address bytea primary key,
    lamports int8 not null,
    owner bytea not null,
    executable bool not null,
    data bytea not null,
    slot int8 not null)`,

  `create table chain_transaction (
    signature bytea primary key,
    slot int8 not null,
    position int4 not null,
    block_time int8 not null,
    wire_transaction bytea not null,
    meta text not null,
    error text,
    memo text,
    unique (slot, position))`,

  `create table chain_address_signature (
    address bytea not null,
    slot int8 not null,
    position int4 not null,
    signature bytea not null,
    primary key (address, slot, position))`,
];
