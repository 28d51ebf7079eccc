import type { EventObjects } from "@trellis/kernel/event-objects.js";
import Type from "typebox";

/** What events about webhook endpoints carry. */
export const webhookEndpointEvents = {
  "webhook_endpoint.disabled": {
    schema: Type.Object({
      id: Type.String(),
      url: Type.String(),
      types: Type.Array(Type.String()),
      status: Type.Literal("disabled"),
      disabled_reason: Type.Enum(["gone", "failing"]),
    }),
    example: {
      id: "we_00000000000000000000000000000000",
      url: "https://example.org/hooks",
      types: ["*"],
      status: "disabled",
      disabled_reason: "failing",
    },
  },
  "webhook.test": { schema: Type.Object({}, { additionalProperties: true }), example: { message: "It works." } },
} as const satisfies EventObjects;
