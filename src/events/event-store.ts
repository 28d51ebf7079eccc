import type { DbOrTrx, EventTable } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { type Selectable, sql } from "kysely";

/** Whose events. */
export interface EventOwner {
  readonly tenantId: string;
  readonly environment: EnvironmentName;
}

/** An event that has its place. */
export type PlacedEvent = Selectable<EventTable> & { readonly place: bigint };

/** A stretch of the feed. */
export interface FeedListing extends EventOwner {
  /** None named: all of them. */
  readonly types: readonly string[];
  readonly order: "asc" | "desc";
  /** Only what stands behind this place, in that order. */
  readonly from?: bigint;
  readonly limit: number;
}

const first = 0n;
const last = 9_223_372_036_854_775_807n;

/** A page of the feed. What is committed and has no place yet is not in it: see `publishEvents`. */
export async function listEvents(db: DbOrTrx, listing: FeedListing): Promise<readonly PlacedEvent[]> {
  const { tenantId, environment, types, order, limit } = listing;
  const from = listing.from ?? (order === "asc" ? first : last);
  const direction = sql.raw(order);
  const part = (
    ofType: boolean,
  ) => sql`select * from event where tenant_id = ${tenantId} and environment = ${environment}
    ${ofType ? sql`and type = wanted.type` : sql``} and place is not null
    and place ${order === "asc" ? sql`>` : sql`<`} ${from}::int8
    order by place ${direction} limit ${limit}`;
  // Each type has its own stretch of an index; the first of all of them are the first of each, merged.
  const statement =
    types.length === 0
      ? part(false)
      : sql`select found.* from unnest(${[...types]}::text[]) as wanted (type) cross join lateral (${part(true)}) as found
          order by found.place ${direction} limit ${limit}`;
  const { rows } = await statement.execute(db);
  return rows as PlacedEvent[];
}

/** The last place that was given out to this owner; 0 before the first. */
export async function findLastPlace(db: DbOrTrx, owner: EventOwner): Promise<bigint> {
  const [newest] = await listEvents(db, { ...owner, types: [], order: "desc", limit: 1 });
  return newest?.place ?? first;
}

/**
 * A place before which none of this owner's events is as late as an instant. Places are given out in the order of time, among the events of one
 * owner, as far as clocks agree: what was imported has its own. So a search by halves finds it.
 */
export async function findPlaceBefore(db: DbOrTrx, owner: EventOwner, at: number): Promise<bigint> {
  let low = first;
  let high = await findLastPlace(db, owner);
  while (low < high) {
    const middle = (low + high) / 2n;
    const [next] = await listEvents(db, { ...owner, types: [], order: "asc", from: middle, limit: 1 });
    if (next === undefined || Number(next.placed_at) >= at) high = middle;
    else low = next.place;
  }
  return low;
}

/** One event of this owner's. */
export async function findEvent(
  db: DbOrTrx,
  owner: EventOwner,
  id: string,
): Promise<Selectable<EventTable> | undefined> {
  return db
    .selectFrom("event")
    .selectAll()
    .where("id", "=", id)
    .where("tenant_id", "=", owner.tenantId)
    .where("environment", "=", owner.environment)
    .executeTakeFirst();
}

/** An event in the form of the wire. */
export interface WireEvent {
  id: string;
  type: string;
  timestamp: string;
  environment: EnvironmentName;
  tenant: string;
  example?: true;
  data: { object: Record<string, unknown>; sequence: number; previous_status?: string };
}

/** What the feed answers and receivers are sent: the same for good (gap 89). */
export function showEvent(
  event: Omit<Selectable<EventTable>, "object_id" | "once" | "place" | "placed_at">,
): WireEvent {
  return {
    id: event.id,
    type: event.type,
    timestamp: new Date(Number(event.created_at)).toISOString(),
    environment: event.environment as EnvironmentName,
    tenant: event.tenant_id,
    ...(event.is_example ? { example: true as const } : {}),
    data: {
      object: JSON.parse(event.data),
      sequence: Number(event.sequence),
      ...(event.previous_status === null ? {} : { previous_status: event.previous_status }),
    },
  };
}
