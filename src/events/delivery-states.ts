import type { WebhookDeliveryTable } from "@trellis/kernel/ports/database.js";
import { defineStates } from "@trellis/kernel/states.js";

/** Where the delivery of an event to an endpoint can stand. A replay makes it pending again. */
export const deliveryStates = defineStates<WebhookDeliveryTable["state"]>({
  pending: ["delivered", "failed"],
  delivered: ["pending"],
  failed: ["pending"],
});
