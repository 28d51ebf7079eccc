import type { Address } from "@solana/kit";
import { getAccountRow } from "../accounts/account-store.js";
import { assertOurs, TrellisError } from "../kernel/errors.js";
import { parseBaseUnits } from "../kernel/money.js";
import { findFeeEpoch } from "../payees/fee-epoch.js";
import { judgeTokens } from "../payees/judge-tokens.js";
import { refuseObstacle } from "../payees/obstacle.js";
import type { AccountTable } from "../ports/database.js";
import type { Network } from "../ports/network.js";
import type { PartnerRef } from "../ports/rails.js";
import { getRails, orUnavailable } from "../rails/ask-partner.js";
import { findExternalAccount } from "../rails/external-accounts.js";
import { requireCustomer } from "../rails/rail-customer.js";
import type { RailNeeds } from "../rails/rail-needs.js";
import { findTransferOf, readTransferRow, recordTransfer, type TransferRow } from "../rails/transfer-store.js";
import { beginTransfer, giveUp } from "../rails/transfers.js";
import { readAccounts } from "../solana/read-accounts.js";
import { deriveTokenAccount } from "../solana/token-address.js";
import type { PreparedFields } from "../transactions/prepared-transaction.js";
import { requireTokens } from "../transactions/require-payable.js";
import { paymentFields } from "../transactions/transfer-instructions.js";
import { getCoin, getOffer, parseFiat, parseRail, toCents } from "./bank-end.js";
import { findIntent } from "./intent-store.js";
import { type PaymentIntent, showIntent } from "./payment-intent.js";
import { prepareIntent, type WantedPayment } from "./prepare-intent.js";

const referenceCharactersMax = 140;

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
  const recorded = known ?? (await record(needs, network, account, wanted, operationId));
  if (recorded.answer !== null) return answerOf(needs, network, account, recorded);
  const begun = await orUnavailable(beginTransfer(needs, network, rails, recorded.id));
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
  if (after.answer !== null) return answerOf(needs, network, account, after);
  // Its partner has ended it meanwhile, or the bank account was removed.
  await giveUp(needs, begun.id);
  const owner = { tenantId, environment: network.name, address };
  const bank = await findExternalAccount(needs.db, owner, after.external_account_id ?? "");
  if (bank === undefined)
    throw new TrellisError("external_account_not_found", { field: "destination.external_account_id" });
  throw new TrellisError("partner_unavailable");
}

/** Partners take no more. Throws `invalid_request`. */
function parseReference(reference: string): string {
  if ([...reference].length <= referenceCharactersMax) return reference;
  throw new TrellisError("invalid_request", {
    field: "destination.reference",
    message: `destination.reference has at most ${referenceCharactersMax} characters where a bank is paid.`,
  });
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

async function record(
  needs: RailNeeds,
  network: Network,
  account: AccountTable,
  { amount, source, destination }: WantedPayment,
  operationId: string | undefined,
): Promise<TransferRow> {
  const { partner } = getRails(needs, network);
  const owner = { tenantId: account.tenant_id, environment: network.name, address: account.address };
  const coin = getCoin(network, source.currency, "source.currency");
  const baseUnits = parseBaseUnits(amount, "amount");
  const cents = toCents(baseUnits, coin.decimals);
  const fiat = parseFiat(destination.currency, "destination.currency");
  const rail = parseRail(destination.payment_rail, "destination.payment_rail");
  const offer = getOffer(
    partner.payOuts,
    ({ from, to }) => to === fiat && from.includes(coin.symbol),
    rail,
    "destination.payment_rail",
  );
  if (destination.external_account_id === undefined) {
    throw new TrellisError("invalid_request", {
      field: "destination.external_account_id",
      message: "destination.external_account_id must name the bank account that is paid.",
    });
  }
  const external = await findExternalAccount(needs.db, owner, destination.external_account_id);
  if (external === undefined || external.partner !== partner.name || external.partner_ref === null) {
    throw new TrellisError("external_account_not_found", { field: "destination.external_account_id" });
  }
  if (external.currency !== fiat) {
    throw new TrellisError("unsupported_currency", {
      field: "destination.currency",
      message: `This bank account is in ${external.currency}.`,
    });
  }
  const { customer, verificationId } = await requireCustomer(needs, network, owner, {
    endorsement: offer.endorsement,
    customer: external.customer_ref,
  });
  assertOurs(coin.tokenProgram !== null, "a token has a program");
  // Before the partner is asked; the address that it names is judged with the payment.
  const payer = account.address as Address;
  const tokens = deriveTokenAccount(payer, coin.mint, coin.tokenProgram);
  const [held, mint] = await readAccounts(network, [tokens, coin.mint]);
  const ends = {
    mint,
    source: { account: held, owner: payer },
    destination: null,
    hasMemo: false,
    epoch: await findFeeEpoch(network, [mint]),
  };
  refuseObstacle(judgeTokens(ends), paymentFields);
  await requireTokens(network, { owner: payer, source: tokens, account: held }, coin, baseUnits);
  return recordTransfer(needs, network, {
    account: { ...owner, userId: account.user_id },
    partner: partner.name,
    customer,
    verificationId,
    operationId,
    direction: "out",
    externalAccount: { id: external.id, ref: external.partner_ref as PartnerRef },
    coin: coin.symbol,
    mint: coin.mint,
    decimals: coin.decimals,
    baseUnits: baseUnits.toString(),
    fiat,
    rail,
    amount: cents,
    ...(destination.reference === undefined ? {} : { reference: parseReference(destination.reference) }),
  });
}
