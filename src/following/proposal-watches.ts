import { CompiledQuery, sql } from "kysely";
import { limits } from "../kernel/limits.js";
import { chooseAtBothEnds } from "../kernel/tenant-turns.js";
import type { DbOrTrx } from "../ports/database.js";
import type { EnvironmentName } from "../ports/environment.js";

/** How far an account was followed. Its indexes behind `transactionIndex` are not in the index yet. */
export interface Watch {
  readonly settingsAddress: string;
  readonly transactionIndex: bigint;
  readonly staleTransactionIndex: bigint;
  readonly readSlot: bigint;
  /** When something last happened, and when it is looked at next: environment time, Unix milliseconds. */
  readonly activeAt: number;
  readonly dueAt: number | null;
}

// A later wish never takes an earlier one back, and a look that began before is no answer to it: see saveLooks.
const wakeQuery = `insert into proposal_watch as watch (environment, settings_address, transaction_index,
    stale_transaction_index, read_slot, tenant_id, active_at, due_at)
  select environment, settings_address, 0, 0, -1, tenant_id, $3::int8, $3::int8 from account
  where environment = $1 and settings_address = any(array(
    select unnest($2::text[])
    union select settings_address from proposal where environment = $1 and proposal_address = any($2::text[])))
  -- Always in the same order, so that two processes never wait for each other.
  order by settings_address
  on conflict (environment, settings_address) do update set
    tenant_id = coalesce(watch.tenant_id, excluded.tenant_id),
    active_at = greatest(watch.active_at, excluded.active_at), due_at = least(watch.due_at, excluded.due_at)`;

/**
 * Has accounts looked at as soon as possible, and more often from then on. Each is named by its settings account or by a
 * proposal that is known; other addresses mean nothing. `now`: environment time.
 */
export async function wakeProposals(
  db: DbOrTrx,
  environment: EnvironmentName,
  addresses: readonly string[],
  now: number,
): Promise<void> {
  if (addresses.length === 0) return;
  await db.executeQuery(CompiledQuery.raw(wakeQuery, [environment, addresses, BigInt(now)]));
}

interface WatchRow {
  readonly settings_address: string;
  readonly transaction_index: bigint;
  readonly stale_transaction_index: bigint;
  readonly read_slot: bigint;
  readonly active_at: bigint;
  readonly due_at: bigint | null;
}

const toWatch = (row: WatchRow): Watch => ({
  settingsAddress: row.settings_address,
  transactionIndex: row.transaction_index,
  staleTransactionIndex: row.stale_transaction_index,
  readSlot: row.read_slot,
  activeAt: Number(row.active_at),
  dueAt: row.due_at === null ? null : Number(row.due_at),
});

/**
 * Takes the accounts whose turn has come, tenants in turns and the longest due first, for this caller alone: they are due again at
 * `leaseUntil`, unless `saveLooks` or `releaseWatches` says otherwise. Both instants: environment time.
 */
export async function claimDueWatches(
  db: DbOrTrx,
  environment: EnvironmentName,
  now: number,
  leaseUntil: number,
): Promise<Watch[]> {
  const { rows } = await sql<WatchRow>`with ${chooseAtBothEnds({
    table: sql`proposal_watch`,
    key: "settings_address",
    tenant: sql`waiting.tenant_id`,
    due: sql`waiting.environment = ${environment} and waiting.due_at <= ${BigInt(now)}::int8`,
    since: sql`waiting.due_at`,
    limit: limits.followedAccountsMax,
  })} update proposal_watch set due_at = ${BigInt(leaseUntil)}::int8
    where environment = ${environment} and settings_address = any(array(select id from chosen))
    returning settings_address, transaction_index, stale_transaction_index, read_slot, active_at, due_at`.execute(db);
  return rows.map(toWatch);
}

const releaseQuery = `update proposal_watch set due_at = $4
  where environment = $1 and due_at = $3 and settings_address = any(array(
    select settings_address from proposal_watch where environment = $1 and settings_address = any($2::text[])
    order by settings_address for update))`;

