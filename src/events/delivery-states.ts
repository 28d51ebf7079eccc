import { defineStates } from "../kernel/states.js";
import type { WebhookDeliveryTable } from "../ports/database.js";

/** Where the delivery of an event to an endpoint can stand. A replay makes it pending again. */
export const deliveryStates = defineStates<WebhookDeliveryTable["state"]>({
  pending: ["delivered", "failed"],
  delivered: ["pending"],
  failed: ["pending"],
});
