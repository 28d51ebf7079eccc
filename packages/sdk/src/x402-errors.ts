import type { SignedPayment } from "./x402-messages.js";

/** Why a request was not paid for. Nothing was signed. */
export type NotPaidReason =
  /** What the server asks for cannot be read. */
  | "unreadable"
  /** It takes no payment of this kind: another network or currency, a memo, or no payments by smart accounts as far as it says. */
  | "nothing_acceptable"
  /** The address is not one of https, so that anybody on the way may say who is to be paid. */
  | "insecure"
  /** It asks for more than the caller allows. */
  | "too_expensive"
  /** The payee has no token account for the currency yet, and a payment for a request cannot open one. */
  | "payee_has_no_token_account";

/** A server asked for a payment, and none was made: nothing was signed. */
export class NotPaidError extends Error {
  override readonly name = "NotPaidError";

  constructor(
    readonly reason: NotPaidReason,
    message: string,
  ) {
    super(message);
  }
}

/**
 * A payment was signed and handed to the server, and no answer said that it was settled: it may have been, and may be until its
 * blockhash has expired, within two minutes. To ask again without paying twice, give `payment` to the next call.
 */
export class PaymentUnconfirmedError extends Error {
  override readonly name = "PaymentUnconfirmedError";

  constructor(
    readonly payment: SignedPayment,
    message: string,
    options: { readonly cause?: unknown } = {},
  ) {
    super(
      `${message}; the payment may have been settled, or may still be. Give this error's "payment" to the next call, ` +
        "which sends the same one.",
      options,
    );
  }
}
