import {
  type GivenAmount,
  OutcomeUnknownError,
  type SendTransfer,
  type SentTransfer,
  type SignedSubmission,
  type SubmitOptions,
  type SubmitStep,
  type TransferReceipt,
} from "@trellis/sdk";
import { type ExplainedError, explainError } from "./explain-error.js";
import { PaymentUnderWayError } from "./payment-under-way-error.js";
import type { PaymentStorage } from "./platform.js";
import { createValue, type Value } from "./value.js";

/** What is to be paid. */
export type PaymentRequest = GivenAmount &
  Pick<
    SendTransfer,
    "currency" | "destination" | "destinationIsTokenAccount" | "confirmProgramAddress" | "memo" | "limits"
  > & {
    /** A passkey signs it, not the session: the user is asked for a finger, a face or a PIN. */
    readonly byPasskey?: boolean;
    /** Both sign it, the session and a passkey, as a guarded account takes it. */
    readonly withPasskey?: boolean;
    /** The session of a passkey signer signs it, see `usePasskeySession`, and nothing else: nobody is asked. */
    readonly byPasskeySession?: boolean;
    /** It signs beside who is signed in. */
    readonly withPasskeySession?: boolean;
  };

/** How far a payment is. */
export type PaymentStep = "preparing" | Exclude<SubmitStep, "confirmed">;

/** Where a payment stands. `request` is what was asked for, also where that was before the page was loaded. */
export type PaymentState =
  | { readonly status: "idle" }
  | { readonly status: "paying"; readonly step: PaymentStep; readonly request: PaymentRequest }
  | { readonly status: "confirmed"; readonly sent: SentTransfer; readonly request: PaymentRequest }
  /** It was not paid, and will not be. */
  | { readonly status: "refused"; readonly error: ExplainedError; readonly request: PaymentRequest }
  /** It may have been paid, or may be yet; `retry` finds out. */
  | { readonly status: "unknown"; readonly error: ExplainedError; readonly request: PaymentRequest };

/** A place for one payment at a time, which outlives the components that show it and, by its storage, the page. */
export type PaymentSlot = Value<PaymentState> & {
  /**
   * Pays, and answers where that has led; never rejects. The same request again is the same payment, until `reset` after
   * its end; another one while a payment is open is refused.
   */
  readonly pay: (request: PaymentRequest) => Promise<PaymentState>;
  /** Finds out about a payment whose outcome is unknown, by its very bytes. */
  readonly retry: () => Promise<PaymentState>;
  /** After a payment's end: makes room for the next. While one is open it changes nothing. */
  readonly reset: () => void;
  /** Resumes what an earlier page has left unfinished. */
  readonly wake: () => Promise<void>;
};

/** What is kept of a payment until its outcome is known. Without `signed` nothing of it has been submitted. */
type Kept = {
  readonly id: string;
  readonly request: PlainRequest;
  readonly signed?: SignedSubmission<TransferReceipt>;
};

/** A request as JSON has it. */
type PlainRequest = {
  readonly currency: string;
  readonly destination: string;
  readonly amount: string;
  /** How the amount was given: as a bigint, as its digits, or as people write it. */
  readonly inBaseUnits: boolean;
  readonly isForPeople?: boolean;
  readonly destinationIsTokenAccount: boolean;
  readonly confirmProgramAddress?: boolean;
  readonly memo?: string;
};

/** `id`: under which it is kept. `signed`: the bytes it is about, where it only finds out what became of them. */
type Attempt = {
  readonly plain: PlainRequest;
  id: string;
  signed?: SignedSubmission<TransferReceipt>;
  promise: Promise<PaymentState>;
};

/**
 * Makes one. The key under which a payment is made is stored before anything is prepared, and the signed bytes before they
 * go out: whatever breaks off, what follows it submits these bytes again and signs no others.
 */
