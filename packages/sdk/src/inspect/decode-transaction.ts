import type { Address } from "@solana/addresses";
import { computeBudgetProgramAddress, smartAccountProgramAddress } from "../program-address.js";
import { TransactionMismatchError } from "../transaction-mismatch-error.js";
import { type ComputeBudget, decodeComputeBudgetInstruction } from "./decode-compute-budget.js";
import { type DecodedInstruction, decodeInstruction, type RawInstruction } from "./decode-instruction.js";
import { decodeSyncCall, type SyncCall } from "./decode-sync-call.js";
import { readTransaction } from "./read-transaction.js";
import { type PasskeySessionUse, unwrapPasskeySessions } from "./unwrap-passkey-sessions.js";

/** What a transaction says, with every address resolved. */
export type DecodedTransaction = {
  readonly version: "legacy" | 0;
  readonly feePayer: Address;
  /** Every address that has to sign, the fee payer first. A passkey signer stands for the key of its session. */
  readonly requiredSigners: readonly Address[];
  /** The passkey signers among them, and the keys that sign for them. */
  readonly passkeySessions: readonly PasskeySessionUse[];
  /** The recent blockhash (or the nonce). */
  readonly lifetimeToken: string;
  readonly computeBudget: ComputeBudget;
  /** Calls of the smart account program, in order. */
  readonly syncCalls: readonly SyncCall[];
  /** All other top-level instructions, in order. */
  readonly otherInstructions: readonly DecodedInstruction[];
};

/**
 * Decodes a base64 transaction as the service prepares it: compute budget, token-account creations and synchronous
 * calls of the smart account program, whose payload is decoded too. What the session of a passkey signer executes is read as
 * if it stood in the transaction itself. Unknown instructions are kept as `unknown`.
 *
 * Throws `TransactionMismatchError` with `unreadable` for bytes that do not decode and encode back to themselves, and
 * with `lookup_tables` when addresses are hidden in lookup tables. It judges nothing else: see `assertTransferMatches`.
 */
export function decodeTransaction(
  transactionBase64: string,
  programAddress: Address = smartAccountProgramAddress,
): DecodedTransaction {
  try {
    return decodeReadable(transactionBase64, programAddress);
  } catch (cause) {
    if (cause instanceof TransactionMismatchError) throw cause;
    throw new TransactionMismatchError("unreadable", "the transaction cannot be read", { cause });
  }
}

function decodeReadable(transactionBase64: string, programAddress: Address): DecodedTransaction {
  const read = readTransaction(transactionBase64);
  const { version, lifetimeToken } = read;
  const [feePayer] = read.requiredSigners;
  if (feePayer === undefined) throw new RangeError("the transaction has no fee payer");
  const { instructions, ...signing } = unwrapPasskeySessions(read.instructions, read.requiredSigners);
  return { version, feePayer, ...signing, lifetimeToken, ...sortInstructions(instructions, programAddress) };
}

function sortInstructions(
  instructions: readonly RawInstruction[],
  programAddress: Address,
): Pick<DecodedTransaction, "computeBudget" | "syncCalls" | "otherInstructions"> {
  let computeBudget: ComputeBudget = {};
  let settings = 0;
  const syncCalls: SyncCall[] = [];
  const otherInstructions: DecodedInstruction[] = [];
  for (const instruction of instructions) {
    if (instruction.programAddress === computeBudgetProgramAddress) {
      computeBudget = { ...computeBudget, ...decodeComputeBudgetInstruction(instruction.data) };
      settings += 1;
      continue;
    }
    const syncCall = instruction.programAddress === programAddress ? decodeSyncCall(instruction) : undefined;
    if (syncCall === undefined) otherInstructions.push(decodeInstruction(instruction));
    else syncCalls.push(syncCall);
  }
  // The chain refuses a repeated setting; here it would hide the first value.
  if (Object.keys(computeBudget).length !== settings) throw new RangeError("a compute-budget setting is repeated");
  return { computeBudget, syncCalls, otherInstructions };
}
