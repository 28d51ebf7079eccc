import { limits } from "@trellis/kernel/limits.js";
import { type PartnerRef, PartnerUnavailable, type Rails, type RailsPartner } from "@trellis/kernel/ports/rails.js";
import { getPaymentIntent } from "../../src/payments/get-payment-intent.js";
import type { PaymentIntent } from "../../src/payments/payment-intent.js";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { addExternalAccount } from "../../src/rails/add-external-account.js";
import type { ExternalAccount } from "../../src/rails/external-account.js";
import { followRails, settleRails } from "../../src/rails/follow-rails.js";
import { recordVerification } from "../../src/rails/verification-store.js";
import { refreshVerification } from "../../src/rails/verifications.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import { type CallParts, type HeldAccount, stampKmsA, type TestNetwork } from "../support/test-network.js";

/** A payment with a bank as its creation answers it. */
export interface PreparedBankIntent extends PaymentIntent {
  readonly transaction: string;
  readonly kms_payloads: readonly { readonly payload: string }[];
}

/** An account whose holder the partner has approved, with play money. */
export async function openApproved(
  test: TestNetwork,
  email: string,
  endorsements: readonly string[] = ["base", "sepa"],
): Promise<HeldAccount & { readonly verification: PartnerRef }> {
  const holder = await test.openHolder(email, {
    expiration: Math.floor(test.needs.realClock.now() / 1000) + 25 * 86_400,
  });
  const { address } = holder.verified;
  for (const [currency, amount] of [
    ["sol", "1000000000"],
    ["usdc", "100000000"],
  ] as const) {
    await test.airdrop(address, currency, amount);
  }
  const verification = await approve(test, address, email, endorsements);
  return { ...holder, verification };
}

export async function approve(test: TestNetwork, address: string, email: string, endorsements: readonly string[]) {
  const { needs, network } = test;
  const rails = railsOf(test);
  const row = await recordVerification(needs, network, {
    account: { tenantId: test.caller.tenantId, environment: "sandbox", address },
    partner: "sandbox",
    type: "individual",
    person: { email, fullName: "Ada Lovelace" },
    wanted: endorsements,
  });
  const known = await refreshVerification(needs, network, rails, row.id);
  const ref = known?.partner_ref as PartnerRef;
  await rails.simulator?.setVerification(ref, { status: "approved" });
  await refreshVerification(needs, network, rails, row.id);
  return ref;
}

export const railsOf = (test: TestNetwork): Rails => test.needs.rails.get("sandbox") as Rails;

/** The needs of a process whose partner is bent: what `bend` gives stands in place of its own. */
export function bent(test: TestNetwork, bend: (partner: RailsPartner) => Partial<RailsPartner>) {
  const rails = railsOf(test);
  return {
    rails: new Map([["sandbox" as const, { ...rails, partner: { ...rails.partner, ...bend(rails.partner) } }]]),
  };
}

/** The needs of a process whose partner is nobody's to command. */
export const notSimulated = (test: TestNetwork) => ({
  rails: new Map([["sandbox" as const, { partner: railsOf(test).partner }]]),
});

/** The needs of a process that has no partner. */
export const withoutRails = { rails: new Map() };

export const away = async (): Promise<never> => {
  throw new PartnerUnavailable("nobody answers");
};

export const usAccount = {
  account_type: "us",
  currency: "usd",
  account_owner_name: "Ada Lovelace",
  bank_name: "Bank of Nowhere",
  account: { account_number: "123456789", routing_number: "021000021", checking_or_savings: "checking" },
  address: { street_line_1: "1 Main Street", city: "Springfield", state: "IL", postal_code: "62701", country: "USA" },
};

export const addBank = (test: TestNetwork, address: string, body: object = usAccount, parts: CallParts = {}) =>
  test.call<ExternalAccount>(addExternalAccount, { params: { address }, body, ...parts });

export const payBank = (
  test: TestNetwork,
  address: string,
  bank: string,
  amount: string,
  parts: CallParts = {},
): Promise<PreparedBankIntent> =>
  test.call<PreparedBankIntent>(preparePayment, {
    params: { address },
    body: {
      amount,
      source: { account: address, currency: "usdc" },
      destination: { payment_rail: "ach_push", currency: "usd", external_account_id: bank },
    },
    ...parts,
  });

export const submitBank = (test: TestNetwork, holder: HeldAccount, prepared: PreparedBankIntent) =>
  test.call<{ transaction_signature: string }>(submitTransactions, {
    params: { address: holder.address },
    body: {
      transaction: prepared.transaction,
      kms_payloads: prepared.kms_payloads.map(({ payload }) => ({
        provider: "kms_a",
        kms_signed_payload: { signature: stampKmsA(payload, holder.authorizationKey) },
      })),
    },
  });

export const readIntent = (test: TestNetwork, address: string, id: string, parts: CallParts = {}) =>
  test.call<PaymentIntent>(getPaymentIntent, { params: { address, id }, ...parts });

export const settle = (test: TestNetwork) => settleRails(test.needs, test.network);

/** Lets the pass find everything due, however long that takes in real time. */
export async function waitOut(test: TestNetwork, ms: number = limits.railAbandonMs + 60_000): Promise<void> {
  test.needs.realClock.advance(ms);
  await followRails(test.needs, test.network);
  await settle(test);
}

/** Base units of USDC the address holds. */
export async function held(test: TestNetwork, address: string): Promise<bigint> {
  const { getBalances } = await import("../../src/history/get-balances.js");
  const { tokens } = await test.call<{ tokens: { symbol?: string; amount_decimal: string }[] }>(getBalances, {
    params: { address },
  });
  const usdc = tokens.find(({ symbol }) => symbol?.toLowerCase() === "usdc");
  return BigInt(Math.round(Number(usdc?.amount_decimal ?? "0") * 1e6));
}
