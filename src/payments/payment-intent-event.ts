import { dateTime, type EventObjects, example, maybe } from "@trellis/kernel/event-objects.js";
import { amountText, signatureText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";

const { account, at, coin, id, signature, wallet } = example;

const endpointObject = Type.Object({}, { additionalProperties: true });

const intentObject = Type.Object(
  {
    id: Type.String(),
    state: Type.String({ description: "The payment's state." }),
    amount: amountText(),
    currency: Type.String(),
    source: endpointObject,
    destination: endpointObject,
    transaction_signature: maybe(signatureText()),
    confirmed_at: maybe(dateTime),
    error: maybe(
      Type.Object(
        { code: Type.String(), message: Type.String() },
        { $id: "PaymentFailure", description: "Of one that is canceled or in error: why nothing was paid." },
      ),
    ),
    created_at: dateTime,
    updated_at: dateTime,
  },
  { $id: "PaymentIntentSnapshot" },
);

const intent = (state: string): Static<typeof intentObject> => ({
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
  "payment_intent.created": { schema: intentObject, example: intent("awaiting_funds") },
  "payment_intent.updated": { schema: intentObject, example: intent("payment_processed") },
} as const satisfies EventObjects;
