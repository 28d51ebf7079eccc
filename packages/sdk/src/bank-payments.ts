import type { GivenAmount } from "./base-units.js";
import type { CallOptions, ServiceCalls } from "./service-calls.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { AddExternalAccountRequest, BankCurrency, BankRail, ExternalAccount, PreparedTransfer } from "./wire.js";

/** A payment to a bank account, of whole cents, to be prepared, checked, signed and submitted in one go (gap 102). */
export type BankPayment = GivenAmount & {
  /** The smart account the money leaves. */
  readonly account: string;
  /** The coin: `usdc`, … */
  readonly currency: string;
  readonly to: {
    readonly externalAccountId: string;
    readonly rail: BankRail;
    readonly currency: BankCurrency;
    /** What the payee's statement says. */
    readonly reference?: string;
  };
};

/** Bank accounts that payments can go to (gap 101). */
export function createExternalAccountCalls({ call, get, post }: ServiceCalls) {
  const pathOf = (account: string, id?: string) =>
    `/accounts/${encodeURIComponent(account)}/external-accounts${id === undefined ? "" : `/${encodeURIComponent(id)}`}`;
  return {
    /** Adds one; the same one again answers the one there is. Its numbers are not in a response again. */
    add: (account: string, request: AddExternalAccountRequest, options?: CallOptions) =>
      post<ExternalAccount>(pathOf(account), request, options),
    list: (account: string) => get<readonly ExternalAccount[]>(pathOf(account)),
    get: (account: string, id: string) => get<ExternalAccount>(pathOf(account, id)),
    /** Forgets one, at the service and at its partner. */
    remove: (account: string, id: string, options: CallOptions = {}) =>
      call<ExternalAccount>({ method: "DELETE", path: pathOf(account, id), ...options }),
  };
}

/**
 * The address that an answer says the partner follows. Throws `TransactionMismatchError` unless the answer is about exactly
 * the payment that was asked for: the prepared transaction is then held against that address and the amount asked for.
 */
export function payOutAddressOf(
  prepared: Pick<PreparedTransfer, "amount" | "currency" | "destination" | "source_deposit_instructions">,
  wanted: Pick<BankPayment, "account" | "to"> & { readonly baseUnits: bigint },
): string {
  const reported = prepared.source_deposit_instructions ?? {};
  const differs = (message: string, expected: string, actual: string | undefined) =>
    new TransactionMismatchError("destination", message, { expected, actual: actual ?? "nothing" });
  if (prepared.amount !== wanted.baseUnits.toString()) {
    throw new TransactionMismatchError("amount", "the answer is about another amount", {
      expected: wanted.baseUnits,
      actual: prepared.amount,
    });
  }
  const { external_account_id: bank, payment_rail: rail, currency } = prepared.destination;
  if (bank !== wanted.to.externalAccountId) {
    throw differs("another bank account is to be paid", wanted.to.externalAccountId, bank);
  }
  if (rail !== wanted.to.rail || currency !== wanted.to.currency) {
    throw differs(
      "it is to go by another rail",
      `${wanted.to.currency} by ${wanted.to.rail}`,
      `${currency} by ${rail}`,
    );
  }
  if (reported.from_address !== wanted.account) {
    throw differs("the partner waits for another sender", wanted.account, reported.from_address);
  }
  if (reported.to_address === undefined) throw differs("the answer names no address", "to_address", undefined);
  return reported.to_address;
}
