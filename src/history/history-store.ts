import type { Address } from "@solana/kit";
import { CompiledQuery, sql } from "kysely";
import { limits } from "../kernel/limits.js";
import { chooseAtBothEnds } from "../kernel/tenant-turns.js";
import type { DbOrTrx, HistoryAddressTable, HistoryTransactionTable, HistoryTransferTable } from "../ports/database.js";
import type { EnvironmentName } from "../ports/environment.js";

/** Whose history: a smart account and its settings. */
export interface HistoryAccount {
  readonly environment: EnvironmentName;
  readonly address: Address;
  readonly settingsAddress: Address;
}

/** A transaction as a node lists it. */
export interface Listed {
  readonly signature: string;
  readonly slot: bigint;
  /** Unix seconds; null where the node does not tell. */
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

async function run<Row>(db: DbOrTrx, text: string, values: readonly unknown[]): Promise<readonly Row[]> {
  return (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;
}

const keyOf = ({ environment, address }: HistoryAccount): readonly string[] => [environment, address];

const toJson = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_key, value: unknown) => (typeof value === "bigint" ? value.toString() : value));

const accountsQuery = `select address, settings_address from account where environment = $1 and address = any($2::text[])`;

/** The accounts with these addresses, in no particular order. */
export async function findAccounts(
  db: DbOrTrx,
  environment: EnvironmentName,
  addresses: readonly string[],
): Promise<HistoryAccount[]> {
  type Row = { readonly address: Address; readonly settings_address: Address };
  const rows = await run<Row>(db, accountsQuery, [environment, addresses]);
  return rows.map(({ address, settings_address }) => ({ environment, address, settingsAddress: settings_address }));
}

const everyAccountQuery = `select address, settings_address from account where environment = $1 order by address`;

