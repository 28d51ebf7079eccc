import { type EventObjects, eventShape, example, leftOut } from "@trellis/kernel/event-objects.js";
import type { Static } from "typebox";
import { PaymentIntent } from "./payment-intent.js";

const { account, at, coin, id, signature, wallet } = example;

/**
 * Of a payment whose transaction failed, the message in `error` is the chain's alone: GET adds what the program's number means.
 */
const shape = eventShape(PaymentIntent, {
  id: "PaymentIntentSnapshot",
  without: {
    source_deposit_instructions: leftOut.sealed,
    expires_at: "the money of a payment from a bank is asked for after its `created` event",
    return_details: leftOut.sealed,
    receipt: leftOut.sealed,
  },
});

const intent = (state: "awaiting_funds" | "payment_processed"): Static<typeof shape.schema> => ({
  id,
  state,
  amount: "5000000",
  currency: coin,
  source: { account, currency: coin },
  destination: { address: wallet, currency: coin },
  ...(state === "payment_processed" ? { transaction_signature: signature, confirmed_at: at } : {}),
  created_at: at,
  updated_at: at,
});

/** What events about payments carry. */
export const paymentIntentEvents = {
  "payment_intent.created": { ...shape, example: intent("awaiting_funds") },
  "payment_intent.updated": { ...shape, example: intent("payment_processed") },
} as const satisfies EventObjects;
