import { endpoint } from "@trellis/kernel/endpoint.js";
import { assertOurs } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import Type from "typebox";
import { type CatalogueNeeds, parseEventType } from "../events/event-catalogue.js";
import { publishEvents } from "../events/publish-events.js";
import { recordEvent } from "../events/record-event.js";

/** Gap 94: a made-up event, for types that are hard to bring about. */
export const triggerEvent = endpoint(
  {
    operation: "sandboxTriggerEvent",
    summary: "Make up an event",
    description:
      "Puts the documented example of a type into the feed, marked `example`, and sends it to every receiver of it.",
    tag: "Sandbox",
    method: "POST",
    path: "/api/service/v1/sandbox/events",
    scope: "sandbox:use",
    environment: "sandbox",
    body: Type.Object({ type: Type.String({ examples: ["standing_order_run.missed"] }) }),
    refusesNearMisses: true,
    response: { status: 201, envelope: true, schema: Type.Object({ id: Type.String(), type: Type.String() }) },
    errors: ["unknown_event_type"],
  },
  async ({ db, eventCatalogue }: CatalogueNeeds & { readonly db: Db }, { body, network, caller, operationId }) => {
    const type = parseEventType(body.type);
    const id = await recordEvent(db, {
      tenantId: caller.tenantId,
      environment: network.name,
      type,
      objectId: `example/${type}`,
      data: eventCatalogue[type].example,
      isExample: true,
      ...(operationId === undefined ? {} : { once: `example/${operationId}` }),
      now: network.clock.now(),
    });
    assertOurs(id, "an event is recorded, or found");
    await publishEvents(db, network);
    return { data: { id, type } };
  },
);
