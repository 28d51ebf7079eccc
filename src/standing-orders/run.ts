import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { RailPayoutAddressTable, RailPayoutTable, StandingOrderRunTable } from "@trellis/kernel/ports/database.js";
import { type RailTransferState, railTransferStates } from "@trellis/kernel/ports/rails.js";
import { addressText, amountText, signatureText, uuidText } from "@trellis/kernel/wire-texts.js";
import type { Selectable } from "kysely";
import Type, { type Static } from "typebox";
import { openPayoutReason, openPayoutReceipt } from "../rails/payouts.js";
import { runStates } from "./run-states.js";
import { toDateTime } from "./standing-order.js";
import type { StandingOrder } from "./standing-order-store.js";

const dateTime = Type.String({ format: "date-time" });
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

/** What became of a payment at the bank (gap 119). */
export const WirePayout = Type.Object(
  {
    id: uuidText(),
    standing_order_id: uuidText(),
    account: addressText({ description: "The smart account." }),
    due_at: dateTime,
    external_account_id: uuidText({ description: "The bank account that is paid." }),
    payment_rail: Type.String(),
    state: Type.Enum([...railTransferStates], { description: "As of a payment intent to a bank." }),
    amount: Type.String({ description: "Of the coin, as the partner says." }),
    currency: Type.String({ description: "The coin." }),
    destination_currency: Type.String({ description: "Of the bank account." }),
    transaction_signature: signatureText({ description: "Of the payment on chain." }),
    return_reason: orNull(Type.String()),
    receipt: orNull(Type.Record(Type.String(), Type.String())),
    created_at: dateTime,
    updated_at: dateTime,
  },
  { $id: "StandingOrderPayout" },
);

/** One due date of an order, and what became of it (gap 69). */
export const WireRun = Type.Object(
  {
    standing_order_id: uuidText(),
    account: addressText({ description: "The smart account." }),
    due_at: dateTime,
    state: Type.Enum([...runStates.all]),
    amount: amountText({ description: "Of one payment." }),
    currency: Type.String(),
    attempts: Type.Integer({ description: "Transactions that were signed for it, or found to fail before." }),
    paid_at: orNull(dateTime, "The block of the payment."),
    signature: orNull(signatureText(), "Of the payment that landed, or is under way."),
    error: orNull(Type.String(), "What stood in the way last."),
    payout: Type.Optional(
      orNull(
        WirePayout,
        "Of an order to a bank account: what became of the money there. Null: the partner has not reported it.",
      ),
    ),
  },
  { $id: "StandingOrderRun" },
);

/** A payout with what stands with the address it was paid to. */
export type PayoutRow = Selectable<RailPayoutTable> &
  Pick<RailPayoutAddressTable, "external_account_id" | "rail" | "coin" | "fiat">;

/** In the form of the wire, but for its payout. */
export function showRun(
  order: Pick<StandingOrder, "id" | "account_address" | "amount" | "currency">,
  run: Selectable<StandingOrderRunTable>,
): Omit<Static<typeof WireRun>, "payout"> {
  return {
    standing_order_id: order.id,
    account: order.account_address,
    due_at: toDateTime(run.due_at),
    state: run.state,
    amount: order.amount,
    currency: order.currency,
    attempts: run.attempts,
    paid_at: run.paid_at === null ? null : toDateTime(run.paid_at),
    signature: run.signature,
    error: run.error,
  };
}

/** In the form of the wire. */
export function showPayout(keyring: Keyring, row: PayoutRow): Static<typeof WirePayout> {
  return {
    id: row.id,
    standing_order_id: row.order_id,
    account: row.account_address,
    due_at: toDateTime(row.due_at),
    external_account_id: row.external_account_id,
    payment_rail: row.rail,
    state: row.state as RailTransferState,
    amount: row.amount,
    currency: row.coin,
    destination_currency: row.fiat,
    transaction_signature: row.signature,
    return_reason: openPayoutReason(keyring, row),
    receipt: openPayoutReceipt(keyring, row),
    created_at: toDateTime(row.created_at),
    updated_at: toDateTime(row.updated_at),
  };
}
