import { accountPath, type CallOptions, type ServiceCalls } from "./service-calls.js";
import type { SignedSubmission } from "./signed-submission.js";
import type { Confirmation, ResumeOptions, Submitter } from "./submission.js";
import type {
  PreparedCustomTransaction,
  PrepareTransactionRequest,
  SubmitTransactionRequest,
  SubmitTransactionsRequest,
  Submitted,
} from "./wire.js";

/** What these calls need of the client they are part of. */
type TransactionNeeds = Pick<ServiceCalls, "post"> & Pick<Submitter, "resume">;

/** The calls about transactions of the caller's own, and about what was signed before. */
export function createTransactionCalls({ post, resume }: TransactionNeeds) {
  return {
    /** Has an arbitrary transaction wrapped for the account (gap 32). Check it before signing. */
    prepare: (address: string, request: PrepareTransactionRequest, callOptions?: CallOptions) =>
      post<PreparedCustomTransaction>(accountPath(address, "/transactions"), request, callOptions),
    /** Submits signed transactions and waits until they are confirmed (interface 4.6, gap 29). */
    submit: <Request extends SubmitTransactionRequest | SubmitTransactionsRequest>(
      address: string,
      request: Request,
      callOptions?: CallOptions,
    ) => post<Submitted<Request>>(accountPath(address, "/submit"), request, callOptions),
    /**
     * Submits once more what a call had signed and handed to `onSigned`, and answers what that call would have answered:
     * these bytes take effect once, however often and wherever this is done. Rejects with a `TrellisApiError` that is the
     * last word on them (`payload_expired`, `blockhash_expired`: they can never land), and otherwise with
     * `OutcomeUnknownError`, after which it can be done again.
     */
    resume: <Receipt extends object>(
      signed: SignedSubmission<Receipt>,
      resumeOptions: ResumeOptions = {},
    ): Promise<Receipt & Confirmation> => resume(signed, resumeOptions),
  };
}
