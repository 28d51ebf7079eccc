import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { limits } from "@trellis/kernel/limits.js";
import { addressText, decimalText, signatureText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { openInstructions, openReceipt, openReturnReason } from "../rails/transfer-store.js";
import { paymentIntentStates } from "../submissions/intent-states.js";
import { transactionExecuted } from "../transactions/chain-failure.js";
import type { FoundIntent, FoundTransfer } from "./intent-store.js";

/** Where the money comes from, as the wire shows it. */
export const IntentSource = Type.Object(
  {
    account: Type.Optional(addressText({ description: "The smart account of the path, where it pays." })),
    currency: Type.String({ examples: ["usdc"] }),
    payment_rail: Type.Optional(Type.String({ description: "Of a bank's: `ach_push`, `wire`, `sepa`, …" })),
  },
  { $id: "PaymentSource", examples: [{ account: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM", currency: "usdc" }] },
);

/** Where it goes, as a response shows it. */
export const IntentDestination = Type.Object(
  {
    address: Type.Optional(addressText({ description: "Who is paid on chain." })),
    currency: Type.String(),
    payment_rail: Type.Optional(Type.String({ description: "Of a bank's." })),
    external_account_id: Type.Optional(uuidText({ description: "The bank account that is paid." })),
    memo: Type.Optional(Type.String({ description: "The memo in the transaction of a payment on chain." })),
  },
  { $id: "PaymentDestination" },
);

export type IntentSource = Static<typeof IntentSource>;
export type IntentDestination = Static<typeof IntentDestination>;

/** What every answer about an intent has (gap 33). */
export const intentFields = {
  id: uuidText(),
  state: Type.Enum([...paymentIntentStates], { description: "The payment's state." }),
  amount: decimalText({ description: "Base units; of money from a bank, a decimal in its currency." }),
  currency: Type.String(),
  source: IntentSource,
  destination: IntentDestination,
  created_at: Type.String({ format: "date-time" }),
  updated_at: Type.String({ format: "date-time", description: "When its state last moved." }),
};

/** Where the money of an intent with a bank has to be sent (gap 102). */
export const DepositInstructions = Type.Record(Type.String(), Type.String(), {
  $id: "DepositInstructions",
  description:
    "With a bank at either end: where the money has to be sent. For a payment to a bank `to_address`, on chain, which the " +
    "prepared transaction pays; for one from a bank the bank's details and `deposit_message`, which the payer must give.",
});

/** A payment intent as it is read (gap 78). */
export const PaymentIntent = Type.Object(
  {
    ...intentFields,
    source_deposit_instructions: Type.Optional(DepositInstructions),
    expires_at: Type.Optional(
      Type.String({
        format: "date-time",
        description: "Of one from a bank that waits for its money: when it is cancelled at the partner.",
      }),
    ),
    return_details: Type.Optional(Type.Object({ reason: Type.String() }, { $id: "ReturnDetails" })),
    receipt: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        $id: "PaymentReceipt",
        description: "With a bank: what its partner reports.",
      }),
    ),
    transaction_signature: Type.Optional(
      signatureText({
        description: "From payment_submitted on. With a bank: of the payment on chain, once there is one.",
      }),
    ),
    confirmed_at: Type.Optional(
      Type.String({ format: "date-time", description: "Of one that is processed: the block." }),
    ),
    error: Type.Optional(
      Type.Object(
        { code: Type.String(), message: Type.String() },
        { $id: "PaymentFailure", description: "Of one that is canceled or in error: why nothing was paid." },
      ),
    ),
  },
  { $id: "PaymentIntent" },
);

export type PaymentIntent = Static<typeof PaymentIntent>;

/** An intent, and the state of its transaction, in the form of the wire. */
export function showIntent(found: FoundIntent, keyring: Keyring): PaymentIntent {
  const { intent, submission, transfer } = found;
  const error = errorOf(found);
  const signature = intent.rail === "in" ? creditedBy(transfer) : submission?.signature;
  const confirmedAt =
    intent.rail === "in"
      ? transfer?.credited_at
      : submission?.block_time == null
        ? null
        : BigInt(submission.block_time) * 1000n;
  const instructions = instructionsOf(found, keyring);
  const receipt = transfer === undefined ? undefined : openReceipt(keyring, transfer);
  const reason = transfer === undefined ? null : openReturnReason(keyring, transfer);
  return {
    id: intent.id,
    state: intent.state,
    amount: intent.amount,
    currency: intent.currency,
    source: JSON.parse(intent.source),
    destination: JSON.parse(intent.destination),
    created_at: new Date(Number(intent.created_at)).toISOString(),
    updated_at: new Date(Number(intent.updated_at)).toISOString(),
    ...(instructions === undefined ? {} : { source_deposit_instructions: instructions }),
    ...(intent.rail !== "in" || transfer === undefined || intent.state !== "awaiting_funds"
      ? {}
      : { expires_at: new Date(Number(transfer.created_at) + limits.payInOpenForMs).toISOString() }),
    ...(reason === null ? {} : { return_details: { reason } }),
    ...(receipt === undefined ? {} : { receipt }),
    ...(signature === undefined ? {} : { transaction_signature: signature }),
    ...(confirmedAt == null || (intent.rail === null && intent.state !== "payment_processed")
      ? {}
      : { confirmed_at: new Date(Number(confirmedAt)).toISOString() }),
    ...(error === undefined ? {} : { error }),
  };
}

const creditedBy = (transfer: FoundTransfer | undefined): string | undefined =>
  transfer?.credited_at == null ? undefined : (transfer.signature ?? undefined);

function instructionsOf({ intent, transfer }: FoundIntent, keyring: Keyring): Record<string, string> | undefined {
  if (transfer === undefined) return undefined;
  if (intent.rail === "in") return openInstructions(keyring, transfer);
  if (transfer.to_address === null) return undefined;
  return payOutInstructions(intent.account_address, transfer.to_address, transfer);
}

/** What a payment to a bank has to pay on chain. */
export const payOutInstructions = (
  from: string,
  to: string,
  { amount, coin }: Pick<FoundTransfer, "amount" | "coin">,
): Record<string, string> => ({
  payment_rail: "solana",
  currency: coin,
  amount,
  from_address: from,
  to_address: to,
});

function errorOf({ submission, error }: FoundIntent): PaymentIntent["error"] {
  if (error?.code !== "transaction_failed" || submission?.failure == null) return error;
  // Its call is no proposal's, so that the bytes, which may be deleted, say nothing more.
  const { code, message } = transactionExecuted(
    JSON.parse(submission.failure),
    submission.signature,
    new Uint8Array(0),
  );
  return { code, message };
}
