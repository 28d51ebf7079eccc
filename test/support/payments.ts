/** Payments in SOL by the holder of an e-mail account. */
import type { PaymentIntent } from "../../src/payments/payment-intent.js";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import { type CallParts, type HeldAccount, publicKeyOf, stampKmsA, type TestNetwork } from "./test-network.js";
import { use } from "./use.js";

/** An intent on chain as its creation answers it. */
export interface PreparedIntent extends PaymentIntent {
  readonly transaction: string;
  readonly kms_payloads: readonly { readonly payload: string }[];
}

/** Who is paid where a test names nobody else. */
export const somePayee = publicKeyOf("the payee of intents");

/** An account with play money. */
export async function openPayer(test: TestNetwork, email: string, lamports = "5000000000"): Promise<HeldAccount> {
  const held = await test.openHolder(email);
  await test.airdrop(held.address, "sol", lamports);
  return held;
}

/** The same for all tests of a file. */
export const usePayer = (test: TestNetwork, email: string): HeldAccount => use(() => openPayer(test, email));

/** Prepares a payment of SOL; `more` stands in place of what its request says otherwise. */
export const prepareIntent = (test: TestNetwork, from: HeldAccount, more: object = {}, parts: CallParts = {}) => {
  const { address } = from.verified;
  return test.call<PreparedIntent>(preparePayment, {
    params: { address },
    body: {
      amount: "1000000",
      source: { account: address, currency: "sol" },
      destination: { address: somePayee, currency: "sol" },
      ...more,
    },
    ...parts,
  });
};

/** What its holder signs. */
export const stampsOf = (prepared: Pick<PreparedIntent, "kms_payloads">, by: HeldAccount) =>
  prepared.kms_payloads.map(({ payload }) => ({
    provider: "kms_a",
    kms_signed_payload: { signature: stampKmsA(payload, by.authorizationKey) },
  }));

/** Signs and submits it. */
export const submitIntent = (test: TestNetwork, by: HeldAccount, prepared: PreparedIntent, network = test.network) =>
  test.call<{ readonly transaction_signature: string; readonly confirmed_at: string }>(submitTransactions, {
    params: { address: by.address },
    body: { transaction: prepared.transaction, kms_payloads: stampsOf(prepared, by) },
    network,
  });
