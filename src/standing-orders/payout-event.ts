import { type EventObjects, eventShape, example, leftOut } from "@trellis/kernel/event-objects.js";
import type { Static } from "typebox";
import { WirePayout } from "./run.js";

const { account, at, coin, id, signature } = example;

const shape = eventShape(WirePayout, {
  id: "StandingOrderPayoutSnapshot",
  without: { return_reason: leftOut.sealed, receipt: leftOut.sealed },
});

const payout = (state: "funds_received" | "returned"): Static<typeof shape.schema> => ({
  id,
  standing_order_id: id,
  account,
  due_at: at,
  external_account_id: id,
  payment_rail: "ach_push",
  state,
  amount: "25.00",
  currency: coin,
  destination_currency: "usd",
  transaction_signature: signature,
  created_at: at,
  updated_at: at,
});

/** What events about payments of orders to bank accounts carry: the `payout` of the order's run. */
export const payoutEvents = {
  "standing_order_payout.created": { ...shape, example: payout("funds_received") },
  "standing_order_payout.updated": { ...shape, example: payout("returned") },
} as const satisfies EventObjects;
