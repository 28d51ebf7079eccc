import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";
import { transferStates } from "../rails/transfer-states.js";
import { paymentIntentEvents } from "./payment-intent-event.js";

export const payments: Module<unknown> = {
  name: "payments",
  events: paymentIntentEvents,
  states: [{ table: "payment_intent", column: "state", states: transferStates }],
  retention: [
    { table: "payment_intent", since: "created_at", keptMs: limits.kept.paymentIntentMs, clock: "environment" },
  ],
};
