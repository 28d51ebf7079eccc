import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { AccountTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { walkSteps } from "@trellis/kernel/steps.js";
import { getAccountRow } from "../accounts/account-store.js";
import { getRails } from "../rails/ask-partner.js";
import type { RailNeeds } from "../rails/rail-needs.js";
import { findTransferOf, type TransferRow } from "../rails/transfer-store.js";
import type { PreparedFields } from "../transactions/prepared-transaction.js";
import { bankPaymentSteps } from "./bank-payment-steps.js";
import { findIntent } from "./intent-store.js";
import { type PaymentIntent, showIntent } from "./payment-intent.js";
import type { WantedPayment } from "./prepare-intent.js";

/** A payment to a bank that waits for its signatures. */
export interface PreparedBankPayment {
  readonly account: AccountTable;
  readonly intent: PaymentIntent;
  readonly prepared: PreparedFields;
}

/**
 * Prepares a payment to a bank account (gap 102): the partner opens a transfer and names the address that it monitors for the
 * coins, and the payment to exactly that address is prepared. Each step is recorded before the next: a repetition under the
 * same idempotency key resumes where the first attempt stopped, and no transfer is made twice.
 *
 * Throws what `bankIntentErrors` names.
 */
export async function payToBank(
  needs: RailNeeds,
  network: Network,
  tenantId: string,
  address: string,
  wanted: WantedPayment,
  operationId: string | undefined,
): Promise<PreparedBankPayment> {
  const rails = getRails(needs, network);
  const account = await getAccountRow(needs.db, { tenantId, environment: network.name, address });
  if (wanted.source.account !== address) {
    throw new TrellisError("invalid_request", {
      field: "source.account",
      message: "source.account must be the account of the path.",
    });
  }
  const known = await findTransferOf(needs.db, network, tenantId, operationId);
  const flow = { needs, network, rails, account, wanted, operationId };
  const answered = await walkSteps(bankPaymentSteps, flow, known);
  assertOurs(answered, "a payment that is prepared has its transfer");
  return answerOf(needs, network, account, answered);
}

/** What was answered, or would have been: the second caller gets the transaction of the first. */
async function answerOf(
  needs: RailNeeds,
  network: Network,
  account: AccountTable,
  row: TransferRow,
): Promise<PreparedBankPayment> {
  const owner = { tenantId: account.tenant_id, accountAddress: account.address };
  const found = await findIntent(needs.db, network, owner, row.id);
  assertOurs(found !== undefined && row.answer !== null, "an answered transfer has its payment intent");
  return { account, intent: showIntent(found, needs.keyring), prepared: JSON.parse(row.answer) as PreparedFields };
}
