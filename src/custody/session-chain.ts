import { limits } from "@trellis/kernel/limits.js";
import type { DbOrTrx, SessionChainTable, SessionEndReason } from "@trellis/kernel/ports/database.js";
import { type RawBuilder, sql } from "kysely";

/** How exactly activity is noted, and over how long refreshes are counted. */
export const minuteMs = 60_000;

/**
 * SQL that begins the chains of those sessions of `asked` whose `id`s are in `claimed`. Where the query `policy` says `one_session` of one, its
 * chain begins ended and without a reason: it opens together with the end of the others.
 */
export const beginChains: RawBuilder<unknown> = sql`insert into session_chain (id, ended_at, active_at, refreshed_since, refreshes)
    select asked.chain_id, case when policy.one_session then asked.created_at end, asked.created_at, asked.created_at, 0
    from asked join claimed using (id) left join policy using (id) order by asked.chain_id`;

/** Opens a chain that began ended. */
export async function markChainOpen(trx: DbOrTrx, id: string): Promise<void> {
  await sql`update session_chain set ended_at = null where id = ${id}::text and end_reason is null`.execute(trx);
}

/**
 * SQL with a row if the chain can be given one more session now. It locks the chain until that session is committed: an
 * end of the chain is before it, and is seen here, or after it, and finds the session. `now` is environment time in Unix
 * milliseconds, as below.
 */
export function lockChain(id: string, now: number): RawBuilder<unknown> {
  return sql`select id from session_chain
    where id = ${id}::text and ended_at is null
      and (refreshed_since <= ${now - minuteMs}::int8 or refreshes < ${limits.refreshesPerMinute}::int4)
    for update`;
}

/** SQL that counts a refresh of the chain for every row of `claimed`. */
export function countRefresh(id: string, now: number): RawBuilder<unknown> {
  const isNewMinute = sql`refreshed_since <= ${now - minuteMs}::int8`;
  return sql`update session_chain set
      refreshed_since = case when ${isNewMinute} then ${now}::int8 else refreshed_since end,
      refreshes = case when ${isNewMinute} then 1 else refreshes + 1 end, active_at = ${now}::int8
    from claimed where session_chain.id = ${id}::text`;
}

/** Seconds until the chain may be refreshed again (gap 20); 0: it may be now. */
export function refreshWaitSeconds(
  chain: Pick<SessionChainTable, "refreshed_since" | "refreshes">,
  now: number,
): number {
  const waitMs = Number(chain.refreshed_since) + minuteMs - now;
  return chain.refreshes < limits.refreshesPerMinute || waitMs <= 0 ? 0 : Math.ceil(waitMs / 1000);
}

/**
 * SQL that is true for a `chain` that has rested no longer than its tenant allows. Activity is noted once a minute, so
 * that it may rest up to a minute longer. `now` is SQL for environment time in Unix milliseconds, `idleSeconds` SQL for
 * what the tenant allows; null: any time.
 */
export const isActive = (now: string, idleSeconds = "tenant.session_idle_seconds"): string =>
  `((chain.active_at + ${minuteMs} + ${idleSeconds} * 1000::int8 > ${now}) is not false)`;

/**
 * Ends chains: from here on no other session of them is opened, and no key of them is matched any more. Those that have
 * ended before stay as they are. Returns the ids of those that it ended.
 */
export async function markChainsEnded(
  db: DbOrTrx,
  ids: readonly string[],
  now: number,
  reason: SessionEndReason,
): Promise<readonly string[]> {
  // In one order, so that two calls never wait for each other's rows.
  const { rows } = await sql<{ id: string }>`
    with open as materialized (
      select id from session_chain where id = any(${[...ids]}::text[]) and ended_at is null order by id for update
    )
    update session_chain set ended_at = ${now}::int8, end_reason = ${reason}::text from open
    where session_chain.id = open.id returning session_chain.id`.execute(db);
  return rows.map(({ id }) => id);
}
