import { type Kysely, sql } from "kysely";

/**
 * What each account received and sent of each token: in all, in each day and in each hour that had a transfer. Triggers keep it, in the
 * transaction of the transfers and whatever release writes them, so that it always is the sum of the rows that are there.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const summing = (name: string, when: string) =>
  `create trigger ${name} after ${when} table as changed for each statement execute function sum_transfers()`;

const statements = [
  `create table history_sum (
    environment text not null,
    account_address text not null,
    span text not null check (span in ('all', 'day', 'hour')),
    mint text not null,
    starts_at int8 not null,
    decimals int4 not null,
    transfers int8 not null,
    received numeric not null,
    sent numeric not null,
    primary key (environment, account_address, span, mint, starts_at))`,
  `create function sum_transfers() returns trigger language plpgsql as $$ begin return null; end $$`,
  // From here on nothing is written beside what the next statement reads.
  summing("history_transfer_added", "insert on history_transfer referencing new"),
  summing("history_transfer_removed", "delete on history_transfer referencing old"),
  `insert into history_sum
      (environment, account_address, span, mint, starts_at, decimals, transfers, received, sent)
    select environment, account_address, span, mint, starts_at, max(decimals), count(*),
      coalesce(sum(amount::numeric) filter (where direction = 'inflow'), 0),
      coalesce(sum(amount::numeric) filter (where direction = 'outflow'), 0)
    from history_transfer cross join lateral (values
      ('all', 0::int8), ('day', confirmed_at - confirmed_at % 86400), ('hour', confirmed_at - confirmed_at % 3600)
    ) as part (span, starts_at)
    group by environment, account_address, span, mint, starts_at`,
];
