import { base58 } from "@scure/base";
import { type AccountKeys, resolveLoaded } from "../account-keys.js";
import { type CheckedTransaction, checkTransaction } from "../guard.js";
import { RpcError, rpcErrorCode } from "../rpc-error.js";
import type { TransactionRecord } from "../transaction-record.js";
import type { InnerInstruction, Outcome } from "../vm.js";
import { wireInteger } from "./method.js";
import { parseInstruction } from "./parsed-instruction.js";

/** How transactions are to be encoded. */
export type TransactionEncoding = "json" | "jsonParsed" | "base64" | "base58";

/** A stored transaction as getTransaction shows it, without slot and time. */
export function transactionJson(wire: Uint8Array, record: TransactionRecord, encoding: TransactionEncoding) {
  const transaction = checkTransaction(wire);
  return {
    meta: metaJson(record, encoding, transaction),
    transaction: encodeTransaction(transaction, record, encoding),
    version: transaction.message.version,
  };
}

/** The same with nothing but its accounts. */
export function accountsJson(wire: Uint8Array, record: TransactionRecord) {
  const transaction = checkTransaction(wire);
  const { err, fee, postBalances, postTokenBalances, preBalances, preTokenBalances, status } = metaJson(
    record,
    "json",
    transaction,
  );
  return {
    meta: { err, fee, postBalances, postTokenBalances, preBalances, preTokenBalances, status },
    transaction: { accountKeys: accountKeysJson(transaction, record), signatures: transaction.signatures },
    version: transaction.message.version,
  };
}

/** Throws RpcError -32015 where the caller does not read transactions of that version. */
export function refuseVersion(version: "legacy" | number, maxVersion: bigint | undefined): void {
  if (version === "legacy" || (maxVersion !== undefined && version <= maxVersion)) return;
  throw new RpcError(
    rpcErrorCode.unsupportedTransactionVersion,
    `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  );
}

/** Instructions called by programs, with positions in the account list. */
export function innerInstructionsJson(inner: Outcome["innerInstructions"]): object[] {
  return inner.map(({ index, instructions }) => ({ index, instructions: instructions.map(innerInstructionJson) }));
}

/** The last data a program returned. */
export function returnDataJson(returned: Outcome["returnData"]): object | null {
  return returned && { data: [Buffer.from(returned.data).toString("base64"), "base64"], programId: returned.programId };
}

function metaJson(record: TransactionRecord, encoding: TransactionEncoding, transaction: CheckedTransaction) {
  const named = () => parsedInnerInstructions(record.innerInstructions, keysOf(record, transaction));
  return {
    computeUnitsConsumed: wireInteger(record.unitsConsumed),
    err: record.fault,
    fee: wireInteger(record.fee),
    // Base58 of what programs passed each other takes long, and hardly any client reads it.
    get innerInstructions() {
      return encoding === "jsonParsed" ? named() : innerInstructionsJson(record.innerInstructions);
    },
    loadedAddresses: { readonly: record.loadedReadonly, writable: record.loadedWritable },
    logMessages: record.logs,
    postBalances: record.postBalances.map(wireInteger),
    postTokenBalances: record.postTokenBalances,
    preBalances: record.preBalances.map(wireInteger),
    preTokenBalances: record.preTokenBalances,
    ...(record.returnData && { returnData: returnDataJson(record.returnData) }),
    rewards: [],
    status: record.fault === null ? { Ok: null } : { Err: record.fault },
  };
}

function encodeTransaction(transaction: CheckedTransaction, record: TransactionRecord, encoding: TransactionEncoding) {
  if (encoding === "base64") return [Buffer.from(transaction.wire).toString("base64"), "base64"];
  if (encoding === "base58") return [base58.encode(transaction.wire), "base58"];
  const { message } = transaction;
  const lookups = message.lookups.map((lookup) => ({
    accountKey: lookup.table,
    readonlyIndexes: lookup.readonlyIndexes,
    writableIndexes: lookup.writableIndexes,
  }));
  const tail = {
    recentBlockhash: message.blockhash,
    ...(message.version === 0 && { addressTableLookups: lookups }),
    ...(message.version === 1 && { transactionConfig: configJson(transaction) }),
  };
  if (encoding === "jsonParsed") {
    const keys = keysOf(record, transaction);
    return {
      message: {
        accountKeys: accountKeysJson(transaction, record),
        instructions: message.instructions.map((instruction) => parsedInstruction(instruction, keys, 1)),
        ...tail,
      },
      signatures: transaction.signatures,
    };
  }
  return {
    message: {
      accountKeys: message.staticAddresses,
      header: {
        numReadonlySignedAccounts: message.readonlySignerCount,
        numReadonlyUnsignedAccounts: message.readonlyNonSignerCount,
        numRequiredSignatures: message.signerCount,
      },
      instructions: message.instructions.map((instruction) => ({
        accounts: instruction.accountIndexes,
        data: base58.encode(instruction.data),
        programIdIndex: instruction.programIndex,
        stackHeight: 1,
      })),
      ...tail,
    },
    signatures: transaction.signatures,
  };
}

function accountKeysJson(transaction: CheckedTransaction, record: TransactionRecord): object[] {
  const { message } = transaction;
  const keys = keysOf(record, transaction);
  return keys.addresses.map((pubkey, index) => ({
    pubkey,
    signer: index < message.signerCount,
    source: index < message.staticAddresses.length ? "transaction" : "lookupTable",
    writable: keys.isWritable(index),
  }));
}

function innerInstructionJson(inner: InnerInstruction): object {
  return {
    accounts: inner.accountIndexes,
    data: base58.encode(inner.data),
    programIdIndex: inner.programIndex,
    stackHeight: inner.stackHeight,
  };
}

/** Instructions called by programs, as `jsonParsed` shows them. */
export function parsedInnerInstructions(inner: Outcome["innerInstructions"], keys: AccountKeys): object[] {
  return inner.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((called) => parsedInstruction(called, keys, called.stackHeight)),
  }));
}

/** An instruction in words; with addresses in place of positions where this node does not know the program, or what is said to it. */
function parsedInstruction(
  instruction: { programIndex: number; accountIndexes: readonly number[]; data: Uint8Array },
  keys: AccountKeys,
  stackHeight: number,
): object {
  const programId = keys.addresses[instruction.programIndex];
  const accounts = instruction.accountIndexes.map((index) => keys.addresses[index]);
  const parsed = parseInstruction(programId, accounts, instruction.data);
  if (parsed !== undefined) return { ...parsed, programId, stackHeight };
  return {
    accounts,
    data: base58.encode(instruction.data),
    programId,
    stackHeight,
  };
}

// SIMD-0385: bits 0 and 1 are the priority fee (one u64), then follow three optional u32.
const versionOneFields = [
  { mask: 0b11, name: "priorityFeeLamports" },
  { mask: 0b100, name: "computeUnitLimit" },
  { mask: 0b1000, name: "loadedAccountsDataSizeLimit" },
  { mask: 0b10000, name: "heapSize" },
] as const;

function configJson({ message }: CheckedTransaction): object {
  const present = versionOneFields.filter(({ mask }) => (message.configMask & mask) !== 0);
  return Object.fromEntries(
    present.map(({ name }, index) => [name, wireInteger(BigInt(message.config[index]?.value ?? 0))]),
  );
}

function keysOf(record: TransactionRecord, transaction: CheckedTransaction): AccountKeys {
  return resolveLoaded(transaction.message, record.loadedWritable, record.loadedReadonly);
}