export function createPaymentSlot(needs: {
  readonly send: (request: PaymentRequest, options: SubmitOptions<TransferReceipt>) => Promise<SentTransfer>;
  readonly resume: (signed: SignedSubmission<TransferReceipt>) => Promise<SentTransfer>;
  readonly storage: PaymentStorage;
  /** Names the slot in the storage. */
  readonly storageKey: string;
  readonly newId: () => string;
  /** Hears of every payment that was confirmed. */
  readonly onConfirmed: () => void;
}): PaymentSlot {
  const state = createValue<PaymentState>({ status: "idle" });
  let attempt: Attempt | undefined;
  let waking: Promise<void> | undefined;

  /** One tab at a time, so that what was read is still so when something is put there. */
  const alone = <Answer>(act: () => Promise<Answer>): Promise<Answer> =>
    needs.storage.exclusively?.(needs.storageKey, act) ?? act();

  const load = async (): Promise<Kept | undefined> => {
    const text = await needs.storage.getItem(needs.storageKey);
    return text === null ? undefined : keptIn(text);
  };
  const save = async (kept: Kept): Promise<void> => {
    await needs.storage.setItem(needs.storageKey, JSON.stringify(kept));
  };

  /**
   * Forgets what has ended, unless another tab has put something else there: another payment, or what it has signed
   * anew of this one.
   */
  const forget = async ({ id, signed }: Pick<Kept, "id" | "signed">): Promise<void> => {
    try {
      await alone(async () => {
        const kept = await load();
        const isIts = kept?.id === id && (signed === undefined || isSameSubmission(kept.signed, signed));
        if (isIts) await needs.storage.removeItem(needs.storageKey);
      });
    } catch {
      // The payment's end stands; kept for longer it is found to have ended once more.
    }
  };

  /** Waits for the outcome of an attempt and says it. */
  const conclude = async (
    mine: Attempt,
    request: PaymentRequest,
    run: Promise<SentTransfer>,
  ): Promise<PaymentState> => {
    let outcome: PaymentState;
    try {
      outcome = { status: "confirmed", sent: await run, request };
      await forget(mine);
    } catch (thrown) {
      const error = explainError(thrown);
      if (thrown instanceof OutcomeUnknownError) outcome = { status: "unknown", error, request };
      else {
        outcome = { status: "refused", error, request };
        await forget(mine);
        attempt = undefined;
      }
    }
    state.set(outcome);
    if (outcome.status === "confirmed") needs.onConfirmed();
    return outcome;
  };

  const resume = (mine: Attempt, request: PaymentRequest, signed: SignedSubmission<TransferReceipt>) => {
    mine.signed = signed;
    state.set({ status: "paying", step: "submitted", request });
    return conclude(mine, request, needs.resume(signed));
  };

  /** Finds out about a payment that is not this slot's, so that there is room for another one. */
  const settle = async ({ id }: Kept, signed: SignedSubmission<TransferReceipt>): Promise<void> => {
    try {
      await needs.resume(signed);
      needs.onConfirmed();
    } catch (error) {
      if (error instanceof OutcomeUnknownError) return;
    }
    await forget({ id, signed });
  };

  const begin = (mine: Attempt, request: PaymentRequest): Promise<PaymentState> => {
    const { plain, id } = mine;
    const at = (step: PaymentStep) => state.set({ status: "paying", step, request });
    at("preparing");
    const run = async (): Promise<SentTransfer> => {
      const earlier = await alone(async () => {
        const kept = await load();
        if (kept?.signed === undefined) await save({ id, request: plain });
        return kept;
      });
      if (earlier?.signed !== undefined) {
        // Left by another tab, or by a page that ended in the middle.
        if (isSame(earlier.request, plain)) {
          mine.id = earlier.id;
          mine.signed = earlier.signed;
          return needs.resume(earlier.signed);
        }
        void settle(earlier, earlier.signed);
        throw new PaymentUnderWayError();
      }
      return needs.send(request, {
        idempotencyKey: id,
        onSigned: (signed) =>
          alone(async () => {
            // The last caller has the slot; nothing of the other has been submitted.
            if ((await load())?.id !== id) throw new PaymentUnderWayError();
            await save({ id, request: plain, signed });
          }),
        onProgress: (step) => {
          if (step !== "confirmed") at(step);
        },
      });
    };
    return conclude(mine, request, run());
  };

  const slot: PaymentSlot = {
    get: state.get,
    subscribe: state.subscribe,
    pay: async (request) => {
      const plain = plainOf(request);
      await waking;
      // From here to the new attempt nothing is waited for: a second click finds the first one's.
      const { status } = state.get();
      if (attempt !== undefined && isSame(attempt.plain, plain)) {
        return status === "unknown" ? slot.retry() : attempt.promise;
      }
      if (attempt !== undefined && status !== "confirmed") {
        return { status: "refused", error: explainError(new PaymentUnderWayError()), request };
      }
      const started: Attempt = { plain, id: needs.newId(), promise: Promise.resolve(state.get()) };
      attempt = started;
      started.promise = begin(started, request);
      return started.promise;
    },
    retry: async () => {
      const current = state.get();
      const tried = attempt;
      if (tried === undefined || current.status !== "unknown") return tried?.promise ?? current;
      const { cause } = current.error;
      if (!(cause instanceof OutcomeUnknownError)) return current;
      tried.promise = resume(tried, current.request, cause.signed as SignedSubmission<TransferReceipt>);
      return tried.promise;
    },
    reset: () => {
      const { status } = state.get();
      if (status !== "confirmed" && status !== "refused") return;
      attempt = undefined;
      state.set({ status: "idle" });
    },
    wake: () => {
      waking ??= load().then(
        (kept) => {
          if (kept?.signed === undefined || attempt !== undefined) return;
          const { id, request: plain, signed } = kept;
          const claimed: Attempt = { plain, id, promise: Promise.resolve(state.get()) };
          attempt = claimed;
          claimed.promise = resume(claimed, requestOf(plain), signed);
        },
        // What cannot be read now cannot be read by `pay` either, which says so.
        () => undefined,
      );
      return waking;
    },
  };
  return slot;
}

