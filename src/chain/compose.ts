import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Transaction,
} from "@solana/kit";
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from "@solana-program/compute-budget";
import { limits } from "../limits.js";
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
}

/** A transaction with every signature slot empty. */
export interface UnsignedTransaction {
  readonly transaction: Transaction;
  readonly bytes: Uint8Array;
  readonly id: string;
}

/** Most a transaction can use on Solana: what a first simulation is given. */
export const computeUnitsMax = 1_400_000;

/** Lamports per signature. */
const signatureFee = 5_000n;

/**
 * Puts instructions together as a v0 transaction with its compute budget first. Throws `transaction_too_large` when it
 * does not fit a packet; it is never split silently (gap 23).
 */
export function composeTransaction(
  feePayer: Address,
  lifetime: Lifetime,
  budget: ComputeBudget,
  instructions: readonly Instruction[],
): UnsignedTransaction {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayer(feePayer, m),
    (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
    (m) => appendTransactionMessageInstructions([...budgetInstructions(budget), ...instructions], m),
  );
  const transaction = compileTransaction(message);
  const bytes = getTransactionEncoder().encode(transaction) as Uint8Array;
  if (bytes.length > limits.transactionBytes) throw tooLarge(bytes.length);
  return { transaction, bytes, id: identifyMessage(transaction.messageBytes) };
}

function budgetInstructions(budget: ComputeBudget): Instruction[] {
  const limit = getSetComputeUnitLimitInstruction({ units: budget.units });
  if (budget.microLamportsPerUnit === 0n) return [limit];
  return [limit, getSetComputeUnitPriceInstruction({ microLamports: budget.microLamportsPerUnit })];
}

/** The fee in lamports that the chain takes for it, rent aside. */
export function feeOf(transaction: Transaction, budget: ComputeBudget): bigint {
  const bid = (BigInt(budget.units) * budget.microLamportsPerUnit + 999_999n) / 1_000_000n;
  return signatureFee * BigInt(Object.keys(transaction.signatures).length) + bid;
}
