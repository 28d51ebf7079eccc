import { type EventObjects, eventShape, example } from "@trellis/kernel/event-objects.js";
import type { Static } from "typebox";
import { WireRun } from "./run.js";

const { account, at, coin, id, signature } = example;

const shape = eventShape(WireRun, {
  id: "StandingOrderRunSnapshot",
  without: { payout: "it has events of its own, `standing_order_payout.*`" },
});

const run = (state: "paid" | "retrying" | "missed"): Static<typeof shape.schema> => ({
  standing_order_id: id,
  account,
  due_at: at,
  state,
  amount: "5000000",
  currency: coin,
  attempts: 1,
  ...(state === "paid"
    ? { paid_at: at, signature, error: null }
    : { paid_at: null, signature: null, error: "insufficient_balance" }),
});

/** What events about due dates carry. */
export const runEvents = {
  "standing_order_run.paid": { ...shape, example: run("paid") },
  "standing_order_run.failed": { ...shape, example: run("retrying") },
  "standing_order_run.missed": { ...shape, example: run("missed") },
} as const satisfies EventObjects;
