import type { TrellisError } from "../errors.js";

/** What an attempt leaves behind under its idempotency key (gap 6). */
export type Finality =
  /** The last word: stored, and replayed byte for byte. */
  | "final"
  /** Nothing happened and nothing will: the key is free again, for another request too. */
  | "refused"
  /** It may have begun, or may go otherwise the next time: only the same request continues under the key. */
  | "open";

/**
 * What an error leaves behind: final is that with which an execution ended; refused what the caller has to mend; failures
 * of ours, limits and whatever is still in progress are open. The one rule, for whole answers and for the failure of one
 * of several transactions.
 */
export function finalityOf({ status, code, isOutcome }: TrellisError): Finality {
  if (isOutcome) return "final";
  const passes = status >= 500 || status === 429 || (status === 409 && code.endsWith("_in_progress"));
  return passes ? "open" : "refused";
}
