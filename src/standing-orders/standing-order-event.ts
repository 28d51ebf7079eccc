import { type EventObjects, eventShape, example } from "@trellis/kernel/event-objects.js";
import type { Static } from "typebox";
import { WireOrder } from "./standing-order.js";

const { account, at, coin, id, settings, wallet } = example;

const shape = eventShape(WireOrder, {
  id: "StandingOrderSnapshot",
  without: { ui_amount: "the decimals of a currency are configured, and not in the database" },
});

const order = (status: Static<typeof shape.schema>["status"]): Static<typeof shape.schema> => ({
  id,
  account,
  status,
  ...(status === "inactive" ? { reason: "insufficient_balance" } : {}),
  mandate: status === "pending" ? "awaited" : "active",
  amount: "5000000",
  currency: coin,
  frequency: "monthly",
  period: "monthly",
  payment_rail: "solana",
  source: { account, currency: coin, payment_rail: "solana", details: { account } },
  destination: { address: wallet, currency: coin, payment_rail: "solana", details: { address: wallet } },
  destinations: [wallet],
  start_date: at,
  next_execution_date: at,
  spending_limit_address: settings,
  executor_address: wallet,
  valid_until: at,
  created_at: at,
  updated_at: at,
});

/** What events about standing orders carry. */
export const standingOrderEvents = {
  "standing_order.created": { ...shape, example: order("pending") },
  "standing_order.activated": { ...shape, example: order("active") },
  "standing_order.deactivated": { ...shape, example: order("inactive") },
  "standing_order.completed": { ...shape, example: order("completed") },
  "standing_order.cancelled": { ...shape, example: order("cancelled") },
} as const satisfies EventObjects;
