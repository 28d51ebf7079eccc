import type { Instruction } from "@solana/kit";
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from "@solana-program/compute-budget";
import { TrellisError } from "@trellis/kernel/errors.js";
import {
  readProgramInstruction,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
  SmartAccountProgramInstruction,
} from "@trellis/program-client";

/**
 * Bytes of memory that a transaction asks for where it needs more than the 32 KiB every one has: the most there is. It
 * costs 8 bytes of the transaction, and 56 compute units for each program that is called.
 */
export const largestHeapFrameBytes = 262_144;

/** Up to so much in one instruction, 32 KiB are plenty; what is executed at once takes more than what is stored or changed. */
const plainDataBytes = 256;
const plainDataBytesAtOnce = 128;
const plainAccounts = 24;
/** A transaction that acts for an account reads all of its signers. */
const plainMembers = 24;

/**
 * Which memory the calls of the smart account program in a transaction need; undefined where what every transaction has is
 * enough (gap 85).
 *
 * The public program gives nothing back of its 32 KiB while an instruction runs. Whatever executes something stored asks
 * for more, because what that takes does not show in the instruction: without it the program gets as far as 16 transfers
 * or 3 spending limits. Everything else asks by its size. The bounds are half of the smallest size that was seen to fail
 * (six inner instructions with 52 accounts each, 8 spending limits, 18 signers, all at once), and far above a payment.
 *
 * @param members of the account that acts.
 */
export function heapFrameFor(instructions: readonly Instruction[], members: number): number | undefined {
  const calls = instructions.filter(({ programAddress }) => programAddress === SMART_ACCOUNT_PROGRAM_ADDRESS);
  if (calls.length === 0) return undefined;
  return members > plainMembers || calls.some(needsMuch) ? largestHeapFrameBytes : undefined;
}

const requestHeapFrame = 1;
const heapStepBytes = 1_024;
const plainHeapBytes = 32_768;

/**
 * The memory that a caller's own transaction asks for, in bytes; undefined: it does not ask. A program that needs it cannot
 * be called without. Throws `invalid_transaction` for a request that the chain refuses.
 */
export function requestedHeapFrame(instructions: readonly Instruction[], field: string): number | undefined {
  const asked = instructions.filter(
    ({ programAddress, data }) => programAddress === COMPUTE_BUDGET_PROGRAM_ADDRESS && data?.[0] === requestHeapFrame,
  );
  const [first, second] = asked;
  if (first === undefined) return undefined;
  const data = first.data ?? noData;
  const bytes = data.length === 5 ? new DataView(data.buffer, data.byteOffset).getUint32(1, true) : 0;
  const isTaken = bytes % heapStepBytes === 0 && bytes >= plainHeapBytes && bytes <= largestHeapFrameBytes;
  if (isTaken && second === undefined) return bytes;
  throw new TrellisError("invalid_transaction", {
    field,
    message: `A transaction asks for memory once, in steps of 1,024 bytes from 32,768 to ${largestHeapFrameBytes}.`,
  });
}

function needsMuch(call: Instruction): boolean {
  const { accounts = [], data = noData } = call;
  if (accounts.length > plainAccounts) return true;
  switch (readProgramInstruction(call)?.instructionType) {
    case SmartAccountProgramInstruction.ExecuteTransaction:
    case SmartAccountProgramInstruction.ExecuteSettingsTransaction:
    case SmartAccountProgramInstruction.ExecuteBatchTransaction:
    case SmartAccountProgramInstruction.CreateTransactionFromBuffer:
      return true;
    case SmartAccountProgramInstruction.ExecuteTransactionSync:
    case SmartAccountProgramInstruction.ExecuteTransactionSyncV2:
    // Five limits that are removed in an account of many members were seen to fail.
    case SmartAccountProgramInstruction.ExecuteSettingsTransactionSync:
      return data.length > plainDataBytesAtOnce;
    default:
      return data.length > plainDataBytes;
  }
}

const noData = new Uint8Array(0);
