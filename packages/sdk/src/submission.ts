import { sha256 } from "@noble/hashes/sha2.js";
import { encodeHex, encodeUtf8 } from "./encoding.js";
import { OutcomeUnknownError } from "./outcome-unknown-error.js";
import { pauseMs, type RequestSender, randomIdempotencyKey } from "./request-sender.js";
import type { SignedSubmission, SignedTransaction } from "./signed-submission.js";
import { TrellisApiError, TrellisNetworkError } from "./trellis-api-error.js";
import type { SubmitTransactionRequest, SubmittedTransaction, WireEnvironment } from "./wire.js";

/** That the chain has it. */
export type Confirmation = {
  /** The chain's id of the transaction, of the last one where there are several. */
  readonly signature: string;
  /** ISO 8601. */
  readonly confirmedAt: string;
};

/** What has been done of a call. `submitted`: it is on its way. `confirmed`: the chain has it, and the call's answer follows. */
export type SubmitStep = "prepared" | "checked" | "signed" | "submitted" | "confirmed";

/** Options of a call that prepares, signs and submits. */
export type SubmitOptions<Receipt extends object = object> = {
  /**
   * Default: a fresh key. The call repeated with the same key within 24 hours takes effect once: it prepares the same
   * bytes again, and other ones only after the service has proven that those can never land.
   */
  readonly idempotencyKey?: string;
  /**
   * Hears what was signed before any of it is submitted, and is waited for: the place to store it for
   * `transactions.resume`. When it throws, nothing is submitted. It is called again where the bytes had expired for good
   * and new ones were signed in their place; the newest ones count then.
   */
  readonly onSigned?: (signed: SignedSubmission<Receipt>) => void | Promise<void>;
  /**
   * Hears how far the call is, each step before the next begins; begins again where new bytes were signed. When it throws,
   * nothing is submitted; what it throws at `confirmed` changes nothing any more.
   */
  readonly onProgress?: (step: SubmitStep) => void;
};

/** Options of a call that submits what was signed. */
export type ResumeOptions = Pick<SubmitOptions, "onProgress">;

/** What a call has prepared, checked and signed. */
export type Signed<Receipt extends object> = {
  readonly account: string;
  readonly requests: readonly SubmitTransactionRequest[];
  readonly receipt: Receipt;
  /**
   * Where there are several: that nothing is done before the last of them, so that what expired in between is prepared
   * again, whatever has landed.
   */
  readonly takesEffectAtTheEnd?: boolean;
};

/** Submits what was signed, and does not release it before the outcome is known or the tries are used up. */
export type Submitter = {
  /**
   * Prepares and signs by `sign`, which gets the key to prepare under, and says when it has `prepared` and `checked`; then
   * submits.
   */
  carryOut<Receipt extends object>(
    options: SubmitOptions<Receipt>,
    sign: (prepareKey: string, report: (step: "prepared" | "checked") => void) => Promise<Signed<Receipt>>,
  ): Promise<Receipt & Confirmation>;
  resume<Receipt extends object>(
    signed: SignedSubmission<Receipt>,
    options?: ResumeOptions,
  ): Promise<Receipt & Confirmation>;
};

/** With the pauses in between longer than the half minute for which an attempt that died can hold its key (gap 6). */
const defaultMaxRetries = 15;
/** A service that asks for more patience is reported to the caller instead. */
const longestRetryAfterSeconds = 60;
/** How often one call prepares anew after a proof that the former bytes can never land. */
const maxRenewals = 3;

/** Answers of submit after which the bytes can never land: the service has recorded that before it says so (gap 29). */
const proofsOfExpiry: ReadonlySet<string> = new Set(["payload_expired", "blockhash_expired"]);