function keptIn(text: string): Kept | undefined {
  try {
    return JSON.parse(text) as Kept;
  } catch {
    // This library did not write that, and nothing could be resumed from it.
    return undefined;
  }
}

function plainOf(request: PaymentRequest): PlainRequest {
  const { currency, destination, destinationIsTokenAccount = false, confirmProgramAddress = false, memo } = request;
  const { amount, uiAmount } = request;
  return {
    currency,
    destination,
    amount: String(uiAmount ?? amount),
    inBaseUnits: typeof amount === "bigint",
    ...(uiAmount === undefined ? {} : { isForPeople: true }),
    destinationIsTokenAccount,
    ...(confirmProgramAddress ? { confirmProgramAddress } : {}),
    ...(memo === undefined ? {} : { memo }),
  };
}

function requestOf({ amount, inBaseUnits, isForPeople = false, ...rest }: PlainRequest): PaymentRequest {
  if (isForPeople) return { ...rest, uiAmount: amount };
  return { ...rest, amount: inBaseUnits ? BigInt(amount) : amount };
}

function isSame(one: PlainRequest, other: PlainRequest): boolean {
  return (
    one.currency === other.currency &&
    one.destination === other.destination &&
    one.amount === other.amount &&
    one.inBaseUnits === other.inBaseUnits &&
    one.isForPeople === other.isForPeople &&
    one.destinationIsTokenAccount === other.destinationIsTokenAccount &&
    one.confirmProgramAddress === other.confirmProgramAddress &&
    one.memo === other.memo
  );
}

function isSameSubmission(one: SignedSubmission | undefined, other: SignedSubmission): boolean {
  return JSON.stringify(one?.transactions) === JSON.stringify(other.transactions);
}
