/** Payments in SOL by the older form of the interface. */
import type { KeyObject } from "node:crypto";
import { confirmLegacyPaymentIntent } from "../../src/legacy/confirm-legacy-payment-intent.js";
import { createLegacyPaymentIntent } from "../../src/legacy/create-legacy-payment-intent.js";
import type { LegacyPaymentIntent } from "../../src/legacy/legacy-payment-intent.js";
import { getLegacyPaymentIntent } from "../../src/legacy/read-legacy-payment-intents.js";
import { usePayer } from "./payments.js";
import { type CallParts, publicKeyOf, stampKmsA, type TestNetwork } from "./test-network.js";

/** A payment as its creation answers it. */
export interface CreatedLegacyIntent extends LegacyPaymentIntent {
  readonly intent_payload: string;
  readonly mpc_payload: string | null;
}

/** Who is paid where a test names nobody else. */
export const legacyPayee = publicKeyOf("who is paid by v0");

/** The body of a payment; `more` stands in place of what it says otherwise. */
export const wantedOf = (more: object = {}) => ({
  amount: "1000000",
  source: { currency: "sol" },
  destination: { address: legacyPayee, currency: "sol" },
  ...more,
});

/** A holder with play money for all tests of a file, and what he does at his account or at another one. */
export function useLegacyPayer(test: TestNetwork, email: string) {
  const holder = usePayer(test, email);
  const own = () => holder.verified.address;
  const at = (address: string, id: string) => ({ smart_account_address: address, payment_intent_id: id });
  const signatureOf = ({ mpc_payload }: CreatedLegacyIntent, key: KeyObject = holder.authorizationKey) =>
    stampKmsA(mpc_payload ?? "", key);
  return {
    holder,
    create: (body: object = wantedOf(), address = own()) =>
      test.call<CreatedLegacyIntent>(createLegacyPaymentIntent, { params: { smart_account_address: address }, body }),
    confirm: (id: string, body: object, { address = own(), ...more }: CallParts & { readonly address?: string } = {}) =>
      test.call<LegacyPaymentIntent>(confirmLegacyPaymentIntent, { params: at(address, id), body, ...more }),
    read: (id: string, { address = own(), ...more }: CallParts & { readonly address?: string } = {}) =>
      test.call<LegacyPaymentIntent>(getLegacyPaymentIntent, { params: at(address, id), ...more }),
    signatureOf,
    /** The body of a confirmation. */
    signed: (created: CreatedLegacyIntent) => ({
      intent_payload: created.intent_payload,
      mpc_payload: JSON.stringify({ provider: "kms_a", signature: signatureOf(created) }),
    }),
    /** Lamports of the payee. */
    held: async () => (await test.network.rpc.getBalance(legacyPayee).send()).value,
  };
}
