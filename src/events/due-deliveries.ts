import type { Db, EventTable } from "@trellis/kernel/ports/database.js";
import { type Selectable, sql } from "kysely";
import type { WebhookEndpointRow } from "./webhook-endpoint.js";

/** One event that is due at the endpoint. */
export interface DueDelivery extends Selectable<EventTable> {
  readonly event_id: string;
  readonly attempts: number;
  readonly next_attempt_at: bigint;
  readonly ahead_ms: bigint | null;
}

export async function findDue(
  db: Db,
  row: WebhookEndpointRow,
  now: number,
  limit: number,
): Promise<readonly DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    select event.*, due.event_id, due.attempts, due.next_attempt_at, due.ahead_ms from (
      select event_id, attempts, next_attempt_at, ahead_ms from webhook_delivery
      where endpoint_id = ${row.id} and state = 'pending' and next_attempt_at <= ${now}::int8
      order by next_attempt_at limit ${limit}
    ) as due join event on event.id = due.event_id
    order by due.next_attempt_at`.execute(db);
  return rows;
}

/** Gives an endpoint back: it is due when its next delivery is, or what was scheduled meanwhile. */
export async function release(db: Db, row: WebhookEndpointRow, notBefore: number): Promise<void> {
  // Its own columns are read as they are once the row is locked: what another process schedules meanwhile is not lost.
  await sql`update webhook_endpoint set leased_until = null,
      next_due_at = case when status = 'enabled' and coalesce(next_due_at, due.at) is not null
        then greatest(least(next_due_at, due.at), ${notBefore}::int8) end
    from (select min(next_attempt_at) as at from webhook_delivery where endpoint_id = ${row.id} and state = 'pending') as due
    where id = ${row.id} and leased_until = ${row.leased_until}::int8`.execute(db);
}
