import type { Address } from "@solana/kit";
import type { UiTokenAmount } from "./token-layout.js";
import type { TransactionFault } from "./transaction-error.js";
import type { Outcome } from "./vm.js";

/** What one token account held, as RPC answers show it. */
export interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner: Address;
  readonly programId: Address;
  readonly uiTokenAmount: UiTokenAmount;
}

/** Everything that is reported of an executed transaction besides its bytes. Lamports are bigint. */
export interface TransactionRecord {
  readonly fault: TransactionFault | null;
  readonly fee: bigint;
  readonly unitsConsumed: bigint;
  readonly logs: readonly string[];
  readonly preBalances: readonly bigint[];
  readonly postBalances: readonly bigint[];
  readonly preTokenBalances: readonly TokenBalance[];
  readonly postTokenBalances: readonly TokenBalance[];
  readonly innerInstructions: Outcome["innerInstructions"];
  readonly returnData: Outcome["returnData"];
  readonly loadedWritable: readonly Address[];
  readonly loadedReadonly: readonly Address[];
}

interface StoredRecord {
  fault: TransactionFault | null;
  fee: string;
  units: string;
  logs: readonly string[];
  pre: string[];
  post: string[];
  preTokens: readonly TokenBalance[];
  postTokens: readonly TokenBalance[];
  inner: {
    index: number;
    instructions: { program: number; accounts: readonly number[]; data: string; height: number }[];
  }[];
  returned: { program: Address; data: string } | null;
  writable: readonly Address[];
  readonly: readonly Address[];
}

/** The record as JSON text: lamports as decimal strings, bytes as base64. */
export function encodeRecord(record: TransactionRecord): string {
  const stored: StoredRecord = {
    fault: record.fault,
    fee: record.fee.toString(),
    units: record.unitsConsumed.toString(),
    logs: record.logs,
    pre: record.preBalances.map(String),
    post: record.postBalances.map(String),
    preTokens: record.preTokenBalances,
    postTokens: record.postTokenBalances,
    inner: record.innerInstructions.map(({ index, instructions }) => ({
      index,
      instructions: instructions.map((inner) => ({
        program: inner.programIndex,
        accounts: inner.accountIndexes,
        data: Buffer.from(inner.data).toString("base64"),
        height: inner.stackHeight,
      })),
    })),
    returned: record.returnData && {
      program: record.returnData.programId,
      data: Buffer.from(record.returnData.data).toString("base64"),
    },
    writable: record.loadedWritable,
    readonly: record.loadedReadonly,
  };
  return JSON.stringify(stored);
}

/** Reads what `encodeRecord` wrote. */
export function decodeRecord(text: string): TransactionRecord {
  const stored = JSON.parse(text) as StoredRecord;
  return {
    fault: stored.fault,
    fee: BigInt(stored.fee),
    unitsConsumed: BigInt(stored.units),
    logs: stored.logs,
    preBalances: stored.pre.map(BigInt),
    postBalances: stored.post.map(BigInt),
    preTokenBalances: stored.preTokens,
    postTokenBalances: stored.postTokens,
    innerInstructions: stored.inner.map(({ index, instructions }) => ({
      index,
      instructions: instructions.map((inner) => ({
        programIndex: inner.program,
        accountIndexes: inner.accounts,
        data: new Uint8Array(Buffer.from(inner.data, "base64")),
        stackHeight: inner.height,
      })),
    })),
    returnData: stored.returned && {
      programId: stored.returned.program,
      data: new Uint8Array(Buffer.from(stored.returned.data, "base64")),
    },
    loadedWritable: stored.writable,
    loadedReadonly: stored.readonly,
  };
}
