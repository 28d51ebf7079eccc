import type { Address } from "@solana/addresses";
import {
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
} from "@solana/transaction-messages";
import { getTransactionDecoder, getTransactionEncoder } from "@solana/transactions";
import { decodeBase64, equalBytes } from "../encoding.js";
import { TransactionMismatchError } from "../transaction-mismatch-error.js";
import type { RawInstruction } from "./decode-instruction.js";
import { type LookupTables, lookUpAddresses } from "./decode-wrapped-message.js";

const longestTransactionBytes = 1_232;

/** A transaction with every address resolved, before anything about its instructions is known. */
export type RawTransaction = {
  readonly version: "legacy" | 0;
  /** Every address that has to sign, the fee payer first. */
  readonly requiredSigners: readonly Address[];
  /** Every address whose account may be changed. */
  readonly writable: readonly Address[];
  readonly lifetimeToken: string;
  readonly instructions: readonly RawInstruction[];
};

/**
 * Reads a base64 transaction. Throws `TransactionMismatchError` with `unreadable` for bytes that do not decode and encode
 * back to themselves, and with `lookup_tables` when it takes addresses from tables whose content was not given.
 */
export function readTransaction(transactionBase64: string, lookupTables: LookupTables = {}): RawTransaction {
  try {
    return readReadable(transactionBase64, lookupTables);
  } catch (cause) {
    if (cause instanceof TransactionMismatchError) throw cause;
    throw new TransactionMismatchError("unreadable", "the transaction cannot be read", { cause });
  }
}

function readReadable(transactionBase64: string, lookupTables: LookupTables): RawTransaction {
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
  const lookups = message.version === 0 ? (message.addressTableLookups ?? []) : [];
  if (lookups.some(({ lookupTableAddress }) => !Object.hasOwn(lookupTables, lookupTableAddress))) {
    throw new TransactionMismatchError("lookup_tables", "the transaction takes addresses from lookup tables");
  }
  const { staticAccounts: accounts, header } = message;
  const lookedUp = {
    writable: lookups.flatMap((l) => lookUpAddresses(l.lookupTableAddress, l.writableIndexes, lookupTables)),
    readonly: lookups.flatMap((l) => lookUpAddresses(l.lookupTableAddress, l.readonlyIndexes, lookupTables)),
  };
  const addresses = [...accounts, ...lookedUp.writable, ...lookedUp.readonly];
  const resolve = (index: number): Address => {
    const address = addresses[index];
    if (address === undefined) throw new RangeError(`an instruction names account ${index}, which is not listed`);
    return address;
  };
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header;
  return {
    version: message.version,
    requiredSigners: accounts.slice(0, numSignerAccounts),
    writable: [
      ...accounts.slice(0, numSignerAccounts - numReadonlySignerAccounts),
      ...accounts.slice(numSignerAccounts, accounts.length - numReadonlyNonSignerAccounts),
      ...lookedUp.writable,
    ],
    lifetimeToken: message.lifetimeToken,
    instructions: message.instructions.map(
      (instruction): RawInstruction => ({
        programAddress: resolve(instruction.programAddressIndex),
        accounts: (instruction.accountIndices ?? []).map(resolve),
        data: Uint8Array.from(instruction.data ?? []),
      }),
    ),
  };
}
