import { type RawBuilder, sql } from "kysely";
import { limits } from "../../limits.js";
import type { Db, SessionChainTable } from "../../ports/database.js";

const minuteMs = 60_000;

/** SQL that begins a chain for every row of `claimed`. `now` is environment time in Unix milliseconds, as below. */
export function beginChain(id: string, now: number): RawBuilder<unknown> {
  return sql`insert into session_chain (id, ended_at, refreshed_since, refreshes)
    select ${id}::text, null, ${now}::int8, 0 from claimed`;
}

/**
 * SQL with a row if the chain can be given one more session now. It locks the chain until that session is committed: an
 * end of the chain comes before it, and is seen here, or after it, and finds the session.
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
      refreshes = case when ${isNewMinute} then 1 else refreshes + 1 end
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

/** Ends a chain: from here on nobody opens another session of it, and no key of it is matched any more. */
export async function markChainEnded(db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable("session_chain")
    .set({ ended_at: BigInt(now) })
    .where("id", "=", id)
    .where("ended_at", "is", null)
    .execute();
}
