import { dateTime, type EventObjects, example, maybe } from "@trellis/kernel/event-objects.js";
import { addressText, sha256Text, signatureText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";

const { account, at, signature } = example;

const transactionObject = Type.Object(
  {
    id: sha256Text({ description: "Of the message." }),
    transaction_signature: signatureText(),
    account: maybe(addressText()),
    purpose: Type.Enum(["transaction", "standing_order"]),
    status: Type.Enum(["confirmed", "failed", "expired"]),
    slot: maybe(Type.Integer()),
    confirmed_at: maybe(dateTime),
    error: maybe(Type.Unknown({ description: "The chain's error, as JSON-RPC has it." })),
    created_at: dateTime,
  },
  { $id: "TransactionSnapshot" },
);

const transaction = (status: "confirmed" | "failed" | "expired"): Static<typeof transactionObject> => ({
  id: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  transaction_signature: signature,
  account,
  purpose: "transaction",
  status,
  ...(status === "confirmed" ? { slot: 4_711, confirmed_at: at } : {}),
  ...(status === "failed" ? { error: { InstructionError: [1, { Custom: 1 }] } } : {}),
  created_at: at,
});

/** What events about submitted transactions carry. */
export const transactionEvents = {
  "transaction.confirmed": { schema: transactionObject, example: transaction("confirmed") },
  "transaction.failed": { schema: transactionObject, example: transaction("failed") },
  "transaction.expired": { schema: transactionObject, example: transaction("expired") },
} as const satisfies EventObjects;
