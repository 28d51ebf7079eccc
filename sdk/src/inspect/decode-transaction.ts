import {
  type Address,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
} from "@solana/kit";
import { decodeBase64, equalBytes } from "../encoding.js";
import { computeBudgetProgramAddress, smartAccountProgramAddress } from "../program-address.js";
import { TransactionMismatchError } from "../transaction-mismatch-error.js";
import { type ComputeBudget, decodeComputeBudgetInstruction } from "./decode-compute-budget.js";
import { type DecodedInstruction, decodeInstruction, type RawInstruction } from "./decode-instruction.js";
import { decodeSyncCall, type SyncCall } from "./decode-sync-call.js";

const longestTransactionBytes = 1_232;

/** What a transaction says, with every address resolved. */
export type DecodedTransaction = {
  readonly version: "legacy" | 0;
  readonly feePayer: Address;
  /** Every address that has to sign, the fee payer first. */
  readonly requiredSigners: readonly Address[];
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
 * calls of the smart account program, whose payload is decoded too. Unknown instructions are kept as `unknown`.
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
  const bytes = decodeBase64(transactionBase64);
  if (bytes.length > longestTransactionBytes) throw new RangeError("the transaction is longer than a packet");
  const transaction = getTransactionDecoder().decode(bytes);
  const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
  // What reads the same after a round trip cannot hide bytes that the chain would read in another way.
  const again = getCompiledTransactionMessageEncoder().encode(message);
  if (
    !equalBytes(Uint8Array.from(getTransactionEncoder().encode(transaction)), bytes) ||
    !equalBytes(Uint8Array.from(again), Uint8Array.from(transaction.messageBytes))
  ) {
    throw new RangeError("the transaction is not in its canonical encoding");
  }
  if (message.version !== "legacy" && message.version !== 0)
    throw new RangeError("only legacy and version 0 are known");
  if (message.version === 0 && (message.addressTableLookups?.length ?? 0) > 0) {
    throw new TransactionMismatchError("lookup_tables", "the transaction takes addresses from lookup tables");
  }
  const accounts = message.staticAccounts;
  const resolve = (index: number): Address => {
    const address = accounts[index];
    if (address === undefined) throw new RangeError(`an instruction names account ${index}, which is not listed`);
    return address;
  };
  const instructions = message.instructions.map(
    (instruction): RawInstruction => ({
      programAddress: resolve(instruction.programAddressIndex),
      accounts: (instruction.accountIndices ?? []).map(resolve),
      data: Uint8Array.from(instruction.data ?? []),
    }),
  );
  return {
    version: message.version,
    feePayer: resolve(0),
    requiredSigners: accounts.slice(0, message.header.numSignerAccounts),
    lifetimeToken: message.lifetimeToken,
    ...sortInstructions(instructions, programAddress),
  };
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
