import { defineStates } from "../kernel/states.js";
import type { WebhookEndpointTable } from "../ports/database.js";

/** Where a webhook endpoint can stand. */
export const endpointStates = defineStates<WebhookEndpointTable["status"]>({
  enabled: ["disabled", "deleted"],
  disabled: ["enabled", "deleted"],
  deleted: [],
});
