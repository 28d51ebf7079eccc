import { dateTime, type EventObjects, example, maybe } from "@trellis/kernel/event-objects.js";
import { addressText, amountText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";

const { account, at, coin, id, settings, wallet } = example;

const endpointObject = Type.Object({}, { additionalProperties: true });

const orderObject = Type.Object(
  {
    id: Type.String(),
    account: addressText(),
    status: Type.Enum(["pending", "active", "inactive", "completed", "cancelled"]),
    reason: maybe(Type.String()),
    mandate: Type.String(),
    amount: amountText({ description: "Of one payment." }),
    currency: Type.String(),
    frequency: Type.Enum(["daily", "weekly", "monthly"]),
    period: Type.Enum(["daily", "weekly", "monthly"]),
    payment_rail: Type.String(),
    source: endpointObject,
    destination: endpointObject,
    destinations: Type.Array(addressText()),
    start_date: dateTime,
    end_date: maybe(dateTime),
    occurrences: maybe(Type.Integer()),
    next_execution_date: maybe(dateTime),
    last_execution_date: maybe(dateTime),
    spending_limit_address: addressText(),
    executor_address: addressText(),
    proposal_address: maybe(addressText()),
    valid_until: dateTime,
    created_at: dateTime,
    updated_at: dateTime,
  },
  { $id: "StandingOrderSnapshot" },
);

const order = (status: Static<typeof orderObject>["status"]): Static<typeof orderObject> => ({
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
  source: { account, currency: coin },
  destination: { address: wallet, currency: coin },
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
  "standing_order.created": { schema: orderObject, example: order("pending") },
  "standing_order.activated": { schema: orderObject, example: order("active") },
  "standing_order.deactivated": { schema: orderObject, example: order("inactive") },
  "standing_order.completed": { schema: orderObject, example: order("completed") },
  "standing_order.cancelled": { schema: orderObject, example: order("cancelled") },
} as const satisfies EventObjects;
