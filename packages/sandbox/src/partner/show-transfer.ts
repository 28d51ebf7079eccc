import { type Coin, factsOf } from "@trellis/kernel/ports/coins.js";
import type { Leg, PartnerRef, RailTransfer, RailTransferState } from "@trellis/kernel/ports/rails.js";
import { centsOf, convert, formatCents, rateOf } from "./transfer-path.js";
import { type BankLeg, bankLegOf, type ChainLeg, type TransferRow } from "./transfer-steps.js";

/** What the partner reports of it. Details that could never be real. */
export function showTransfer(row: TransferRow): RailTransfer {
  const bank = bankLegOf(row);
  const peg = factsOf(row.coin as Coin).standsFor;
  const cents = centsOf(row.amount) ?? 0n;
  const isOut = row.direction === "out";
  const isOver = row.state === "payment_processed";
  const final = isOut ? formatCents(convert(cents, peg, bank.currency)) : row.amount;
  return {
    ref: row.ref as PartnerRef,
    clientReference: row.client_reference,
    state: row.state as RailTransferState,
    amount: row.amount,
    from: JSON.parse(row.from_leg) as Leg,
    to: JSON.parse(row.to_leg) as Leg,
    instructions: isOut
      ? {
          payment_rail: "solana",
          currency: row.coin,
          amount: row.amount,
          from_address: (JSON.parse(row.from_leg) as ChainLeg).address,
          to_address: row.watched ?? "",
        }
      : {
          payment_rail: bank.rail,
          currency: bank.currency,
          amount: row.amount,
          deposit_message: `SBX${row.ref.replaceAll("-", "").slice(0, 16).toUpperCase()}`,
          bank_name: "SANDBOX - DO NOT PAY",
          bank_address: "1 Nowhere Street, Sandbox",
          bank_beneficiary_name: "SANDBOX - DO NOT PAY",
          bank_beneficiary_address: "1 Nowhere Street, Sandbox",
          ...numbersOf(bank.currency),
        },
    receipt: {
      initial_amount: row.amount,
      subtotal_amount: row.amount,
      developer_fee: "0.00",
      exchange_fee: "0.00",
      gas_fee: "0.00",
      exchange_rate: isOut ? rateOf(peg, bank.currency) : "1",
      ...(isOver ? { final_amount: final } : {}),
      ...(row.source_signature === null ? {} : { source_tx_hash: row.source_signature }),
      ...(row.destination_signature === null ? {} : { destination_tx_hash: row.destination_signature }),
    },
    returned:
      row.state === "returned" || row.state === "undeliverable" ? { reason: "The sandbox's bank sent it back." } : null,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}

/** Checksums that are wrong, so that no bank takes them. */
function numbersOf(currency: BankLeg["currency"]): Record<string, string> {
  switch (currency) {
    case "usd":
      return { bank_routing_number: "000000001", bank_account_number: "000000000000" };
    case "eur":
      return { iban: "XX00SANDBOX000000000000", bic: "SANDXX00" };
    case "gbp":
      return { sort_code: "000000", account_number: "00000000" };
    case "mxn":
      return { clabe: "000000000000000001" };
    case "brl":
      return { br_code: "SANDBOX" };
  }
}
