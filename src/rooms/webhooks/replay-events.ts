import { sql } from "kysely";
import Type from "typebox";
import { findEvent } from "../../core/events/event-store.js";
import { matchesType, publishEvents } from "../../core/events/publish-events.js";
import { endpoint } from "../../endpoint.js";
import { TrellisError } from "../../errors.js";
import { limits } from "../../limits.js";
import type { Db } from "../../ports/database.js";
import { isEventId } from "./get-event.js";
import { getEndpointRow } from "./webhook-endpoint.js";

/** Gap 92. Events keep their ids, so that receivers know what they have had. */
export const replayEvents = endpoint(
  {
    operation: "replayEvents",
    summary: "Send events again",
    description:
      "One event; or all since an instant whose attempts have come to nothing; or all since an instant that were never " +
      `scheduled for this endpoint, because it was disabled or not there yet. Up to ${limits.replayMax} in one call.`,
    tag: "Events",
    method: "POST",
    path: "/api/service/v1/webhook-endpoints/{endpoint_id}/replay",
    scope: "webhooks:write",
    environment: "optional",
    params: Type.Object({ endpoint_id: Type.String() }),
    body: Type.Object({
      event_id: Type.Optional(Type.String()),
      failed_since: Type.Optional(Type.String({ format: "date-time" })),
      missing_since: Type.Optional(Type.String({ format: "date-time" })),
    }),
    refusesNearMisses: true,
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({
        scheduled: Type.Integer({ description: "How many events are sent again." }),
        more: Type.Boolean({ description: "True: there are more; call it once more." }),
      }),
    },
    errors: ["webhook_endpoint_not_found", "webhook_endpoint_disabled", "event_not_found"],
  },
  async ({ db }: { readonly db: Db }, { params, body, network, caller }) => {
    const { event_id: eventId, failed_since: failedSince, missing_since: missingSince } = body;
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
    await publishEvents(db);
    let scheduled = sql``;
    if (eventId !== undefined) {
      const event = isEventId(eventId) ? await findEvent(db, owner, eventId) : undefined;
      if (event === undefined) throw new TrellisError("event_not_found");
      scheduled = sql`insert into webhook_delivery (endpoint_id, event_id, environment, state, next_attempt_at, created_at)
        values (${row.id}, ${event.id}, ${network.name}, 'pending', ${now}::int8, ${event.created_at}::int8)
        on conflict (endpoint_id, event_id) do update set ${again} returning event_id`;
    } else if (failedSince !== undefined) {
      scheduled = sql`update webhook_delivery set ${again}
        where endpoint_id = ${row.id} and event_id = any(array(
          select event_id from webhook_delivery where endpoint_id = ${row.id} and state = 'failed'
            and created_at >= ${Date.parse(failedSince)}::int8
          order by created_at limit ${limits.replayMax} for update)) returning event_id`;
    } else {
      scheduled = sql`insert into webhook_delivery (endpoint_id, event_id, environment, state, next_attempt_at, created_at)
        select ${row.id}, event.id, event.environment, 'pending', ${now}::int8, event.created_at
        from event cross join (select ${row.types}::text[] as types) as wanted
        where event.tenant_id = ${owner.tenantId} and event.environment = ${owner.environment} and event.place is not null
          and event.created_at >= ${Date.parse(missingSince ?? "")}::int8 and ${matchesType("wanted.types", "event.type")}
          ${row.object_id === null ? sql`` : sql`and event.object_id = ${row.object_id}`}
          and not exists (select from webhook_delivery as known
            where known.endpoint_id = ${row.id} and known.event_id = event.id)
        order by event.place limit ${limits.replayMax}
        on conflict do nothing returning event_id`;
    }
    const { rows } = await sql<{ count: number }>`
      with scheduled as (${scheduled}), woken as (
        update webhook_endpoint set next_due_at = least(next_due_at, ${now}::int8)
        where id = ${row.id} and exists (select from scheduled)
      )
      select count(*)::int4 as count from scheduled`.execute(db);
    const count = rows[0]?.count ?? 0;
    return { data: { scheduled: count, more: count >= limits.replayMax } };
  },
);
