import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { readDateTime } from "@trellis/kernel/instants.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { sql } from "kysely";
import Type from "typebox";
import { findEvent, findPlaceBefore } from "./event-store.js";
import { isEventId } from "./get-event.js";
import { feedPlace } from "./list-events.js";
import { matchesType, publishEvents } from "./publish-events.js";
import { getEndpointRow } from "./webhook-endpoint.js";

/** Gap 92. Events keep their ids, so that receivers know what they have had. */
export const replayEvents = endpoint(
  {
    operation: "replayEvents",
    summary: "Send events again",
    description:
      "One event; or all since an instant whose attempts have failed; or all since an instant that were never scheduled " +
      "for this endpoint, because it was disabled or did not exist yet. One call reads up to " +
      `${limits.replayMax} events; where there are more, \`next_cursor\` continues from there.`,
    tag: "Events",
    method: "POST",
    path: "/api/service/v1/webhook-endpoints/{endpoint_id}/replay",
    scope: "webhooks:write",
    environment: "optional",
    params: Type.Object({ endpoint_id: Type.String() }),
    body: Type.Object(
      {
        event_id: Type.Optional(Type.String()),
        failed_since: Type.Optional(Type.String({ format: "date-time" })),
        missing_since: Type.Optional(Type.String({ format: "date-time" })),
        cursor: Type.Optional(Type.String({ description: "With missing_since: `next_cursor` of the call before." })),
      },
      { examples: [{ failed_since: "2026-01-15T12:00:00.000Z" }] },
    ),
    refusesNearMisses: true,
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({
        scheduled: Type.Integer({ description: "How many events are sent again." }),
        more: Type.Boolean({
          description: "True: there are more; call it once more, with next_cursor if there is one.",
        }),
        next_cursor: Type.Optional(Type.String({ description: "With missing_since, where there are more." })),
      }),
    },
    errors: ["webhook_endpoint_not_found", "webhook_endpoint_disabled", "event_not_found", "invalid_cursor"],
  },
  async ({ db }: { readonly db: Db }, { params, body, network, caller }) => {
    const { event_id: eventId, failed_since: failedSince, missing_since: missingSince } = body;
    const from = body.cursor === undefined ? undefined : feedPlace.decode(body.cursor);
    if (from?.order === "desc" || (from !== undefined && missingSince === undefined)) {
      throw new TrellisError("invalid_cursor", { field: "cursor" });
    }
    if ([eventId, failedSince, missingSince].filter((one) => one !== undefined).length !== 1) {
      throw new TrellisError("invalid_request", {
        message: "Name event_id, failed_since or missing_since, and one of them.",
      });
    }
    const owner = { tenantId: caller.tenantId, environment: network.name };
    const row = await getEndpointRow(db, owner, params.endpoint_id);
    if (row.status !== "enabled") throw new TrellisError("webhook_endpoint_disabled");
    const now = network.clock.now();
    const again = sql`state = 'pending', attempts = 0, next_attempt_at = ${now}::int8, ahead_ms = null`;
    await publishEvents(db, network);
    let scheduled = sql``;
    let next: string | undefined;
    if (eventId !== undefined) {
      const event = isEventId(eventId) ? await findEvent(db, owner, eventId) : undefined;
      if (event === undefined) throw new TrellisError("event_not_found");
      scheduled = sql`insert into webhook_delivery (endpoint_id, event_id, environment, state, next_attempt_at, created_at)
        values (${row.id}, ${event.id}, ${network.name}, 'pending', ${now}::int8, ${event.placed_at}::int8)
        on conflict (endpoint_id, event_id) do update set ${again} returning event_id`;
    } else if (failedSince !== undefined) {
      scheduled = sql`update webhook_delivery set ${again}
        where endpoint_id = ${row.id} and event_id = any(array(
          select event_id from webhook_delivery where endpoint_id = ${row.id} and state = 'failed'
            and created_at >= ${instantOf(failedSince, "failed_since")}::int8
          order by created_at limit ${limits.replayMax} for update)) returning event_id`;
    } else {
      const since = instantOf(missingSince ?? "", "missing_since");
      const behind = from?.place ?? (await findPlaceBefore(db, owner, since - limits.clocksApartMs));
      const { rows: stretch } = await sql<{ place: bigint }>`select place from event
        where tenant_id = ${owner.tenantId} and environment = ${owner.environment} and place > ${behind}::int8
        order by place limit ${limits.replayMax}`.execute(db);
      const last = stretch.at(-1)?.place;
      if (last !== undefined && stretch.length === limits.replayMax)
        next = feedPlace.encode({ order: "asc", place: last });
      scheduled = sql`insert into webhook_delivery (endpoint_id, event_id, environment, state, next_attempt_at, created_at)
        select ${row.id}, event.id, event.environment, 'pending', ${now}::int8, event.placed_at
        from event cross join (select ${row.types}::text[] as types) as wanted
        where event.tenant_id = ${owner.tenantId} and event.environment = ${owner.environment}
          and event.place > ${behind}::int8 and event.place <= ${last ?? behind}::int8
          and event.placed_at >= ${since}::int8 and ${matchesType("wanted.types", "event.type")}
          ${row.object_id === null ? sql`` : sql`and event.object_id = ${row.object_id}`}
        on conflict do nothing returning event_id`;
    }
    const { rows } = await sql<{ count: number }>`
      with scheduled as (${scheduled}), woken as (
        update webhook_endpoint set next_due_at = least(next_due_at, ${now}::int8)
        where id = ${row.id} and exists (select from scheduled)
      )
      select count(*)::int4 as count from scheduled`.execute(db);
    const count = rows[0]?.count ?? 0;
    if (missingSince !== undefined) {
      return {
        data: { scheduled: count, more: next !== undefined, ...(next === undefined ? {} : { next_cursor: next }) },
      };
    }
    return { data: { scheduled: count, more: count >= limits.replayMax } };
  },
);

/** Unix milliseconds. Throws `invalid_request` for what no clock shows. */
function instantOf(text: string, field: string): number {
  const instant = readDateTime(text);
  if (instant !== undefined) return instant;
  throw new TrellisError("invalid_request", {
    field,
    message: `${field} must be a date-time with its offset, like 2026-12-01T08:00:00Z.`,
  });
}
