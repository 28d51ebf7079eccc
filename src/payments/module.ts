import { limits } from "../kernel/limits.js";
import type { Module } from "../kernel/module.js";

export const payments: Module<unknown> = {
  name: "payments",
  retention: [
    { table: "payment_intent", since: "created_at", keptMs: limits.kept.paymentIntentMs, clock: "environment" },
  ],
};
