import { limits } from "../kernel/limits.js";
import type { Module } from "../kernel/module.js";
import { paymentIntentEvents } from "./payment-intent-event.js";

export const payments: Module<unknown> = {
  name: "payments",
  events: paymentIntentEvents,
  retention: [
    { table: "payment_intent", since: "created_at", keptMs: limits.kept.paymentIntentMs, clock: "environment" },
  ],
};
