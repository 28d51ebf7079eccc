import type { Address } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type {
  DbOrTrx,
  HistoryAddressTable,
  HistoryTransactionTable,
  HistoryTransferTable,
} from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { CompiledQuery } from "kysely";

/** Whose history: a smart account and its settings. */
export interface HistoryAccount {
  readonly environment: EnvironmentName;
  readonly address: Address;
  readonly settingsAddress: Address;
  /** That of its row: nothing is written of an account that was released since, even where it was imported again. */
  readonly number: bigint;
}

/** A transaction as a node lists it. */
export interface Listed {
  readonly signature: string;
  readonly slot: bigint;
  /** Unix seconds; null where the node does not say. */
  readonly confirmedAt: bigint | null;
  readonly finalized: boolean;
}

/** How far one address was followed. */
export type FollowedAddress = Omit<HistoryAddressTable, "environment" | "account_address" | "total"> & {
  readonly total: bigint;
};

/** A transaction that was read, and what it moved. */
export interface ReadTransaction {
  readonly transaction: Omit<HistoryTransactionTable, "environment" | "account_address">;
  readonly transfers: readonly Omit<
    HistoryTransferTable,
    "environment" | "account_address" | "signature" | "slot" | "confirmed_at"
  >[];
}

export async function run<Row>(db: DbOrTrx, text: string, values: readonly unknown[]): Promise<readonly Row[]> {
  return (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;
}

export const keyOf = ({
  environment,
  address,
}: Readonly<Record<"environment" | "address", string>>): readonly string[] => [environment, address];

/**
 * SQL: one row while the account with the key $1 and $2 has the row of this number. Whatever writes rows of it holds it first, and
 * writes nothing without it: a release is before that or after it.
 */
export const heldAccount = (number: string): string => `held as materialized (
    select from account where environment = $1 and address = $2 and number = ${number}::int8 for key share)`;

export const toJson = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_key, value: unknown) => (typeof value === "bigint" ? value.toString() : value));

const accountColumns = "address, settings_address, number";
const accountsQuery = `select ${accountColumns} from account where environment = $1 and address = any($2::text[])`;

interface AccountRow {
  readonly address: Address;
  readonly settings_address: Address;
  readonly number: bigint;
}

const accountOf = (
  environment: EnvironmentName,
  { address, settings_address, number }: AccountRow,
): HistoryAccount => ({ environment, address, settingsAddress: settings_address, number });

/** The accounts with these addresses, in no particular order. */
export async function findAccounts(
  db: DbOrTrx,
  environment: EnvironmentName,
  addresses: readonly string[],
): Promise<HistoryAccount[]> {
  const rows = await run<AccountRow>(db, accountsQuery, [environment, addresses]);
  return rows.map((row) => accountOf(environment, row));
}

const everyAccountQuery = `select ${accountColumns} from account where environment = $1 order by address`;

/** Every account of an environment. */
export async function findEveryAccount(db: DbOrTrx, environment: EnvironmentName): Promise<HistoryAccount[]> {
  const rows = await run<AccountRow>(db, everyAccountQuery, [environment]);
  return rows.map((row) => accountOf(environment, row));
}

const addressesQuery = `select account_address, address, role, total::text as total, frontier, scan_top, scan_before
  from history_address where environment = $1 and account_address = any($2::text[]) order by account_address, address`;

