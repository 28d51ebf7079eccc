import { dateTime, type EventObjects, example, maybe } from "@trellis/kernel/event-objects.js";
import { addressText, signatureText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";

const { account, at, coin, id, signature } = example;

const runObject = Type.Object(
  {
    standing_order_id: uuidText(),
    account: addressText(),
    due_at: dateTime,
    status: Type.Enum(["paid", "failed", "missed"]),
    amount: Type.String(),
    currency: Type.String(),
    attempts: Type.Integer(),
    will_retry: Type.Boolean(),
    paid_at: maybe(dateTime),
    transaction_signature: maybe(signatureText()),
    error: maybe(Type.String()),
  },
  { $id: "StandingOrderRunSnapshot" },
);

const run = (status: "paid" | "failed" | "missed"): Static<typeof runObject> => ({
  standing_order_id: id,
  account,
  due_at: at,
  status,
  amount: "5000000",
  currency: coin,
  attempts: 1,
  will_retry: status === "failed",
  ...(status === "paid" ? { paid_at: at, transaction_signature: signature } : { error: "insufficient_balance" }),
});

/** What events about due dates carry. */
export const runEvents = {
  "standing_order_run.paid": { schema: runObject, example: run("paid") },
  "standing_order_run.failed": { schema: runObject, example: run("failed") },
  "standing_order_run.missed": { schema: runObject, example: run("missed") },
} as const satisfies EventObjects;
