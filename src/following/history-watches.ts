import type { Address } from "@solana/kit";
import { CompiledQuery, sql } from "kysely";
import { limits } from "../kernel/limits.js";
import { chooseAtBothEnds } from "../kernel/tenant-turns.js";
import type { DbOrTrx } from "../ports/database.js";
import type { EnvironmentName } from "../ports/environment.js";

async function run<Row>(db: DbOrTrx, text: string, values: readonly unknown[]): Promise<readonly Row[]> {
  return (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;
}

/** A smart account whose history is followed. */
interface FollowedAccount {
  readonly environment: EnvironmentName;
  readonly address: Address;
}

const keyOf = ({ environment, address }: FollowedAccount): readonly string[] => [environment, address];

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
export async function getHistoryWatch(db: DbOrTrx, account: FollowedAccount): Promise<HistoryWatch> {
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
export async function hasEnded(db: DbOrTrx, account: FollowedAccount, since: number): Promise<boolean> {
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