/** Every account of an environment. */
export async function findEveryAccount(db: DbOrTrx, environment: EnvironmentName): Promise<HistoryAccount[]> {
  type Row = { readonly address: Address; readonly settings_address: Address };
  const rows = await run<Row>(db, everyAccountQuery, [environment]);
  return rows.map(({ address, settings_address }) => ({ environment, address, settingsAddress: settings_address }));
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

const followQuery = `insert into history_address (environment, account_address, address, role, total)
  select $1, $2, address, role, 0 from json_to_recordset($3::json) as followed (address text, role text)
  order by address on conflict do nothing`;

/** Begins to follow further addresses of an account. */
export async function followAddresses(
  db: DbOrTrx,
  account: HistoryAccount,
  followed: readonly Pick<FollowedAddress, "address" | "role">[],
): Promise<void> {
  if (followed.length === 0) return;
  await run(db, followQuery, [...keyOf(account), toJson(followed)]);
}

// What was read before need not be read again, only be known as final; the same of what waits to be read.
const takeInQuery = `with listed as materialized (
    select * from json_to_recordset($3::json) as listed (signature text, slot int8, "confirmedAt" int8, finalized boolean)
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
  const rows = await run<{ added: number }>(db, takeInQuery, [...keyOf(account), toJson(listed), foundAt]);
  return rows[0]?.added ?? 0;
}

const moveScanQuery = `update history_address set frontier = $4, scan_top = $5, scan_before = $6
  where environment = $1 and account_address = $2 and address = $3
    and frontier is not distinct from $7 and scan_before is not distinct from $8`;

/** Notes how far an address's list was gone through, unless somebody else has meanwhile. */
export async function moveScan(
  db: DbOrTrx,
  account: HistoryAccount,
  from: FollowedAddress,
  to: Pick<FollowedAddress, "frontier" | "scan_top" | "scan_before">,
): Promise<void> {
  const values = [from.address, to.frontier, to.scan_top, to.scan_before, from.frontier, from.scan_before];
  await run(db, moveScanQuery, [...keyOf(account), ...values]);
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

/** What is to be read next of an account: the newest first, and what was tried in vain when its time has come. */
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

/** Every column of a transaction and of a transfer but the account's, with its type. */
const transactionColumns = {
  signature: "text",
  slot: "int8",
  confirmed_at: "int8",
  finalized: "boolean",
  failed: "boolean",
  error: "text",
  kind: "text",
  found_at: "text",
} as const satisfies Record<keyof ReadTransaction["transaction"], string>;

const transferColumns = {
  signature: "text",
  position: "int4",
  slot: "int8",
  confirmed_at: "int8",
  instruction_index: "int4",
  direction: "text",
  own_address: "text",
  mint: "text",
  is_token_2022: "boolean",
  decimals: "int4",
  from_address: "text",
  to_address: "text",
  amount: "text",
  is_first_of_mint: "boolean",
} as const satisfies Record<Exclude<keyof HistoryTransferTable, "environment" | "account_address">, string>;

const recordOf = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([name, type]) => `"${name}" ${type}`)
    .join(", ");
const namesOf = (columns: Readonly<Record<string, string>>): string => Object.keys(columns).join(", ");
/** Those that a transaction keeps: it becomes final. */
const readNames = namesOf(transactionColumns).replace(" finalized,", "");

// Whoever inserts a transaction inserts its transfers and adds them up, and nobody else does. Somebody else may have seen it
// as final since it was taken off the list, and has noted that where it was then: there, or in the row that is there by now.
const saveQuery = `with done as (
    delete from history_unread where environment = $1 and account_address = $2 and signature = any($5::text[])
    returning signature, finalized
  ), told as (
    select ${readNames}, read.finalized or coalesce(done.finalized, false) as finalized
    from json_to_recordset($3::json) as read (${recordOf(transactionColumns)}) left join done using (signature)
  ), written as (
    insert into history_transaction (environment, account_address, ${readNames}, finalized)
    select $1, $2, ${readNames}, finalized from told order by signature
    on conflict (environment, account_address, signature) do update set finalized = true
      where excluded.finalized and not history_transaction.finalized
    returning signature, (xmax = 0) as is_new
  ), moved as (
    insert into history_transfer (environment, account_address, ${namesOf(transferColumns)})
    select $1, $2, ${namesOf(transferColumns)}
    from json_to_recordset($4::json) as read (${recordOf(transferColumns)})
    where signature in (select signature from written where is_new)
    returning own_address, case when direction = 'inflow' then amount::numeric else -amount::numeric end as change
  ), summed as (
    insert into history_address as followed (environment, account_address, address, role, total)
    select $1, $2, own_address, case when own_address = $2 then 'vault' else 'token' end, sum(change)
    from moved group by own_address order by own_address
    on conflict (environment, account_address, address) do update set total = followed.total + excluded.total
  )
  select count(*)::int4 as written from written where is_new`;

/**
 * Writes down transactions that were read, with their transfers, and takes `read` off the list of what is to be read. One
 * that is there already stays as it is, but for being final by now: else transactions never change. Returns how many were
 * new.
 */
export async function saveRead(
  db: DbOrTrx,
  account: HistoryAccount,
  transactions: readonly ReadTransaction[],
  read: readonly string[],
): Promise<number> {
  if (read.length === 0 && transactions.length === 0) return 0;
  const transfers = transactions.flatMap(({ transaction: { signature, slot, confirmed_at }, transfers }) =>
    transfers.map((transfer) => ({ ...transfer, signature, slot, confirmed_at })),
  );
  const values = [toJson(transactions.map(({ transaction }) => transaction)), toJson(transfers), read];
  const rows = await run<{ written: number }>(db, saveQuery, [...keyOf(account), ...values]);
  return rows[0]?.written ?? 0;
}

const dropQuery = `with gone as (
    delete from history_transaction
    where environment = $1 and account_address = $2 and found_at = $3 and not finalized and slot < $4
      and not signature = any($5::text[])
    returning signature
  ), undone as (
    delete from history_transfer where environment = $1 and account_address = $2
      and signature in (select signature from gone)
    returning own_address, case when direction = 'inflow' then amount::numeric else -amount::numeric end as change
  ), summed as (
    update history_address set total = total - undone.change
    from (select own_address, sum(change) as change from undone group by own_address) as undone
    where environment = $1 and account_address = $2 and address = undone.own_address
  ), unread as (
    delete from history_unread where environment = $1 and account_address = $2 and found_at = $3 and not finalized
      and slot < $4 and not signature = any($5::text[])
  )
  select signature from gone`;

/**
 * Takes away what a fork had confirmed and the cluster has dropped: transactions found at this address that are not final,
 * are older than `beforeSlot`, and no longer among those listed. Returns their signatures.
 */
export async function dropForked(
  db: DbOrTrx,
  account: HistoryAccount,
  foundAt: string,
  { beforeSlot, listed }: { readonly beforeSlot: bigint; readonly listed: readonly string[] },
): Promise<readonly string[]> {
  const rows = await run<{ signature: string }>(db, dropQuery, [...keyOf(account), foundAt, beforeSlot, listed]);
  return rows.map(({ signature }) => signature);
}

const openQuery = `select distinct found_at from history_transaction
  where environment = $1 and account_address = $2 and not finalized`;

/** The addresses in whose lists something was found that was read and is not known as final yet. */
export async function findOpen(db: DbOrTrx, account: HistoryAccount): Promise<ReadonlySet<string>> {
  const rows = await run<{ found_at: string }>(db, openQuery, keyOf(account));
  return new Set(rows.map(({ found_at }) => found_at));
}

const clearQueries = ["history_transaction", "history_transfer", "history_unread", "history_address"].map(
  (table) => `delete from ${table} where environment = $1 and account_address = $2`,
);

/** Takes away all that the index has of an account. Meant for one transaction with what takes its place. */
export async function clearHistory(trx: DbOrTrx, account: HistoryAccount): Promise<void> {
  for (const query of clearQueries) await run(trx, query, keyOf(account));
}

/** When an account's history is looked at. Instants are environment time, Unix milliseconds. */
export interface HistoryWatch {
  readonly address: Address;
  readonly activeAt: number;
  /** When its lists of signatures were last read; null: never yet. */
  readonly readAt: number | null;
  readonly dueAt: number | null;
  readonly fingerprint: string | null;
}

interface WatchRow {
  readonly account_address: Address;
  readonly active_at: bigint;
  readonly read_at: bigint | null;
  readonly due_at: bigint | null;
  readonly fingerprint: string | null;
}

const toNumber = (value: bigint | null): number | null => (value === null ? null : Number(value));
const toWatch = (row: WatchRow): HistoryWatch => ({
  address: row.account_address,
  activeAt: Number(row.active_at),
  readAt: toNumber(row.read_at),
  dueAt: toNumber(row.due_at),
  fingerprint: row.fingerprint,
});

const watchQuery = `select account_address, active_at, read_at, due_at, fingerprint from history_watch
  where environment = $1 and account_address = $2`;

/** When one account is looked at; nothing of one that is new here. */
export async function getHistoryWatch(db: DbOrTrx, account: HistoryAccount): Promise<HistoryWatch> {
  const [row] = await run<WatchRow>(db, watchQuery, keyOf(account));
  if (row) return toWatch(row);
  return { address: account.address, activeAt: 0, readAt: null, dueAt: null, fingerprint: null };
}

// An account that is touched again and again is looked at as often as looks may come, and not more often.
const touch = `on conflict (environment, account_address) do update set
    tenant_id = coalesce(watch.tenant_id, excluded.tenant_id),
    active_at = greatest(watch.active_at, excluded.active_at),
    due_at = least(watch.due_at, greatest(excluded.due_at, coalesce(watch.looked_at, 0) + ${limits.looksApartLeastMs}))`;

const wakeQuery = `insert into history_watch as watch (environment, account_address, tenant_id, active_at, due_at)
  select environment, address, tenant_id, $3::int8, $3::int8 from account
  where environment = $1 and address = any(array(
    select unnest($2::text[])
    union select address from account where environment = $1 and settings_address = any($2::text[])
    union select account_address from history_address where environment = $1 and address = any($2::text[])))
  -- Always in the same order, so that two processes never wait for each other.
  order by address ${touch}`;

/**
 * Has accounts looked at soon, and more often from then on. Each is named by its own address, its settings', or that of a
 * token account that is known; other addresses mean nothing. `now`: environment time.
 */
export async function wakeHistories(
  db: DbOrTrx,
  environment: EnvironmentName,
  addresses: readonly string[],
  now: number,
): Promise<void> {
  if (addresses.length === 0) return;
  await run(db, wakeQuery, [environment, addresses, BigInt(now)]);
}

/** Submissions gone through in one statement. */
const wokenMax = 5_000;

// Word for word the condition of the index by which their bytes are wiped.
const wakeSubmittedQuery = `with ended as materialized (
    select account_address, tenant_id, updated_at from submission
    where environment = $1 and state in ('landed', 'failed', 'expired') and wire_transaction <> '' and updated_at > $2
    order by updated_at limit ${wokenMax}
  ), woken as (
    insert into history_watch as watch (environment, account_address, tenant_id, active_at, due_at)
    select $1::text, account_address, max(tenant_id), max(updated_at), max(updated_at) from ended where account_address is not null
    group by account_address order by account_address
    ${touch} where watch.active_at < excluded.active_at
  )
  select count(*)::int4 as count, max(updated_at) as latest from ended`;

/**
 * Has the accounts looked at whose submissions have come to an end since `since`. Returns until when that is done, and
 * whether it was all. Environment time, Unix milliseconds.
 */
export async function wakeSubmitted(
  db: DbOrTrx,
  environment: EnvironmentName,
  since: number,
): Promise<{ readonly until: number; readonly isAll: boolean }> {
  type Row = { readonly count: number; readonly latest: bigint | null };
  const [row] = await run<Row>(db, wakeSubmittedQuery, [environment, BigInt(since)]);
  const latest = Number(row?.latest ?? since);
  if ((row?.count ?? 0) < wokenMax) return { until: latest, isAll: true };
  // Where it was cut, others may have ended in the same millisecond.
  return { until: Math.max(latest - 1, since + 1), isAll: false };
}

const endedQuery = `select exists (
    select from submission where environment = $1 and account_address = $2
      and state in ('landed', 'failed', 'expired') and wire_transaction <> '' and updated_at >= $3
  ) as ended`;

/**
 * Whether a submission of the account has come to an end since `since` (environment time, Unix milliseconds): looked for
 * among all that have, so that should not be long ago.
 */
export async function hasEnded(db: DbOrTrx, account: HistoryAccount, since: number): Promise<boolean> {
  const [row] = await run<{ ended: boolean }>(db, endedQuery, [...keyOf(account), BigInt(Math.floor(since))]);
  return row?.ended ?? false;
}

/**
 * Takes up to `limit` accounts whose turn has come, tenants in turns and the longest due first, for this caller alone: they are due again at
 * `leaseUntil`, unless `saveHistoryLooks` says otherwise. Each tells when it was due. Instants: environment time.
 */
export async function claimDueHistories(
  db: DbOrTrx,
  environment: EnvironmentName,
  claim: { readonly now: number; readonly leaseUntil: number; readonly limit: number },
): Promise<HistoryWatch[]> {
  const { now, leaseUntil, limit } = claim;
  const { rows } = await sql<WatchRow>`with ${chooseAtBothEnds({
    table: sql`history_watch`,
    key: "account_address",
    tenant: sql`waiting.tenant_id`,
    due: sql`waiting.environment = ${environment} and waiting.due_at <= ${BigInt(now)}::int8`,
    since: sql`waiting.due_at`,
    limit,
  })} update history_watch as watch set due_at = ${BigInt(leaseUntil)}::int8
    from history_watch as before
    where watch.environment = ${environment} and watch.account_address = any(array(select id from chosen))
      and before.environment = watch.environment and before.account_address = watch.account_address
    returning watch.account_address, watch.active_at, watch.read_at, watch.fingerprint, before.due_at`.execute(db);
  return rows.map(toWatch).sort((one, other) => Number(one.dueAt) - Number(other.dueAt));
}

/** What is noted after a look. */
export interface HistoryLook {
  readonly address: string;
  readonly activeAt: number;
  /** When the look began; null: it was not looked at, only when it is due changes. */
  readonly lookedAt: number | null;
  /** When its lists of signatures were read, if they were. */
  readonly readAt: number | null;
  /** As of when everything is in the index, if it is. */
  readonly completeAt: number | null;
  readonly dueAt: number | null;
  readonly fingerprint: string | null;
}

const saveLooksQuery = `insert into history_watch as watch
    (environment, account_address, active_at, looked_at, read_at, complete_at, due_at, fingerprint)
  select $1::text, address, active_at, looked_at, read_at, complete_at, due_at, fingerprint
  from json_to_recordset($2::json) as look
    (address text, active_at int8, looked_at int8, read_at int8, complete_at int8, due_at int8, fingerprint text)
  -- Always in the same order, so that two processes never wait for each other.
  order by address
  on conflict (environment, account_address) do update set
    active_at = greatest(watch.active_at, excluded.active_at),
    looked_at = greatest(watch.looked_at, excluded.looked_at), read_at = greatest(watch.read_at, excluded.read_at),
    complete_at = greatest(watch.complete_at, excluded.complete_at),
    fingerprint = excluded.fingerprint,
    -- Whoever was woken or claimed since this look began is looked at again for it.
    due_at = case when watch.due_at is not distinct from $3::int8 then excluded.due_at else watch.due_at end`;

/** Notes looks at different accounts that were due at `dueBefore` when they began. */
export async function saveHistoryLooks(
  db: DbOrTrx,
  environment: EnvironmentName,
  looks: readonly HistoryLook[],
  dueBefore: number | null,
): Promise<void> {
  if (looks.length === 0) return;
  const json = JSON.stringify(
    looks.map((look) => ({
      address: look.address,
      active_at: look.activeAt,
      looked_at: look.lookedAt,
      read_at: look.readAt,
      complete_at: look.completeAt,
      due_at: look.dueAt,
      fingerprint: look.fingerprint,
    })),
  );
  await run(db, saveLooksQuery, [environment, json, dueBefore === null ? null : BigInt(dueBefore)]);
}

const watchableQuery = `with watched as materialized (
    select account_address from history_watch where environment = $1 and due_at is not null
    order by active_at desc limit ${limits.watchedAccountsMax}
  )
  select account_address as address from watched
  union all (
    select followed.address from watched cross join lateral (
      select address from history_address
      where environment = $1 and history_address.account_address = watched.account_address and role = 'token'
      order by address limit 5
    ) as followed limit ${limits.watchedTokenAccountsMax}
  )`;

/** Of the accounts that are not asleep the latest active ones, with some of their token accounts. */
export async function findWatchableHoldings(db: DbOrTrx, environment: EnvironmentName): Promise<Address[]> {
  return (await run<{ address: Address }>(db, watchableQuery, [environment])).map(({ address }) => address);
}
