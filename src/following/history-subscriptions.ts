import type { Address } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type { DbOrTrx } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { CompiledQuery } from "kysely";
import { createSubscriptions, onWake, type Refresh, type Subscription } from "./subscriptions.js";

interface State {
  /** When its lists of signatures were last read; null: never yet. */
  readonly readAt: number | null;
  readonly fingerprint: string | null;
}

interface Progress extends State {
  /** As of when everything is in the index, if it is. */
  readonly completeAt: number | null;
}

/** An account whose history is followed; its key is its address. */
export type HistorySubscription = Subscription & State;
/** Of it `readAt` and `completeAt` are null where the lists were not read, or something is missing. */
export type HistoryRefresh = Refresh & Progress;

const latest = (name: string) => `greatest(subscription.${name}, excluded.${name})`;

/** An account that is touched again and again is refreshed as often as refreshes may happen, and not more often. */
const waking = {
  key: "account_address",
  wokenAt: `greatest(excluded.due_at, coalesce(subscription.looked_at, 0) + ${limits.refreshesApartLeastMs})`,
};

export const historySubscriptions = createSubscriptions<State, Progress>({
  ...waking,
  table: "history_watch",
  accountKey: "address",
  // An account is named by its own address, its settings', or that of a token account that is known.
  namedKeys: `select unnest($2::text[])
    union select address from account where environment = $1 and settings_address = any($2::text[])
    union select account_address from history_address where environment = $1 and address = any($2::text[])`,
  columns: {
    looked_at: { type: "int8", update: latest("looked_at") },
    read_at: { type: "int8", update: latest("read_at") },
    complete_at: { type: "int8", update: latest("complete_at") },
    fingerprint: { type: "text", update: "excluded.fingerprint" },
  },
  stateColumns: ["read_at", "fingerprint"],
  stateOf: ({ read_at, fingerprint }) => ({
    readAt: read_at === null ? null : Number(read_at),
    fingerprint: fingerprint as string | null,
  }),
  noState: { readAt: null, fingerprint: null },
  valuesOf: ({ readAt, completeAt, fingerprint }) => ({ read_at: readAt, complete_at: completeAt, fingerprint }),
});

/** Has accounts' histories read soon. Each is named by its address, its settings', or that of a token account that is known. */
export const wakeHistories = historySubscriptions.wake;

/** Submissions read in one statement. */
const wokenMax = 5_000;

// Word for word the condition of the index by which their bytes are wiped.
const wakeSubmittedQuery = `with ended as materialized (
    select account_address, tenant_id, updated_at from submission
    where environment = $1 and state in ('landed', 'failed', 'expired') and wire_transaction <> '' and updated_at > $2
    order by updated_at limit ${wokenMax}
  ), woken as (
    insert into history_watch as subscription (environment, account_address, tenant_id, active_at, due_at)
    select $1::text, account_address, max(tenant_id), max(updated_at), max(updated_at) from ended where account_address is not null
    group by account_address order by account_address
    ${onWake(waking)} where subscription.active_at < excluded.active_at
  )
  select count(*)::int4 as count, max(updated_at) as latest from ended`;

/**
 * Wakes the accounts whose submissions have ended since `since`. Returns until when that is done, and
 * whether it was all. Environment time, Unix milliseconds.
 */
export async function wakeSubmitted(
  db: DbOrTrx,
  environment: EnvironmentName,
  since: number,
): Promise<{ readonly until: number; readonly isAll: boolean }> {
  type Row = { readonly count: number; readonly latest: bigint | null };
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(wakeSubmittedQuery, [environment, BigInt(since)]));
  const [row] = rows;
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
 * Whether a submission of the account has ended since `since` (environment time, Unix milliseconds): searched for
 * among all that have, so that should not be long ago.
 */
export async function hasEnded(
  db: DbOrTrx,
  { environment, address }: { readonly environment: EnvironmentName; readonly address: Address },
  since: number,
): Promise<boolean> {
  const values = [environment, address, BigInt(Math.floor(since))];
  const { rows } = await db.executeQuery<{ ended: boolean }>(CompiledQuery.raw(endedQuery, values));
  return rows[0]?.ended ?? false;
}
