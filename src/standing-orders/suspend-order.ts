import type { Db, DbOrTrx } from "@trellis/kernel/ports/database.js";
import { anyOf } from "@trellis/kernel/states.js";
import { sql } from "kysely";
import { orderStates } from "./order-states.js";
import { released, type StandingOrder, suspended } from "./standing-order-store.js";

/** What became of an operator's wish: the order as it is now, and whether that is by this call. */
export interface Suspension {
  readonly order: StandingOrder;
  readonly isDone: boolean;
}

/**
 * Keeps an order from paying anything new until it is released (gap 111), in one statement with its event: what is under way
 * is seen to its end, and its people can cancel it and not resume it. One that has ended, or is suspended already, stays as
 * it is. Undefined where there is no such order. `realNow`: Unix milliseconds; environment time is not at hand everywhere
 * from where this has to work, and no time of an order goes back.
 */
export async function suspendOrder(
  db: DbOrTrx,
  id: string,
  why: string,
  realNow: number,
): Promise<Suspension | undefined> {
  const { rows } = await sql<StandingOrder>`
    update standing_order set status = 'inactive', reason = ${suspended}::text, suspended_for = ${why}::text,
      -- One that was not read since its release continues, as if it had never been suspended.
      suspended_from = case when status = 'inactive' and reason is distinct from ${released}::text then reason end,
      updated_at = greatest(updated_at, ${Math.floor(realNow)}::int8),
      attempt_at = case when mandate = 'awaited' or renewal_limit_address is not null or exists (
          select from standing_order_run as run where run.order_id = standing_order.id and run.state = 'sending')
        then 0 else end_at + 1 end
    where id = ${id}::text and status in ${anyOf(orderStates.open)} and reason is distinct from ${suspended}::text
    returning *`.execute(db);
  return reported(db, id, rows[0]);
}

/**
 * Takes a suspension back: an order that was pending or active resumes with its next due date as soon as a pass runs,
 * and one that was inactive before is that again, for its former reason. What became due meanwhile is not paid any more.
 * Undefined where there is no such order; one that is not suspended stays as it is.
 */
export async function releaseOrder(db: DbOrTrx, id: string, realNow: number): Promise<Suspension | undefined> {
  const { rows } = await sql<StandingOrder>`
    update standing_order set reason = coalesce(suspended_from, ${released}::text), suspended_for = null,
      suspended_from = null, updated_at = greatest(updated_at, ${Math.floor(realNow)}::int8),
      attempt_at = case when suspended_from is null then 0 else coalesce(attempt_at, end_at + 1) end
    where id = ${id}::text and status = 'inactive' and reason = ${suspended}::text
    returning *`.execute(db);
  return reported(db, id, rows[0]);
}

async function reported(db: DbOrTrx, id: string, changed: StandingOrder | undefined): Promise<Suspension | undefined> {
  if (changed !== undefined) return { order: changed, isDone: true };
  const order = await db.selectFrom("standing_order").selectAll().where("id", "=", id).executeTakeFirst();
  return order && { order, isDone: false };
}

/** Those that are suspended, by their ids, `most` at most. */
export function findSuspended(db: Db, most: number): Promise<readonly StandingOrder[]> {
  return db
    .selectFrom("standing_order")
    .selectAll()
    .where(sql<boolean>`reason = 'operator'`)
    .orderBy("id")
    .limit(most)
    .execute();
}
