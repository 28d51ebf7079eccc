import type { Address } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import { factsOf } from "@trellis/kernel/ports/coins.js";
import type { Currency, Network } from "@trellis/kernel/ports/network.js";
import type { BankRail, Coin, Fiat, PartnerRef, Rails, RailsPartner } from "@trellis/kernel/ports/rails.js";
import { isObstacle } from "../payees/obstacle.js";
import { getCoin, getOffer, parseFiat, parseFiatAmount, parseRail, toCents } from "../payments/bank-end.js";
import { getRails, kycRequired, orUnavailable, refusalError } from "../rails/ask-partner.js";
import { type ExternalAccountRow, findExternalAccount } from "../rails/external-account-store.js";
import { readExternalAccount } from "../rails/external-accounts.js";
import { readPayoutAddressRow, recordPayoutAddress, retirePayoutAddress } from "../rails/payout-address-store.js";
import { openPayoutAddress } from "../rails/payout-addresses.js";
import { requireCustomer } from "../rails/rail-customer.js";
import type { RailAccount } from "../rails/rail-kind.js";
import type { RailNeeds } from "../rails/rail-needs.js";
import type { ActingAccount } from "../transactions/acting-account.js";
import { trustOf } from "../transactions/require-payable.js";
import { checkPayee } from "./check-payee.js";
import type { RequestedBank } from "./endpoint-object.js";
import type { StandingOrder } from "./standing-order-store.js";

/** A bank account as the payee of an order: whom the limit names on chain, and how the payee is displayed. */
export interface BankPayee {
  readonly currency: Currency;
  /** The owner that the partner monitors. */
  readonly address: Address;
  readonly payoutAddressId: string;
  readonly externalAccountId: string;
  readonly last4: string;
  readonly fiat: Fiat;
  readonly rail: BankRail;
}

/**
 * Finds the address on chain behind a bank account, and opens it where the account has none for this coin and rail: it is
 * recorded with its key before the partner is asked, so that a repetition resumes where the first attempt stopped and a
 * second one is opened only where the partner has closed the first (gaps 119, 133).
 *
 * Throws `rail_not_available`, `unsupported_currency`, `invalid_amount`, `external_account_not_found`, `kyc_required`,
 * `partner_refused`, `partner_unavailable`, `chain_unavailable`.
 */
export async function openBankPayee(
  needs: RailNeeds,
  network: Network,
  account: ActingAccount,
  wanted: { readonly symbol: string | undefined; readonly amountBaseUnits: bigint; readonly bank: RequestedBank },
): Promise<BankPayee> {
  const { bank, symbol, amountBaseUnits } = wanted;
  const rails = getRails(needs, network);
  const { partner } = rails;
  if (symbol === undefined) {
    throw new TrellisError("invalid_request", {
      field: "source.currency",
      message: "Name the coin that is paid: the destination's currency is the bank's.",
    });
  }
  const coin = getCoin(network, symbol, "source.currency");
  const owner = ownerOf(network, account);
  const external = await getPayable(needs, network, rails, owner, bank.externalAccountId);
  const fiat = bank.currency === undefined ? (external.currency as Fiat) : parseFiat(bank.currency, currencyField);
  if (external.currency !== fiat) {
    throw new TrellisError("unsupported_currency", {
      field: currencyField,
      message: `This bank account is in ${external.currency}.`,
    });
  }
  const rail = parseRail(bank.rail, railField);
  const offer = getOffer(partner.payOuts, ({ from, to }) => to === fiat && from.includes(coin.symbol), rail, railField);
  requireMinimum(toCents(amountBaseUnits, coin.decimals), coin.symbol, offer);
  const { customer, verificationId } = await requireCustomer(needs, network, owner, {
    endorsement: offer.endorsement,
    customer: external.customer_ref,
  });
  const record = () =>
    recordPayoutAddress(needs, network, {
      account: owner,
      partner: partner.name,
      customer,
      verificationId,
      externalAccount: { id: external.id, ref: external.partner_ref as PartnerRef },
      coin: coin.symbol,
      mint: coin.mint,
      fiat,
      rail,
      endorsement: offer.endorsement,
    });
  const recorded = await record();
  let opened = await orUnavailable(openPayoutAddress(needs, network, rails, recorded.id));
  // Another one that was retired before is what the partner names again, and has no other for. The one asked for may have
  // been retired meanwhile by another caller that wants the same.
  const isReplaceable = opened.id === recorded.id || opened.retired_at === null;
  if (opened.status !== "activated" && isReplaceable && (await retirePayoutAddress(needs, network, opened))) {
    opened = await orUnavailable(openPayoutAddress(needs, network, rails, (await record()).id));
  }
  if (customer !== opened.customer_ref) throw kycRequired(["kyc"]);
  if (opened.status !== "activated") {
    throw new TrellisError("partner_refused", {
      facts: { reason: "wrong_state" },
      message: "The partner takes no coins for this bank account at present.",
    });
  }
  await checkReported(needs, network, account, opened.address as Address, coin, amountBaseUnits);
  const { id: externalAccountId, last4 } = external;
  return {
    currency: coin,
    address: opened.address as Address,
    payoutAddressId: opened.id,
    externalAccountId,
    last4,
    fiat,
    rail,
  };
}

