import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";

/** Events that get their place in one transaction, at most, and transactions of one call. */
const batch = 500;
const batchesMax = 20;

/**
 * Gives every event of an environment that is committed its place in the feed, and schedules its deliveries. Places are given out by
 * the process that holds the one row for it, until its transaction is committed: so a reader that has read up to a place has seen all
 * that will ever stand before it, in whatever order the events themselves were committed. Any number of processes may
 * call it at once. Returns how many got a place.
 */
export async function publishEvents(db: Db, network: Pick<Network, "name" | "clock">): Promise<number> {
  let published = 0;
  for (let round = 0; round < batchesMax; round += 1) {
    // Most of the time there is nothing, and no process waits for the row.
    const { rows } = await sql`select from event where environment = ${network.name} and place is null limit 1`.execute(
      db,
    );
    if (rows.length === 0) break;
    const count = await publishSome(db, network);
    published += count;
    if (count < batch) break;
  }
  return published;
}

async function publishSome(db: Db, { name, clock }: Pick<Network, "name" | "clock">): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { next_place: next } = await trx
      .selectFrom("event_feed")
      .select("next_place")
      .where("id", "=", 1)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const now = clock.now();
    // A statement of its own, so that it sees what the holder before has committed.
    const { rows } = await sql<{ count: number }>`
      with fresh as materialized (
        select id, row_number() over (order by sequence) as number
        from (
          select id, sequence from event where environment = ${name} and place is null
          order by sequence limit ${sql.lit(batch)}
        ) as oldest
      ), placed as (
        update event set place = ${next}::int8 + fresh.number - 1, placed_at = ${now}::int8 from fresh
        where event.id = fresh.id
        returning event.id, event.tenant_id, event.environment, event.type, event.object_id
      ), moved as (
        update event_feed set next_place = ${next}::int8 + (select count(*) from fresh) where id = 1
      ), scheduled as (
        insert into webhook_delivery (endpoint_id, event_id, environment, state, next_attempt_at, created_at)
        select endpoint.id, placed.id, placed.environment, 'pending', ${now}::int8, ${now}::int8
        from placed cross join lateral (
          select * from webhook_endpoint where tenant_id = placed.tenant_id and environment = placed.environment
            and object_id is null and status <> 'deleted'
          union all
          select * from webhook_endpoint where tenant_id = placed.tenant_id and environment = placed.environment
            and object_id = placed.object_id
        ) as endpoint
        where endpoint.status = 'enabled' and ${matchesType("endpoint.types", "placed.type")}
        on conflict do nothing
        returning endpoint_id, next_attempt_at
      ), woken as (
        update webhook_endpoint set next_due_at = least(next_due_at, due.at)
        from (
          select held.id, due.at from webhook_endpoint as held
          join (select endpoint_id, min(next_attempt_at) as at from scheduled group by 1) as due on due.endpoint_id = held.id
          -- Always in the same order, so that no two transactions deadlock.
          order by held.id for update of held
        ) as due
        where webhook_endpoint.id = due.id
      )
      select count(*)::int4 as count from fresh`.execute(trx);
    return rows[0]?.count ?? 0;
  });
}

/** SQL: whether one of the filters takes the type; see `takesType`. */
export function matchesType(filters: string, type: string) {
  return sql`exists (select from unnest(${sql.ref(filters)}) as filter
    where filter = '*' or filter = ${sql.ref(type)} or starts_with(${sql.ref(type)}, filter || '.'))`;
}
