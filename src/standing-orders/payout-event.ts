import { dateTime, type EventObjects, example } from "@trellis/kernel/event-objects.js";
import { railTransferStates } from "@trellis/kernel/ports/rails.js";
import { addressText, signatureText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";

const { account, at, coin, id, signature } = example;

const payoutObject = Type.Object(
  {
    id: Type.String(),
    standing_order_id: uuidText(),
    account: addressText(),
    due_at: dateTime,
    external_account_id: uuidText(),
    payment_rail: Type.String(),
    state: Type.Enum([...railTransferStates]),
    amount: Type.String({ description: "Of the coin, decimal, as the partner says." }),
    currency: Type.String(),
    destination_currency: Type.String(),
    transaction_signature: signatureText({ description: "Of the payment on chain." }),
    created_at: dateTime,
    updated_at: dateTime,
  },
  { $id: "StandingOrderPayoutSnapshot" },
);

const payout = (state: "funds_received" | "returned"): Static<typeof payoutObject> => ({
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

/** What events about payments of orders to bank accounts carry. */
export const payoutEvents = {
  "standing_order_payout.created": { schema: payoutObject, example: payout("funds_received") },
  "standing_order_payout.updated": { schema: payoutObject, example: payout("returned") },
} as const satisfies EventObjects;
