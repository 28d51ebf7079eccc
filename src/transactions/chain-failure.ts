import { type ErrorDetail, TrellisError } from "@trellis/kernel/errors.js";
import { customErrorOf, explainProgramError, failingProgram } from "@trellis/program-client";
import { describeTokenError } from "@trellis/solana/token-errors.js";
import type { ChainFailure } from "../submissions/submission.js";
import { codeOfFailedCall } from "./failed-call.js";

/**
 * The error for a transaction that the chain has executed and refused: the last word on it. Its first detail names the
 * signature, which a refusal by simulation does not have; see `transactionFailed` for the rest.
 */
export function transactionExecuted(
  failure: ChainFailure,
  signature: string,
  messageBytes: ArrayLike<number>,
): TrellisError {
  return transactionFailed(failure, { signature }, messageBytes);
}

/**
 * The error for a transaction that the chain refuses, or would refuse: `transaction_failed` with the program's own name
 * for it and the logs (gap 29), so that a caller need not decode `{"Custom":6005}`. Where the program refused an
 * instruction about a proposal, the code says exactly what happened in between (gaps 36 to 39).
 */
function transactionFailed(
  failure: ChainFailure,
  when: "simulated" | { readonly signature: string },
  messageBytes: ArrayLike<number>,
): TrellisError {
  const custom = customErrorOf(failure.error);
  const explained = custom && explainProgramError(custom.code, failure.logs);
  const code =
    (custom && explained && codeOfFailedCall(Uint8Array.from(messageBytes), custom.index, explained, failure.logs)) ??
    "transaction_failed";
  const shortage = explained ? undefined : shortageIn(failure.logs);
  const refused = explained ?? (custom && describeTokenError(failingProgram(failure.logs), custom.code));
  const reason = shortage?.message ?? (refused ? `${refused.name}: ${refused.message}` : describe(failure.error));
  const suggestion = shortage?.suggestion ?? (refused && "suggestion" in refused ? refused.suggestion : undefined);
  const detail: ErrorDetail = {
    code,
    message:
      when === "simulated"
        ? `The transaction would fail on chain. ${reason}`
        : `The transaction failed on chain. ${reason}`,
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(refused ? { program_error: refused.name } : {}),
    chain_error: failure.error,
    logs: failure.logs,
    ...(when === "simulated" ? {} : { transaction_signature: when.signature }),
  };
  return new TrellisError(code, { message: detail.message, details: [detail], isOutcome: when !== "simulated" });
}

/** Whether the programs that move money said that there is too little of it: a number alone says too little. */
function shortageIn(logs: readonly string[]): { readonly message: string; readonly suggestion: string } | undefined {
  const line = logs.find((one) => /insufficient (?:lamports|funds)/i.test(one));
  if (line === undefined) return undefined;
  const [, lamports] = /insufficient lamports (\d+, need \d+)/i.exec(line) ?? [];
  return {
    message: `The account holds too little for it at present${lamports === undefined ? "" : ` (${lamports} lamports)`}.`,
    suggestion: "Check the account's balances, which may have changed since it was prepared, and prepare it again.",
  };
}

function describe(error: unknown): string {
  if (typeof error === "string") return `${error}.`;
  return `${JSON.stringify(error, (_key, value) => (typeof value === "bigint" ? Number(value) : value))}.`;
}

/** An error value of the chain with plain numbers, fit for JSON. */
function plainChainError(error: unknown): unknown {
  return JSON.parse(
    JSON.stringify(error ?? null, (_key, value) => (typeof value === "bigint" ? Number(value) : value)),
  );
}

/**
 * The error for a transaction that a simulation refused. Where the service's own fee payer cannot pay, that is no fault of
 * the caller's: `service_unavailable`.
 */
export function simulationRefused(
  simulation: { readonly error: unknown; readonly logs: readonly string[] },
  paidByService: boolean,
  messageBytes: ArrayLike<number>,
): TrellisError {
  if (paidByService && (simulation.error === "AccountNotFound" || simulation.error === "InsufficientFundsForFee")) {
    return new TrellisError("service_unavailable", { message: "The service's fee payer has run out of funds." });
  }
  return transactionFailed(
    { error: plainChainError(simulation.error), logs: simulation.logs },
    "simulated",
    messageBytes,
  );
}
