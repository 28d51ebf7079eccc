import type { WebhookEndpointTable } from "@trellis/kernel/ports/database.js";
import { defineStates } from "@trellis/kernel/states.js";

/** Where a webhook endpoint can stand. */
export const endpointStates = defineStates<WebhookEndpointTable["status"]>({
  enabled: ["disabled", "deleted"],
  disabled: ["enabled", "deleted"],
  deleted: [],
});

/** Those that clients see: what is deleted is removed for them. */
export const liveStates = ["enabled", "disabled"] as const satisfies readonly WebhookEndpointTable["status"][];
