import type { SubmitTransactionRequest, WireEnvironment } from "./wire.js";

/** A transaction with all signatures that its holder gives, and the key under which it is submitted. */
export type SignedTransaction = SubmitTransactionRequest & { readonly idempotencyKey: string };

/**
 * All it takes to submit again what was signed, as plain JSON: keep it until the outcome is known. A holder of it can
 * have exactly this done, once, while it has not expired, and nothing else.
 */
export type SignedSubmission<Receipt extends object = object> = {
  readonly environment: WireEnvironment;
  /** The smart account. */
  readonly account: string;
  /** In the order in which they go out. */
  readonly transactions: readonly SignedTransaction[];
  /** What the call answers besides the confirmation. */
  readonly receipt: Receipt;
};
