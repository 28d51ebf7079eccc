import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";
import { createDeliverer, type DeliveryNeeds } from "./deliver-events.js";
import { deliveryStates } from "./delivery-states.js";
import { endpointStates } from "./endpoint-states.js";
import { secretContext } from "./webhook-endpoint.js";
import { webhookEndpointEvents } from "./webhook-endpoint-event.js";

const { kept } = limits;

export const events: Module<DeliveryNeeds> = {
  name: "events",
  events: webhookEndpointEvents,
  passes: (needs, network) => {
    const deliverer = createDeliverer(needs, network);
    return [
      {
        name: "deliver_events",
        everyMs: limits.deliverEveryMs,
        run: () => deliverer.tick(),
        stop: () => deliverer.stop(),
      },
    ];
  },
  sealedColumns: ["secret", "previous_secret"].map((column) => ({
    table: "webhook_endpoint",
    column,
    key: ["id"],
    contextOf: ({ id }) => secretContext(String(id)),
  })),
  states: [
    { table: "webhook_endpoint", column: "status", states: endpointStates },
    { table: "webhook_delivery", column: "state", states: deliveryStates },
  ],
  retention: [
    // Their deliveries go with them.
    { table: "event", since: "placed_at", keptMs: kept.eventMs, clock: "environment" },
    { table: "webhook_attempt", since: "attempted_at", keptMs: kept.webhookAttemptMs, clock: "environment" },
    {
      table: "webhook_endpoint",
      since: "created_at",
      keptMs: kept.intentEndpointMs,
      clock: "environment",
      only: "object_id is not null",
    },
    {
      table: "webhook_endpoint",
      since: "updated_at",
      keptMs: kept.deletedEndpointMs,
      clock: "environment",
      only: "status = 'deleted'",
      // However many there were, they go with their events, a few at a time. In their order one is found by the key.
      except:
        "coalesce((select true from webhook_delivery where endpoint_id = old.id order by event_id limit 1), false)",
    },
  ],
};