/**
 * Requires that the bank account of an order can be paid again. Throws `external_account_not_found`, `kyc_required`,
 * `partner_refused`, `partner_unavailable`, `rail_not_available`.
 */
export async function requireBankPayee(
  needs: RailNeeds,
  network: Network,
  account: ActingAccount,
  { payout_address_id }: StandingOrder,
): Promise<void> {
  if (payout_address_id === null) return;
  const rails = getRails(needs, network);
  const place = await readPayoutAddressRow(needs.db, payout_address_id);
  if (place === undefined) throw new TrellisError("external_account_not_found");
  const owner = ownerOf(network, account);
  await getPayable(needs, network, rails, owner, place.external_account_id);
  await requireCustomer(needs, network, owner, { endorsement: place.endorsement, customer: place.customer_ref });
  const opened = await orUnavailable(openPayoutAddress(needs, network, rails, place.id));
  if (opened.status !== "activated") {
    throw refusalError({ reason: "wrong_state", forOperator: "the payout address is deactivated" });
  }
}

const currencyField = "destination.currency";
const railField = "destination.payment_rail";

const ownerOf = (network: Network, { row }: ActingAccount): RailAccount => ({
  tenantId: row.tenant_id,
  environment: network.name,
  address: row.address,
});

/** By the partner's word of now: one that no order pays is not followed. */
async function getPayable(
  needs: RailNeeds,
  network: Network,
  rails: Rails,
  owner: RailAccount,
  id: string,
): Promise<ExternalAccountRow> {
  const known = await findExternalAccount(needs.db, owner, id);
  if (known?.partner === rails.partner.name) {
    await orUnavailable(readExternalAccount(needs, network, rails, known, { isToBePaid: true }));
    const external = await findExternalAccount(needs.db, owner, id);
    if (external?.active) return external;
  }
  throw new TrellisError("external_account_not_found", { field: "destination.external_account_id" });
}

/** A partner keeps what is too little. Where coin and bank count in different currencies it is not known in advance. */
function requireMinimum(cents: string, coin: Coin, { to, minimum }: RailsPartner["payOuts"][number]): void {
  if (to !== factsOf(coin).standsFor || parseFiatAmount(cents).cents >= parseFiatAmount(minimum).cents) return;
  throw new TrellisError("invalid_amount", {
    field: "amount",
    message: `The partner pays out at least ${minimum} ${to} at a time.`,
  });
}

/** A partner's word about where coins go is held to the same rules as a caller's; breaking them is the partner's fault. */
async function checkReported(
  { db, log }: RailNeeds,
  network: Network,
  account: ActingAccount,
  address: Address,
  coin: Currency,
  amountBaseUnits: bigint,
): Promise<void> {
  try {
    const trust = trustOf(db, network, true, "destination");
    await checkPayee(network, account, address, coin, amountBaseUnits, trust);
  } catch (error) {
    const isReported = error instanceof TrellisError && error.code !== "unsupported_currency" && isObstacle(error.code);
    if (!isReported) throw error;
    log.error(
      { event: "payout_address_unpayable", environment: network.name, address, err: error },
      "payout address that a partner names cannot be paid",
    );
    throw new TrellisError("partner_refused", { facts: { reason: "not_as_asked" }, cause: error });
  }
}
