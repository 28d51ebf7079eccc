import type { Address, Blockhash, Instruction, Transaction, TransactionMessageBytes } from "@solana/kit";
import {
  getRequestHeapFrameInstruction,
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from "@solana-program/compute-budget";
import { limits } from "@trellis/kernel/limits.js";
import { compileMessage } from "./compile-message.js";
import type { LookupTables } from "./read-message.js";
import { writeTransaction } from "./transaction-bytes.js";
import { identifyMessage, tooLarge } from "./wire-transaction.js";

/** Until which block a transaction can land. */
export interface Lifetime {
  readonly blockhash: Blockhash;
  readonly lastValidBlockHeight: bigint;
}

/** What a transaction may use and what it bids for it. */
export interface ComputeBudget {
  readonly units: number;
  /** Zero: no bid, and no instruction for it. */
  readonly microLamportsPerUnit: bigint;
  /** Memory for each instruction; undefined: what every transaction has. See `heapFrameFor`. */
  readonly heapFrameBytes?: number | undefined;
  /** True: without that memory it cannot be executed, so it is not left out where the bytes do not fit. */
  readonly needsHeapFrame?: boolean;
  /** True: these instructions stand behind the others, of which one has to be the transaction's first. */
  readonly isLast?: boolean;
}

/** A transaction with every signature slot empty. */
export interface UnsignedTransaction {
  readonly transaction: Transaction;
  readonly bytes: Uint8Array;
  readonly id: string;
}

/** Stands in a draft where a blockhash will, for `simulateAfresh`; no block has it. */
export const noBlockhash = { blockhash: "11111111111111111111111111111111" as Blockhash } as const;

/** Most a transaction can use on Solana: what a first simulation is given. */
export const computeUnitsMax = 1_400_000;

/** Bytes of the instruction that bids: indexes and lengths take one each, then follow its number and the price. */
const bidBytes = 3 + 1 + 8;

/** Lamports per signature. */
const signatureFee = 5_000n;

/**
 * Puts instructions together as a v0 transaction with its compute budget first, or last where that says so. Only where that does not fit
 * a packet are accounts looked up in `lookupTables`: what stands in the message itself can be checked by its signer. Room for a bid
 * is kept also where no bid is made: what fits at one time, and in the sandbox, fits at any time and everywhere. Memory is not
 * asked for where the transaction fits only without: it may do with what it has.
 *
 * Throws `transaction_too_large` when it does not fit all the same; it is never split silently (gap 23). Throws
 * `invalid_transaction` where a program that is called would be written to.
 */
export function composeTransaction(
  feePayer: Address,
  lifetime: Pick<Lifetime, "blockhash">,
  budget: ComputeBudget,
  instructions: readonly Instruction[],
  lookupTables: LookupTables = {},
): UnsignedTransaction {
  const compose = (tables: LookupTables, granted: ComputeBudget) => {
    const bids = budgetInstructions(granted);
    const all = granted.isLast === true ? [...instructions, ...bids] : [...bids, ...instructions];
    const { messageBytes, signers } = compileMessage(feePayer, lifetime.blockhash, all, tables);
    const empty = signers.map(() => null);
    return { messageBytes, signers, bytes: writeTransaction(empty, messageBytes) };
  };
  const reserved = budget.microLamportsPerUnit === 0n ? bidBytes : 0;
  const sizeOf = ({ bytes }: { readonly bytes: Uint8Array }) => bytes.length + reserved;
  const tableChoices = Object.keys(lookupTables).length === 0 ? [{}] : [{}, lookupTables];
  const isFixed = budget.heapFrameBytes === undefined || budget.needsHeapFrame === true;
  const budgets = isFixed ? [budget] : [budget, { ...budget, heapFrameBytes: undefined }];
  let composed = compose({}, budget);
  for (const [granted, tables] of budgets.flatMap((granted) =>
    tableChoices.map((tables) => [granted, tables] as const),
  )) {
    if (sizeOf(composed) <= limits.transactionBytes) break;
    composed = compose(tables, granted);
  }
  if (sizeOf(composed) > limits.transactionBytes) throw tooLarge(sizeOf(composed));
  const { messageBytes, signers, bytes } = composed;
  const transaction: Transaction = {
    messageBytes: messageBytes as unknown as TransactionMessageBytes,
    signatures: Object.fromEntries(signers.map((address) => [address, null])),
  };
  return { transaction, bytes, id: identifyMessage(messageBytes) };
}

function budgetInstructions(budget: ComputeBudget): Instruction[] {
  const { units, microLamportsPerUnit, heapFrameBytes } = budget;
  return [
    getSetComputeUnitLimitInstruction({ units }),
    ...(microLamportsPerUnit === 0n
      ? []
      : [getSetComputeUnitPriceInstruction({ microLamports: microLamportsPerUnit })]),
    ...(heapFrameBytes === undefined ? [] : [getRequestHeapFrameInstruction({ bytes: heapFrameBytes })]),
  ];
}

/** The fee in lamports that the chain takes for it, rent aside. */
export function feeOf(transaction: Transaction, budget: ComputeBudget): bigint {
  return feeOfSignatures(Object.keys(transaction.signatures).length, budget);
}

/** The same of whatever transaction has so many signatures. */
export function feeOfSignatures(count: number, { units, microLamportsPerUnit }: ComputeBudget): bigint {
  const bid = (BigInt(units) * microLamportsPerUnit + 999_999n) / 1_000_000n;
  return signatureFee * BigInt(count) + bid;
}
