import { type EventObjects, eventShape, example, leftOut } from "@trellis/kernel/event-objects.js";
import Type from "typebox";
import { HistoryTransaction } from "./list-transactions.js";

const { account, at, id, signature } = example;

const kind = leftOut.chain;
const block = "the service has not read the block it is in";
const nothing = "there is none";

const purpose = {
  schema: Type.Enum(["transaction", "standing_order"]),
  why: "what it was submitted for is known here alone",
};

/** In the list it is `finalized` a while later. */
const confirmed = eventShape(HistoryTransaction, {
  id: "TransactionSnapshot",
  without: { kind, error: nothing },
  own: { purpose },
});

const failed = eventShape(HistoryTransaction, {
  id: "FailedTransactionSnapshot",
  without: { kind, slot: block, created_at: block, confirmed_at: block },
  own: { purpose },
});

/** It is in no list. */
const expired = eventShape(HistoryTransaction, {
  id: "ExpiredTransactionSnapshot",
  without: { kind: nothing, slot: nothing, created_at: nothing, confirmed_at: nothing, error: nothing },
  own: { purpose, status: { schema: Type.Literal("expired"), why: "what did not land is in no list" } },
});

const transaction = { id, account, signature, purpose: "transaction" };

/** What events about submitted transactions carry. */
export const transactionEvents = {
  "transaction.confirmed": {
    ...confirmed,
    example: { ...transaction, status: "confirmed", slot: 4_711, created_at: at, confirmed_at: at },
  },
  "transaction.failed": {
    ...failed,
    example: { ...transaction, status: "failed", error: { InstructionError: [1, { Custom: 1 }] } },
  },
  "transaction.expired": { ...expired, example: { ...transaction, status: "expired" } },
} as const satisfies EventObjects;
