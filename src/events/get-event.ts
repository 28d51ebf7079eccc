import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import Type from "typebox";
import { Event } from "./event.js";
import { findEvent, showEvent } from "./event-store.js";

/** Gap 89. */
export const getEvent = endpoint(
  {
    operation: "getEvent",
    summary: "Get an event",
    tag: "Events",
    method: "GET",
    path: "/api/service/v1/events/{event_id}",
    scope: "webhooks:read",
    environment: "optional",
    params: Type.Object({ event_id: Type.String() }),
    response: { status: 200, envelope: true, schema: Event },
    errors: ["event_not_found"],
  },
  async (needs: { readonly db: Db }, { params, network, caller }) => {
    const owner = { tenantId: caller.tenantId, environment: network.name };
    const found = isEventId(params.event_id) ? await findEvent(needs.db, owner, params.event_id) : undefined;
    if (found === undefined) throw new TrellisError("event_not_found");
    return { data: showEvent(found) };
  },
);

/** The form of the id of an event; anything else need not reach the database. */
export const isEventId = (text: string): boolean => /^evt_[0-9a-f]{32}$/.test(text);
