import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { AccountTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Rails } from "@trellis/kernel/ports/rails.js";
import type { Step } from "@trellis/kernel/steps.js";
import { orUnavailable } from "../rails/ask-partner.js";
import { findExternalAccount } from "../rails/external-account-store.js";
import type { RailNeeds } from "../rails/rail-needs.js";
import { readTransferRow, type TransferRow } from "../rails/transfer-store.js";
import { beginTransfer, giveUp } from "../rails/transfers.js";
import { prepareIntent, type WantedPayment } from "./prepare-intent.js";
import { recordBankPayment } from "./record-bank-payment.js";

/** A request for a payment to a bank. */
export interface BankPaymentFlow {
  readonly needs: RailNeeds;
  readonly network: Network;
  readonly rails: Rails;
  readonly account: AccountTable;
  readonly wanted: WantedPayment;
  readonly operationId: string | undefined;
}

/**
 * How a payment to a bank is made ready for its signatures: each attempt under an idempotency key resumes from the row that the
 * former one left. Undefined: there is none. No pass takes these steps; what no caller resumes, it cancels
 * (`rails/transfers.ts`).
 */
export const bankPaymentSteps: readonly Step<BankPaymentFlow, TransferRow | undefined>[] = [
  {
    // The transfer that is wanted, with the keys under which the partner is asked.
    name: "record the transfer",
    isDone: (row) => row !== undefined,
    run: ({ needs, network, account, wanted, operationId }) =>
      recordBankPayment(needs, network, account, wanted, operationId),
  },
  {
    // The partner has the transfer, and its row says under which name and at which address the coins are awaited.
    name: "open it at the partner",
    isDone: (row) => row !== undefined && row.partner_ref !== null,
    run: ({ needs, network, rails }, row) => {
      assertOurs(row, "a transfer is recorded before its partner hears of it");
      return orUnavailable(beginTransfer(needs, network, rails, row.id));
    },
  },
  {
    // The prepared transaction, the payment intent and the answer of the transfer: one statement.
    name: "prepare the payment",
    isDone: (row) => row !== undefined && row.answer !== null,
    run: preparePaymentTo,
  },
];

async function preparePaymentTo(flow: BankPaymentFlow, begun: TransferRow | undefined): Promise<TransferRow> {
  const { needs, network, account, wanted } = flow;
  const { tenant_id: tenantId, address } = account;
  assertOurs(begun, "a transfer is recorded before it is paid");
  const to = begun.to_address;
  if (to === null || begun.told !== "awaiting_funds") {
    await giveUp(needs, begun.id);
    throw new TrellisError("partner_unavailable", {
      message: "The partner opened this transfer and does not wait for its money. Repeat the request.",
    });
  }
  const destination = {
    currency: begun.fiat,
    payment_rail: begun.rail,
    ...(begun.external_account_id === null ? {} : { external_account_id: begun.external_account_id }),
  };
  try {
    const { destination: _bank, ...rest } = wanted;
    await prepareIntent(needs, network, tenantId, address, {
      ...rest,
      destination: { address: to },
      bank: { id: begun.id, destination },
    });
  } catch (error) {
    // It has no answer and never will: its transfer is cancelled at the partner.
    if (error instanceof TrellisError && error.code !== "chain_unavailable") await giveUp(needs, begun.id);
    throw error;
  }
  const after = await readTransferRow(needs.db, begun.id);
  if (after === undefined) throw new TrellisError("partner_unavailable");
  if (after.answer !== null) return after;
  // Its partner has ended it meanwhile, or the bank account was removed.
  await giveUp(needs, begun.id);
  const owner = { tenantId, environment: network.name, address };
  const bank = await findExternalAccount(needs.db, owner, after.external_account_id ?? "");
  if (bank === undefined)
    throw new TrellisError("external_account_not_found", { field: "destination.external_account_id" });
  throw new TrellisError("partner_unavailable");
}