/** `pause` waits the given milliseconds. */
export function createSubmitter(needs: {
  readonly send: RequestSender;
  readonly pathOf: (account: string) => string;
  readonly environment: WireEnvironment;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly maxRetries: number | undefined;
  /** Of the user who is signed in, where that has to be proven. */
  readonly sessionToken?: (() => string | undefined) | undefined;
}): Submitter {
  const maxRetries = needs.maxRetries ?? defaultMaxRetries;

  /**
   * `mayHaveBegun`: some of it may have been submitted before. `sessionToken`: of the user who began it, who may have signed
   * out meanwhile.
   */
  const submitOne = async (
    signed: SignedSubmission,
    { idempotencyKey, ...body }: SignedTransaction,
    mayHaveBegun: boolean,
    sessionToken: string | undefined,
  ): Promise<SubmittedTransaction> => {
    let isOpen = mayHaveBegun;
    for (let retries = 0; ; retries += 1) {
      try {
        const request = { method: "POST", path: needs.pathOf(signed.account), body, idempotencyKey } as const;
        return submittedIn(await needs.send({ ...request, sessionToken, maxRetries: 0 }));
      } catch (error) {
        if (!isAnswerOrNone(error) || isDecision(error)) throw error;
        const passes = mayPass(error);
        // A limit is a refusal from before anything was recorded.
        if (passes && statusOf(error) !== 429) isOpen = true;
        const { retryAfterSeconds = 0 } = error instanceof TrellisApiError ? error : {};
        if (!passes || retries >= maxRetries || retryAfterSeconds > longestRetryAfterSeconds) {
          throw isOpen ? new OutcomeUnknownError(signed, error) : error;
        }
        await needs.pause(Math.max(retryAfterSeconds * 1_000, pauseMs(undefined, retries)));
      }
    }
  };

  const submitAll = async <Receipt extends object>(
    signed: SignedSubmission<Receipt>,
    how: {
      readonly mayHaveBegun: boolean;
      readonly sessionToken: string | undefined;
      readonly onProgress: SubmitOptions["onProgress"];
      readonly onLanded?: () => void;
    },
  ): Promise<Receipt & Confirmation> => {
    let last: SubmittedTransaction | undefined;
    how.onProgress?.("submitted");
    for (const transaction of signed.transactions) {
      last = await submitOne(signed, transaction, how.mayHaveBegun || last !== undefined, how.sessionToken);
      how.onLanded?.();
    }
    if (last === undefined) throw new TypeError("nothing was signed");
    try {
      how.onProgress?.("confirmed");
    } catch {
      // It has happened: a caller that gets any other response would do it again.
    }
    return { ...signed.receipt, signature: last.transaction_signature, confirmedAt: last.confirmed_at };
  };

  return {
    carryOut: async (options, sign) => {
      const key = options.idempotencyKey ?? randomIdempotencyKey();
      const sessionToken = needs.sessionToken?.();
      const { onProgress } = options;
      for (let renewals = 0; ; renewals += 1) {
        const prepareKey = deriveKey(key, "prepare", renewals);
        const { account, requests, receipt, takesEffectAtTheEnd } = await sign(prepareKey, (step) =>
          onProgress?.(step),
        );
        const transactions = requests.map((request) => ({
          ...request,
          // Signed anew, by another session say, it is another request; the service knows the transaction all the same.
          idempotencyKey: deriveKey(key, "submit", request),
        }));
        const signed = { environment: needs.environment, account, transactions, receipt };
        onProgress?.("signed");
        await options.onSigned?.(signed);
        let hasLanded = false;
        const onLanded = () => {
          hasLanded = true;
        };
        try {
          return await submitAll(signed, { mayHaveBegun: false, sessionToken, onProgress, onLanded });
        } catch (error) {
          const isDone = hasLanded && takesEffectAtTheEnd !== true;
          if (isDone || renewals >= maxRenewals || !isProofOfExpiry(error)) throw error;
        }
      }
    },
    resume: async (signed, { onProgress } = {}) => {
      if (signed.environment !== needs.environment) {
        throw new TypeError(
          `signed for the environment ${signed.environment}, and this client is for ${needs.environment}`,
        );
      }
      return submitAll(signed, { mayHaveBegun: true, sessionToken: needs.sessionToken?.(), onProgress });
    },
  };
}

/** A key for one step of a call, the same whenever the call is repeated with its key. */
function deriveKey(key: string, ...step: readonly unknown[]): string {
  return encodeHex(sha256(encodeUtf8(JSON.stringify([key, ...step]))));
}

/** Whether an answer is the last word on the bytes, whatever became of other attempts. */
function isDecision(error: Error): boolean {
  if (isProofOfExpiry(error)) return true;
  // The chain has executed it and refused it: the detail names the signature then.
  return error instanceof TrellisApiError && typeof error.details[0]?.transaction_signature === "string";
}

function isProofOfExpiry(error: unknown): boolean {
  return error instanceof TrellisApiError && error.status === 400 && proofsOfExpiry.has(error.code);
}

/** Whether another attempt may be answered otherwise. */
function mayPass(error: TrellisApiError | TrellisNetworkError): boolean {
  if (error instanceof TrellisNetworkError) return true;
  const { status, code } = error;
  if (status >= 500 || status === 429 || status === 408) return true;
  return code === "unexpected_response" || (status === 409 && code.endsWith("_in_progress"));
}

function isAnswerOrNone(error: unknown): error is TrellisApiError | TrellisNetworkError {
  return error instanceof TrellisApiError || error instanceof TrellisNetworkError;
}

function statusOf(error: Error): number | undefined {
  return error instanceof TrellisApiError ? error.status : undefined;
}

/** Throws `unexpected_response` for a success that is not the service's, a proxy's page for example. */
function submittedIn(body: unknown): SubmittedTransaction {
  const { data } = (body ?? {}) as { readonly data?: SubmittedTransaction };
  if (typeof data?.transaction_signature === "string") return data;
  const message = "a submit was answered without a transaction's signature";
  throw new TrellisApiError({ status: 200, code: "unexpected_response", message, details: [], requestId: undefined });
}
