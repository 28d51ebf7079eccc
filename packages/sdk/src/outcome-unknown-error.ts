import type { SignedSubmission } from "./signed-submission.js";

/**
 * Signed transactions were submitted, and no answer said what became of them: they may have landed, and may land yet.
 * Nothing may be prepared in their place. `signed` holds all it takes to find out: `transactions.resume(signed)`.
 * `cause` is the last error.
 */
export class OutcomeUnknownError extends Error {
  override readonly name = "OutcomeUnknownError";

  constructor(
    readonly signed: SignedSubmission,
    cause: Error,
  ) {
    super(
      "the outcome is unknown: what was signed may have taken effect, or may still. Do not make the call again; " +
        `pass this error's "signed" to transactions.resume, which submits the same bytes. The last error: ${cause.message}`,
      { cause },
    );
  }
}
