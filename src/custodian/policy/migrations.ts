import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const statements = [
  `create table custodian_policy (
    wallet_id text primary key,
    environment text not null,
    kind text not null,
    policy text,
    version int4 not null,
    latest_at int8 not null,
    rows_digest bytea not null,
    binding bytea not null
  )`,
  `create table custodian_spent (
    wallet_id text not null references custodian_policy (wallet_id),
    mint text not null,
    hour int8 not null,
    amount text not null,
    primary key (wallet_id, mint, hour)
  )`,
  `create table custodian_pending (
    wallet_id text not null references custodian_policy (wallet_id),
    what text not null,
    not_before int8 not null,
    ends_at int8 not null,
    cancelled_at int8,
    used_at int8,
    used_by bytea,
    primary key (wallet_id, what)
  )`,
  `create table custodian_counted (
    wallet_id text not null references custodian_policy (wallet_id),
    message_hash bytea not null,
    at int8 not null,
    binding bytea not null,
    primary key (wallet_id, message_hash)
  )`,
  `create index custodian_counted_age on custodian_counted (wallet_id, at)`,
  `create table custodian_destination (
    wallet_id text not null references custodian_policy (wallet_id),
    address text not null,
    approved_at int8 not null,
    binding bytea not null,
    primary key (wallet_id, address)
  )`,
];

/** The tables of the policy, for the database of a custodian. */
export const policyMigrations: Readonly<Record<string, Migration>> = {
  "0002-policy": {
    up: async (db: Kysely<unknown>) => {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  },
};
