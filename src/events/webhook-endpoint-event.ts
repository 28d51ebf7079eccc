import { type EventObjects, eventShape, example } from "@trellis/kernel/event-objects.js";
import Type, { type Static } from "typebox";
import { WebhookEndpoint } from "./webhook-endpoint.js";

const { at } = example;

const shape = eventShape(WebhookEndpoint, { id: "DisabledWebhookEndpoint" });

const endpoint: Static<typeof shape.schema> = {
  id: "we_00000000000000000000000000000000",
  url: "https://example.org/hooks",
  types: ["*"],
  status: "disabled",
  disabled_reason: "failing",
  failing_since: at,
  created_at: at,
  updated_at: at,
};

/** What events about webhook endpoints carry. */
export const webhookEndpointEvents = {
  "webhook_endpoint.disabled": { ...shape, example: endpoint },
  "webhook.test": { schema: Type.Object({}, { additionalProperties: true }), example: { message: "It works." } },
} as const satisfies EventObjects;