/** Every followed address of these accounts, in the order of the addresses. */
export async function findFollowedAddresses(
  db: DbOrTrx,
  environment: EnvironmentName,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, FollowedAddress[]>> {
  type Row = HistoryAddressTable;
  const found = new Map<string, FollowedAddress[]>();
  for (const { account_address, ...row } of await run<Row>(db, addressesQuery, [environment, accounts])) {
    const followed = found.get(account_address) ?? [];
    followed.push({ ...row, total: BigInt(row.total) });
    found.set(account_address, followed);
  }
  return found;
}

const followQuery = `with ${heldAccount("$4")}
  insert into history_address (environment, account_address, address, role, total)
  select $1, $2, address, role, 0 from held, json_to_recordset($3::json) as followed (address text, role text)
  order by address on conflict do nothing`;

/** Begins to follow further addresses of an account. */
export async function followAddresses(
  db: DbOrTrx,
  account: HistoryAccount,
  followed: readonly Pick<FollowedAddress, "address" | "role">[],
): Promise<void> {
  if (followed.length === 0) return;
  await run(db, followQuery, [...keyOf(account), toJson(followed), account.number]);
}

// What was read before need not be read again, only be known as final; the same of what waits to be read.
const takeInQuery = `with ${heldAccount("$5")}, listed as materialized (
    select listed.* from held, json_to_recordset($3::json) as listed (signature text, slot int8, "confirmedAt" int8, finalized boolean)
  ), known as (
    select signature, finalized from history_transaction
    where environment = $1 and account_address = $2 and signature in (select signature from listed)
  ), settled as (
    update history_transaction set finalized = true from listed
    where environment = $1 and account_address = $2 and history_transaction.signature = listed.signature
      and listed.finalized and not history_transaction.finalized
  ), queued as (
    insert into history_unread as unread
      (environment, account_address, signature, slot, confirmed_at, finalized, found_at, tries, due_at)
    select $1, $2, signature, slot, "confirmedAt", finalized, $4, 0, -slot from listed
    where signature not in (select signature from known)
    order by signature
    on conflict (environment, account_address, signature) do update set finalized = unread.finalized or excluded.finalized
    returning (xmax = 0) as is_new
  )
  select count(*)::int4 as added from queued where is_new`;

/** Takes in a page of an address's transactions. Returns how many of them were not known before. */
export async function takeIn(
  db: DbOrTrx,
  account: HistoryAccount,
  foundAt: string,
  listed: readonly Listed[],
): Promise<number> {
  if (listed.length === 0) return 0;
  const rows = await run<{ added: number }>(db, takeInQuery, [
    ...keyOf(account),
    toJson(listed),
    foundAt,
    account.number,
  ]);
  return rows[0]?.added ?? 0;
}

const moveScanQuery = `update history_address set frontier = $4, scan_top = $5, scan_before = $6
  where environment = $1 and account_address = $2 and address = $3
    and frontier is not distinct from $7 and scan_before is not distinct from $8
    and exists (select from account where environment = $1 and account.address = $2 and number = $9)`;

/** Notes how far an address's list was read, unless another process has meanwhile. */
export async function moveScan(
  db: DbOrTrx,
  account: HistoryAccount,
  from: FollowedAddress,
  to: Pick<FollowedAddress, "frontier" | "scan_top" | "scan_before">,
): Promise<void> {
  const values = [from.address, to.frontier, to.scan_top, to.scan_before, from.frontier, from.scan_before];
  await run(db, moveScanQuery, [...keyOf(account), ...values, account.number]);
}

const unreadQuery = `select signature, slot, confirmed_at, finalized, found_at, tries from history_unread
  where environment = $1 and account_address = $2 and due_at <= $3 order by due_at limit $4`;

/** A transaction that waits to be read. */
export interface Unread {
  readonly signature: string;
  readonly slot: bigint;
  readonly confirmed_at: bigint | null;
  readonly finalized: boolean;
  readonly found_at: string;
  readonly tries: number;
}

/** What is to be read next of an account: the newest first, and what was tried in vain when it is due. */
export async function findUnread(
  db: DbOrTrx,
  account: HistoryAccount,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<readonly Unread[]> {
  return run<Unread>(db, unreadQuery, [...keyOf(account), BigInt(now), limit]);
}

const hasUnreadQuery = `select exists (
    select from history_unread where environment = $1 and account_address = $2) as found`;

/** Whether anything waits to be read, now or later. */
export async function hasUnread(db: DbOrTrx, account: HistoryAccount): Promise<boolean> {
  const [row] = await run<{ found: boolean }>(db, hasUnreadQuery, keyOf(account));
  return row?.found === true;
}

const postponeQuery = `update history_unread set tries = tries + 1, due_at = $4
  where environment = $1 and account_address = $2 and signature = $3`;

/** Has a transaction that a node did not show asked for again at `dueAt`. */
export async function postpone(db: DbOrTrx, account: HistoryAccount, signature: string, dueAt: number): Promise<void> {
  await run(db, postponeQuery, [...keyOf(account), signature, BigInt(dueAt)]);
}

const openQuery = `select distinct found_at from history_transaction
  where environment = $1 and account_address = $2 and not finalized`;

/** The addresses in whose lists something was found that was read and is not known as final yet. */
export async function findOpen(db: DbOrTrx, account: HistoryAccount): Promise<ReadonlySet<string>> {
  const rows = await run<{ found_at: string }>(db, openQuery, keyOf(account));
  return new Set(rows.map(({ found_at }) => found_at));
}

/** Rows that one statement removes, or a few more: each has the time of a statement, however long the history is. */
export const clearedAtOnce = 5_000;

const clearQueries = (
  [
    ["history_transaction", "signature"],
    ["history_transfer", "signature"],
    ["history_unread", "signature"],
    ["history_address", "address"],
  ] as const
).map(
  ([table, key]) => `with chosen as materialized (
      select ${key} as key from ${table} where environment = $1 and account_address = $2 and ${key} > $3
      order by ${key} limit ${clearedAtOnce}
    ), removed as (
      delete from ${table} where environment = $1 and account_address = $2 and ${key} > $3
        and ${key} <= (select max(key) from chosen)
    )
    select max(key) as last from chosen having count(*) = ${clearedAtOnce}`,
);

const heldQuery = "select from account where environment = $1 and address = $2 for update";

/**
 * Takes away all that the index has of an account. Meant for one transaction with what takes its place, which holds the account first, as
 * everywhere: so this and a release never wait for each other. It holds the account alone: whoever else writes transfers of it waits, as both
 * would change the same sums.
 */
export async function clearHistory(
  trx: DbOrTrx,
  account: Readonly<Record<"environment" | "address", string>>,
): Promise<void> {
  await run(trx, heldQuery, keyOf(account));
  for (const query of clearQueries) {
    let last: string | undefined = "";
    while (last !== undefined) {
      const rows: readonly { readonly last: string }[] = await run(trx, query, [...keyOf(account), last]);
      last = rows[0]?.last;
    }
  }
}

const watchableQuery = `with subscribed as materialized (
    select account_address from history_watch where environment = $1 and due_at is not null
    order by active_at desc limit ${limits.subscribedAccountsMax}
  )
  select account_address as address from subscribed
  union all (
    select followed.address from subscribed cross join lateral (
      select address from history_address
      where environment = $1 and history_address.account_address = subscribed.account_address and role = 'token'
      order by address limit 5
    ) as followed limit ${limits.subscribedTokenAccountsMax}
  )`;

/** Of the accounts that are not asleep the latest active ones, with some of their token accounts. */
export async function findWatchableHoldings(db: DbOrTrx, environment: EnvironmentName): Promise<Address[]> {
  return (await run<{ address: Address }>(db, watchableQuery, [environment])).map(({ address }) => address);
}
