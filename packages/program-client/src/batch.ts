import type { Address, ReadonlyUint8Array } from "@solana/kit";
import {
  BATCH_DISCRIMINATOR,
  BATCH_TRANSACTION_DISCRIMINATOR,
  getBatchDecoder,
  getBatchTransactionDecoder,
} from "./generated/accounts/index.js";
import { decodeAccountData } from "./program-data.js";
import { assertWellFormed, storedMessageSize, type WrappedMessage } from "./wrapped-message.js";

/** Several wrapped messages under one vote, executed one after the other. */
export type Batch = {
  readonly settings: Address;
  /** Who alone may add to it. */
  readonly creator: Address;
  /** Who gets its rent back. */
  readonly rentCollector: Address;
  readonly index: bigint;
  /** Which smart account of the settings acts. */
  readonly accountIndex: number;
  /** How many messages are in it; closing takes them off again, the last first. */
  readonly size: number;
  /** How many of them were executed. */
  readonly executedCount: number;
};

const batchDecoder = getBatchDecoder();

/** Reads the data of a batch account. Throws a `ProgramDataError` for anything else. */
export function decodeBatch(data: ReadonlyUint8Array): Batch {
  const batch = decodeAccountData("batch", data, BATCH_DISCRIMINATOR, batchDecoder);
  return {
    settings: batch.settings,
    creator: batch.creator,
    rentCollector: batch.rentCollector,
    index: batch.index,
    accountIndex: batch.accountIndex,
    size: batch.size,
    executedCount: batch.executedTransactionIndex,
  };
}

/** One message of a batch. Which batch it is in, and as what number, only its address says. */
export type BatchTransaction = {
  /** Who gets its rent back. */
  readonly rentCollector: Address;
  readonly ephemeralSignerCount: number;
  readonly message: WrappedMessage;
};

const batchTransactionDecoder = getBatchTransactionDecoder();

/** Reads the data of an account that holds a batch's message. Throws a `ProgramDataError` for anything else. */
export function decodeBatchTransaction(data: ReadonlyUint8Array): BatchTransaction {
  const { rentCollector, ephemeralSignerBumps, message } = decodeAccountData(
    "batch transaction",
    data,
    BATCH_TRANSACTION_DISCRIMINATOR,
    batchTransactionDecoder,
  );
  return { rentCollector, ephemeralSignerCount: ephemeralSignerBumps.length, message: assertWellFormed(message) };
}

/** Bytes of the account that holds a batch's message. */
export const batchTransactionSize = (message: WrappedMessage, ephemeralSigners = 0): number =>
  45 + ephemeralSigners + storedMessageSize(message);
