import type { Address } from "@solana/kit";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import { parseBaseUnits } from "@trellis/kernel/money.js";
import type { AccountTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { PartnerRef } from "@trellis/kernel/ports/rails.js";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { findFeeEpoch } from "../payees/fee-epoch.js";
import { judgeTokens } from "../payees/judge-tokens.js";
import { refuseObstacle } from "../payees/obstacle.js";
import { getRails } from "../rails/ask-partner.js";
import { findExternalAccount } from "../rails/external-account-store.js";
import { requireCustomer } from "../rails/rail-customer.js";
import type { RailNeeds } from "../rails/rail-needs.js";
import { recordTransfer, type TransferRow } from "../rails/transfer-store.js";
import { requireTokens } from "../transactions/require-payable.js";
import { paymentFields } from "../transactions/transfer-instructions.js";
import { getCoin, getOffer, parseFiat, parseRail, toCents } from "./bank-end.js";
import type { WantedPayment } from "./prepare-intent.js";

const referenceCharactersMax = 140;

/**
 * Records the transfer of a payment to a bank, once all is found right that can be known before the partner is asked. Throws
 * what `bankIntentErrors` names.
 */
export async function recordBankPayment(
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

/** Partners take no more. Throws `invalid_request`. */
function parseReference(reference: string): string {
  if ([...reference].length <= referenceCharactersMax) return reference;
  throw new TrellisError("invalid_request", {
    field: "destination.reference",
    message: `destination.reference has at most ${referenceCharactersMax} characters where a bank is paid.`,
  });
}