/** Gives claimed accounts back that were not looked at. */
export async function releaseWatches(
  db: DbOrTrx,
  environment: EnvironmentName,
  settingsAddresses: readonly string[],
  { leasedUntil, dueAt }: { readonly leasedUntil: number; readonly dueAt: number },
): Promise<void> {
  if (settingsAddresses.length === 0) return;
  const values = [environment, settingsAddresses, BigInt(leasedUntil), BigInt(dueAt)];
  await db.executeQuery(CompiledQuery.raw(releaseQuery, values));
}

/** SQL: closing waits this long for what has become stale. */
export const closingDelay = `${limits.proposalClosingDelayMs}::int8`;

const saveLooksQuery = `insert into proposal_watch as watch (environment, settings_address, transaction_index,
    stale_transaction_index, read_slot, active_at, looked_at, due_at, stale_due_at)
  select $1::text, settings_address, transaction_index, stale_transaction_index, read_slot, active_at, $3::int8, due_at,
    case when stale_transaction_index > 0 then $3::int8 + ${closingDelay} end
  from json_to_recordset($2::json) as look (settings_address text, transaction_index int8,
    stale_transaction_index int8, read_slot int8, active_at int8, due_at int8)
  -- Always in the same order, so that two processes never wait for each other.
  order by settings_address
  on conflict (environment, settings_address) do update set
    transaction_index = excluded.transaction_index, stale_transaction_index = excluded.stale_transaction_index,
    read_slot = excluded.read_slot, looked_at = excluded.looked_at,
    active_at = greatest(watch.active_at, excluded.active_at),
    -- Whoever was woken or claimed since this look began is looked at again for it.
    due_at = case when watch.due_at is not distinct from $4::int8 then excluded.due_at else watch.due_at end,
    stale_due_at = case
      when watch.stale_transaction_index <> excluded.stale_transaction_index then excluded.stale_due_at
      when watch.transaction_index <> excluded.transaction_index then coalesce(watch.stale_due_at, excluded.stale_due_at)
      else watch.stale_due_at end
  where excluded.read_slot >= watch.read_slot`;

/**
 * Notes how far different accounts were followed by a look that began at `now`, when they were due at `dueBefore`, and
 * when they are due next; an older reading changes nothing.
 */
export async function saveLooks(
  db: DbOrTrx,
  environment: EnvironmentName,
  looks: readonly Watch[],
  { now, dueBefore }: { readonly now: number; readonly dueBefore: number | null },
): Promise<void> {
  if (looks.length === 0) return;
  const json = JSON.stringify(
    looks.map((look) => ({
      settings_address: look.settingsAddress,
      transaction_index: look.transactionIndex.toString(),
      stale_transaction_index: look.staleTransactionIndex.toString(),
      read_slot: look.readSlot.toString(),
      active_at: look.activeAt,
      due_at: look.dueAt,
    })),
  );
  const values = [environment, json, BigInt(now), dueBefore === null ? null : BigInt(dueBefore)];
  await db.executeQuery(CompiledQuery.raw(saveLooksQuery, values));
}

const watchQuery = `select settings_address, transaction_index, stale_transaction_index, read_slot, active_at, due_at
  from proposal_watch where environment = $1 and settings_address = $2`;

/** How far one account was followed; nothing of an account that is new here. */
export async function getWatch(db: DbOrTrx, environment: EnvironmentName, settingsAddress: string): Promise<Watch> {
  const { rows } = await db.executeQuery<WatchRow>(CompiledQuery.raw(watchQuery, [environment, settingsAddress]));
  const [row] = rows;
  if (row) return toWatch(row);
  const nothing = { transactionIndex: 0n, staleTransactionIndex: 0n, readSlot: -1n, activeAt: 0, dueAt: null };
  return { settingsAddress, ...nothing };
}
