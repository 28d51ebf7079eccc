import Type, { type Static } from "typebox";
import { paymentIntentStates } from "../../core/payment-intents/intent-states.js";
import { transactionExecuted } from "../transactions/chain-failure.js";
import type { FoundIntent } from "./intent-store.js";

/** Where the money comes from, as the wire shows it. */
export const IntentSource = Type.Object({
  account: Type.String({ description: "The smart account of the path." }),
  currency: Type.String({ examples: ["usdc"] }),
});

/** Where it goes, as an answer shows it. */
export const IntentDestination = Type.Object({ address: Type.String(), currency: Type.String() });

export type IntentSource = Static<typeof IntentSource>;
export type IntentDestination = Static<typeof IntentDestination>;

/** What every answer about an intent has (gap 33). */
export const intentFields = {
  id: Type.String(),
  state: Type.Enum([...paymentIntentStates], { description: "See gaps 45 and 78." }),
  amount: Type.String({ description: "Base units." }),
  currency: Type.String(),
  source: IntentSource,
  destination: IntentDestination,
  created_at: Type.String({ format: "date-time" }),
  updated_at: Type.String({ format: "date-time", description: "When its state last moved." }),
};

/** A payment intent as it is read (gap 78). */
export const PaymentIntent = Type.Object({
  ...intentFields,
  transaction_signature: Type.Optional(Type.String({ description: "From payment_submitted on." })),
  confirmed_at: Type.Optional(
    Type.String({ format: "date-time", description: "Of one that is processed: the block." }),
  ),
  error: Type.Optional(
    Type.Object(
      { code: Type.String(), message: Type.String() },
      { description: "Of one that is canceled or in error: why nothing was paid." },
    ),
  ),
});

export type PaymentIntent = Static<typeof PaymentIntent>;

/** An intent, and what its transaction has come to, in the form of the wire. */
export function showIntent({ intent, submission }: FoundIntent): PaymentIntent {
  const error = errorOf({ intent, submission });
  return {
    id: intent.id,
    state: intent.state,
    amount: intent.amount,
    currency: intent.currency,
    source: JSON.parse(intent.source),
    destination: JSON.parse(intent.destination),
    created_at: new Date(Number(intent.created_at)).toISOString(),
    updated_at: new Date(Number(intent.updated_at)).toISOString(),
    ...(submission === undefined ? {} : { transaction_signature: submission.signature }),
    ...(intent.state !== "payment_processed" || submission?.block_time == null
      ? {}
      : { confirmed_at: new Date(Number(submission.block_time) * 1000).toISOString() }),
    ...(error === undefined ? {} : { error }),
  };
}

function errorOf({ intent, submission }: FoundIntent): PaymentIntent["error"] {
  if (intent.state === "error" && submission?.failure != null) {
    // Its call is no proposal's, so that the bytes, which may be gone, say nothing more.
    const { code, message } = transactionExecuted(
      JSON.parse(submission.failure),
      submission.signature,
      new Uint8Array(0),
    );
    return { code, message };
  }
  if (intent.state !== "canceled") return undefined;
  if (submission !== undefined) {
    return { code: "blockhash_expired", message: "It was submitted and never landed. Nothing was paid." };
  }
  return { code: "payload_expired", message: "It was not submitted in time. Nothing was paid." };
}
