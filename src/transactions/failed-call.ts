import type { Instruction } from "@solana/kit";
import type { ErrorCode } from "@trellis/kernel/errors.js";
import {
  type ProgramErrorDescription,
  parsePasskeyExecution,
  parsePasskeySessionExecution,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import { readPlainMessage } from "@trellis/solana/transaction-bytes.js";
import { isBufferCall } from "./buffer-call.js";
import { readLimitUse } from "./limit-use.js";
import { readProposalCall } from "./proposal-call.js";

/** The program's refusals that have a code of their own, whichever instruction about a proposal met them. */
const codes: Readonly<Record<string, ErrorCode>> = {
  Unauthorized: "insufficient_permissions",
  NotASigner: "insufficient_permissions",
  StaleProposal: "stale_proposal",
  InvalidProposalStatus: "invalid_proposal_status",
  AlreadyApproved: "already_voted",
  AlreadyRejected: "already_voted",
  AlreadyCancelled: "already_voted",
  TimeLockNotReleased: "time_lock_not_released",
  NotSupportedForControlled: "admin_required",
};

/** The same for a payment out of a spending limit. */
const limitCodes: Readonly<Record<string, ErrorCode>> = {
  Unauthorized: "insufficient_permissions",
  InvalidDestination: "destination_not_allowed",
  SpendingLimitExceeded: "spending_limit_exceeded",
  SpendingLimitExpired: "spending_limit_expired",
  AccountNotInitialized: "spending_limit_not_found",
};

/** What says that a buffer is not as the transaction needs it. */
const bufferConflicts: ReadonlySet<string> = new Set([
  "AccountNotInitialized",
  "FinalBufferHashMismatch",
  "FinalBufferSizeExceeded",
  "FinalBufferSizeMismatch",
]);

/**
 * The code for an instruction about a proposal, or for a payment out of a limit, that the program itself refused; undefined where another code says more,
 * or where the refusal may have come from something the proposal called: that says nothing about the proposal.
 *
 * @param messageBytes of the transaction, whose top-level instruction number `index` failed.
 */
export function codeOfFailedCall(
  messageBytes: Uint8Array,
  index: number,
  error: ProgramErrorDescription,
  logs: readonly string[],
): ErrorCode | undefined {
  const { instruction, depth } = readInstruction(messageBytes, index, logs) ?? {};
  if (instruction === undefined || depth === undefined) return undefined;
  if (readLimitUse(instruction) !== undefined) return limitCodes[error.name];
  const call = readProposalCall(instruction);
  if (call === undefined || (call.kind === "execute" && !failedAt(depth, logs))) return undefined;
  const makesIndex = call.kind === "store" || call.kind === "use_buffer" || call.kind === "open";
  if (makesIndex && isIndexClaimed(error)) return "proposal_index_conflict";
  if (isBufferCall(call)) {
    return bufferConflicts.has(error.name) ? "transaction_buffer_conflict" : codes[error.name];
  }
  // The proposal's accounts are removed: it was closed.
  if (call.kind !== "store" && call.kind !== "open" && error.name === "AccountNotInitialized") {
    return "invalid_proposal_status";
  }
  // Its executor is known to be a member: it is a removal in the list that finds no member.
  if (call.kind === "execute" && call.of === "settings" && error.name === "NotASigner") return undefined;
  return codes[error.name];
}

/** Its derived address is that of another index by now. */
function isIndexClaimed({ name }: ProgramErrorDescription): boolean {
  return name === "ConstraintSeeds" || name === "InvalidTransactionIndex";
}

/** A call of the program, and how deep it stands: 1 in the transaction itself. */
interface FailedCall {
  readonly instruction: Instruction;
  readonly depth: number;
}

/** Programs that are called stand in the message itself, so the lookup tables need not be read. */
function readInstruction(messageBytes: Uint8Array, index: number, logs: readonly string[]): FailedCall | undefined {
  const message = readPlainMessage(messageBytes);
  const compiled = message?.instructions[index];
  if (message === undefined || compiled === undefined) return undefined;
  const programAddress = message.staticAccounts[compiled.programAddressIndex];
  const unknown = SMART_ACCOUNT_PROGRAM_ADDRESS;
  const instruction = {
    programAddress: programAddress ?? unknown,
    accounts: (compiled.accountIndices ?? []).map((at) => ({
      address: message.staticAccounts[at] ?? unknown,
      role: 0,
    })),
    data: compiled.data ?? new Uint8Array(0),
  };
  if (programAddress === SMART_ACCOUNT_PROGRAM_ADDRESS) return { instruction, depth: 1 };
  // By a passkey, or by its session key: the call is inside.
  const inner = (parsePasskeySessionExecution(instruction) ?? parsePasskeyExecution(instruction))?.instructions ?? [];
  const inside = inner.length === 1 ? inner[0] : findLastCall(inner, logs);
  return inside?.programAddress === SMART_ACCOUNT_PROGRAM_ADDRESS ? { instruction: inside, depth: 2 } : undefined;
}

/** Of several calls within one instruction the last that the logs show: none is made after one that failed. */
function findLastCall(inner: readonly Instruction[], logs: readonly string[]): Instruction | undefined {
  let calls: string[] = [];
  for (const line of logs) {
    const [, program, depth] = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) invoke \[([12])\]$/.exec(line) ?? [];
    if (depth === "1") calls = [];
    if (depth === "2" && program !== undefined) calls.push(program);
  }
  if (calls.at(-1) !== SMART_ACCOUNT_PROGRAM_ADDRESS) return undefined;
  const made = calls.filter((program) => program === SMART_ACCOUNT_PROGRAM_ADDRESS).length;
  return inner.filter(({ programAddress }) => programAddress === SMART_ACCOUNT_PROGRAM_ADDRESS)[made - 1];
}

/**
 * Whether the first program to fail was called at this depth, which is 1 for what the transaction itself calls. Logs can be cut short; then it is not known, and
 * the answer is no.
 */
function failedAt(called: number, logs: readonly string[]): boolean {
  let depth = 0;
  for (const line of logs) {
    const invoked = /^Program [1-9A-HJ-NP-Za-km-z]{32,44} invoke \[(\d+)\]$/.exec(line);
    if (invoked) depth = Number(invoked[1]);
    else if (/^Program [1-9A-HJ-NP-Za-km-z]{32,44} success$/.test(line)) depth -= 1;
    else if (/^Program [1-9A-HJ-NP-Za-km-z]{32,44} failed: /.test(line)) return depth === called;
  }
  return false;
}
