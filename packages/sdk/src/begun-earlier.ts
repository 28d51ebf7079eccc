import type { Address } from "@solana/addresses";
import { assertStoredContentMatches, decodeStoredTransaction } from "./assert-stored-content.js";
import { encodeHex, equalBytes } from "./encoding.js";
import { readBytes } from "./inspect/byte-reader.js";
import type { DecodedTransaction } from "./inspect/decode-transaction.js";
import type { LookupTables } from "./inspect/decode-wrapped-message.js";
import type { ProposalCall } from "./inspect/proposal-call.js";
import { deriveBatchTransactionAddress, deriveTransactionAddress } from "./program-address.js";
import { type BatchContent, beginningOf, type ProposalContent, partsOf, tablesOf } from "./proposal-content.js";
import { readProposalCalls } from "./proposal-frame.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";

/**
 * Reads accounts from a node that the caller trusts, as far as it has confirmed them: the data of each, in the order
 * asked for, and null where there is none.
 */
export type ReadAccounts = (addresses: readonly Address[]) => Promise<readonly (Uint8Array | null)[]>;

/** What such a node has said. */
export type HeldAccounts = ReadonlyMap<Address, Uint8Array | null>;

/**
 * Where the chain keeps what several transactions that make one proposal build on, and what their last one could put to a
 * vote instead of what the others bring: a buffer, or a batch and what it holds.
 */
export function placesOfCreation(
  calls: readonly ProposalCall[],
  content: ProposalContent,
  transactionIndex: number | bigint,
): readonly Address[] {
  const used = calls.find((call) => call.type === "create_transaction_from_buffer");
  if (used?.type === "create_transaction_from_buffer") {
    return [used.buffer, deriveTransactionAddress(used.settings, BigInt(transactionIndex))];
  }
  const [first] = calls;
  if (content.type !== "batch" || first === undefined) return [];
  const index = BigInt(transactionIndex);
  const parts = partsOf(content).map((_, at) => deriveBatchTransactionAddress(first.settings, index, at + 1));
  return [deriveTransactionAddress(first.settings, index), ...parts];
}

/** Asks such a node, if there is one, for all that a creation builds on. */
export async function readHeld(
  readAccounts: ReadAccounts | undefined,
  transactions: readonly DecodedTransaction[],
  content: ProposalContent,
  transactionIndex: number,
): Promise<{ readonly heldAccounts?: HeldAccounts }> {
  const calls = transactions.flatMap((transaction) => readProposalCalls(transaction, tablesOf(content)).calls);
  const places = placesOfCreation(calls, content, transactionIndex);
  if (readAccounts === undefined || places.length === 0) return {};
  const held = await readAccounts(places);
  return { heldAccounts: new Map(places.map((place, at) => [place, held[at] ?? null])) };
}

/** What a buffer is used for. */
export interface BufferUse {
  readonly account: Address;
  readonly transactionIndex: bigint | number;
  readonly content: ProposalContent;
}

/**
 * Makes sure that there is no buffer, or the one for exactly this message: the chain takes nothing from it but what has this
 * hash. One to be continued may have been used up, for this very content and by the same creator. Throws
 * `TransactionMismatchError`.
 */
export function assertBufferIsFor(
  held: HeldAccounts,
  used: { readonly buffer: Address; readonly transaction: Address; readonly creator: Address },
  message: { readonly hash: Uint8Array; readonly size: number; readonly isBegun: boolean },
  use: BufferUse,
): void {
  const { buffer } = used;
  const data = heldAt(held, buffer);
  if (data === null) {
    if (!message.isBegun) return;
    const made = held.get(used.transaction) ?? null;
    if (made === null) throw differs("the buffer that is to be continued does not exist", buffer);
    assertStoredContentMatches(made, use);
    assertCreatorIs(made, used.creator, tablesOf(use.content));
    return;
  }
  let found: { readonly hash: Uint8Array; readonly size: number };
  try {
    const reader = readBytes(data);
    if (encodeHex(reader.bytes(8)) !== bufferDiscriminator) throw new RangeError("it is no buffer");
    // Settings, creator and number, from which its address follows, and the vault, of which only the last call has a say.
    reader.bytes(32 + 32 + 2);
    found = { hash: reader.bytes(32), size: reader.u16() };
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new TransactionMismatchError("unreadable", "the buffer cannot be read", { cause });
  }
  if (found.size === message.size && equalBytes(found.hash, message.hash)) return;
  throw differs("the buffer was made for another message: close it first", buffer);
}

const bufferDiscriminator = "5a2423db5de16e60";

/**
 * Makes sure that a batch holds the first of these transactions, `stored` at least, and nothing else, or is not there if it
 * is begun anew. Throws `TransactionMismatchError`.
 */
export function assertBatchHolds(
  held: HeldAccounts,
  expected: {
    readonly account: Address;
    readonly settings: Address;
    readonly transactionIndex: bigint;
    readonly creator: Address;
    readonly content: BatchContent;
    readonly stored: number;
    readonly isBegun: boolean;
  },
): void {
  const { account, settings, transactionIndex, content, stored } = expected;
  const place = deriveTransactionAddress(settings, transactionIndex);
  const data = heldAt(held, place);
  if (data === null) {
    if (!expected.isBegun) return;
    throw differs("the batch that is to be continued does not exist", place);
  }
  // More of it may have landed since it was prepared, also all of it.
  const size = sizeOfBatch(data);
  if (size === undefined || size > partsOf(content).length) {
    throw differs("something else has this index already", place);
  }
  if (size < stored) throw differs("a transaction of the batch is not there", place);
  const batchTransactions = Array.from({ length: size }, (_, at) => {
    const address = deriveBatchTransactionAddress(settings, transactionIndex, at + 1);
    const part = heldAt(held, address);
    if (part === null) throw differs("a transaction of the batch is not there", address);
    return { address, data: part };
  });
  const beginning = beginningOf(content, size);
  assertStoredContentMatches(data, { account, transactionIndex, content: beginning, batchTransactions });
  assertCreatorIs(data, expected.creator, tablesOf(content));
}

function assertCreatorIs(data: Uint8Array, expected: Address, lookupTables?: LookupTables): void {
  const { creator } = decodeStoredTransaction(data, lookupTables);
  if (creator === expected) return;
  throw new TransactionMismatchError("signers", "another address began it", { expected, actual: creator });
}

/** How many transactions a batch holds; undefined for anything else. */
function sizeOfBatch(data: Uint8Array): number | undefined {
  try {
    const { content } = decodeStoredTransaction(data);
    return content.kind === "batch" ? content.size : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function heldAt(held: HeldAccounts, address: Address): Uint8Array | null {
  const data = held.get(address);
  if (data === undefined) throw differs("it is not known what the chain holds there", address);
  return data;
}

function differs(message: string, actual: Address): TransactionMismatchError {
  return new TransactionMismatchError("content", message, { actual });
}
