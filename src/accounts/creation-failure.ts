import { customErrorOf, describeProgramError, failingProgram, SYSTEM_PROGRAM_ADDRESS } from "@trellis/program-client";

/**
 * What the smart account program says about the plan itself: no other bytes for it will ever do. Everything else can turn
 * out otherwise later, and leaves a creation open.
 */
const planErrors: Readonly<Record<string, string>> = {
  EmptySigners: "an account needs a signer",
  TooManySigners: "the program takes no more signers",
  DuplicateSigner: "a key stands twice among the signers",
  UnknownPermission: "a mask has bits that mean nothing to the program",
  NoProposers: "the account would have no proposer",
  NoVoters: "the account would have no voter",
  NoExecutors: "the account would have no executor",
  InvalidThreshold: "the threshold is 0, or more than there are voters",
  TimeLockExceedsMaxAllowed: "the time lock is longer than the program's longest",
};

/** What was read from the chain before has changed: other bytes will do. */
const staleErrors: ReadonlySet<string> = new Set([
  // The counter has passed the candidates that were offered.
  "MissingAccount",
  // The treasury has changed.
  "InvalidAccount",
  // A candidate is in use, which only a counter that was read wrongly can offer.
  "AccountNotEmpty",
  "AccountNotSystemOwned",
]);

/** The system program's way to say that the payer holds too little. */
const resultWithNegativeLamports = 1;

/** What an error of the chain, simulated or executed, means for a creation. */
export type CreationFailure =
  /** The plan itself does not work; `reason` is for people. */
  | { readonly kind: "refused"; readonly programError: string; readonly reason: string }
  /** The terms are out of date. */
  | { readonly kind: "stale" }
  /** The service's own fee payer holds too little. */
  | { readonly kind: "poor" }
  /** Nothing follows from it: compute used up, trouble of the node, a fault of ours. */
  | { readonly kind: "unclear" };

/** Says what an error of the chain means for a creation. `logs` may be missing: nodes forget them. */
export function readCreationFailure(error: unknown, logs: readonly string[]): CreationFailure {
  if (error === "AccountNotFound" || error === "InsufficientFundsForFee") return { kind: "poor" };
  if (rentlessAccountOf(error) === feePayerIndex) return { kind: "poor" };
  const custom = customErrorOf(error);
  if (custom === undefined) return { kind: "unclear" };
  const program = failingProgram(logs);
  if (custom.code === resultWithNegativeLamports && (program === undefined || program === SYSTEM_PROGRAM_ADDRESS)) {
    return { kind: "poor" };
  }
  if (program === SYSTEM_PROGRAM_ADDRESS) return { kind: "unclear" };
  const name = describeProgramError(custom.code)?.name ?? "";
  const reason = planErrors[name];
  if (reason !== undefined) return { kind: "refused", programError: name, reason };
  return { kind: staleErrors.has(name) ? "stale" : "unclear" };
}

/** The fee payer is the first account of every transaction. */
const feePayerIndex = 0;

/** The account that `{InsufficientFundsForRent: {account_index}}` is about. */
function rentlessAccountOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("InsufficientFundsForRent" in error)) return undefined;
  const index = (error.InsufficientFundsForRent as { readonly account_index?: unknown } | null)?.account_index;
  return index === undefined ? undefined : Number(index);
}
