import type { Address, ReadonlyUint8Array } from "@solana/kit";
import { getTransactionDecoder, TRANSACTION_DISCRIMINATOR } from "./generated/accounts/index.js";
import { getFirstGenerationTransactionDecoder, type TransactionState } from "./generated/types/index.js";
import { decodeAccountData, decodeBytes, ProgramDataError, startsWith } from "./program-data.js";
import { assertWellFormed, type WrappedMessage } from "./wrapped-message.js";

/** A wrapped message waiting for votes. */
export type StoredTransaction = {
  /** The account whose members decide. */
  readonly settings: Address;
  readonly creator: Address;
  /** Who gets the rent back when it is closed. */
  readonly rentCollector: Address;
  readonly index: bigint;
  /** Which smart account of the settings acts. */
  readonly accountIndex: number;
  readonly ephemeralSignerCount: number;
  readonly message: WrappedMessage;
};

const decoder = getTransactionDecoder();
const PAYLOAD_TAG_AT = 112;
/** The largest bump that gives an address is used: a smaller one than this never occurs. Kinds of payload count from 0. */
const LEAST_BUMP = 200;

/**
 * Reads the data of a transaction account. Throws a `ProgramDataError` for anything else: other kinds of account,
 * accounts written by the first generation of the program, payloads of policies, and malformed messages.
 */
export function decodeTransaction(data: ReadonlyUint8Array): StoredTransaction {
  if (isFirstGenerationTransaction(data)) {
    throw new ProgramDataError("a transaction account of the first program generation");
  }
  return transactionOfState(decodeAccountData("transaction", data, TRANSACTION_DISCRIMINATOR, decoder));
}

const firstGenerationDecoder = getFirstGenerationTransactionDecoder();

/**
 * Reads a transaction account that the first generation of the program wrote. The program of today cannot read it any
 * more: it can be displayed, and neither executed nor closed (3003). Throws a `ProgramDataError` for anything else.
 */
export function decodeFirstGenerationTransaction(data: ReadonlyUint8Array): StoredTransaction {
  if (!isFirstGenerationTransaction(data)) {
    throw new ProgramDataError("not a transaction account of the first program generation");
  }
  const { ephemeralSignerBumps, message, settings, creator, rentCollector, index, accountIndex } = decodeBytes(
    "transaction account of the first program generation",
    data.slice(TRANSACTION_DISCRIMINATOR.length),
    firstGenerationDecoder,
  );
  return {
    settings,
    creator,
    rentCollector,
    index,
    accountIndex,
    ephemeralSignerCount: ephemeralSignerBumps.length,
    message: assertWellFormed(message),
  };
}

/** Reads a transaction account of either generation. Throws like `decodeTransaction`. */
export function decodeAnyTransaction(data: ReadonlyUint8Array): StoredTransaction {
  return isFirstGenerationTransaction(data) ? decodeFirstGenerationTransaction(data) : decodeTransaction(data);
}

/** Whether a transaction account was written by the first generation: it holds a bump where others have a tag. */
export function isFirstGenerationTransaction(data: ReadonlyUint8Array): boolean {
  const tag = data[PAYLOAD_TAG_AT];
  return startsWith(data, TRANSACTION_DISCRIMINATOR) && tag !== undefined && tag >= LEAST_BUMP;
}

/** The plain form of a transaction that was received inside an event. Throws like `decodeTransaction`. */
export function transactionOfState(state: TransactionState): StoredTransaction {
  const { payload } = state;
  if (payload.__kind !== "TransactionPayload") throw new ProgramDataError("the payload is that of a policy");
  return {
    settings: state.consensusAccount,
    creator: state.creator,
    rentCollector: state.rentCollector,
    index: state.index,
    accountIndex: payload.accountIndex,
    ephemeralSignerCount: payload.ephemeralSignerBumps.length,
    message: assertWellFormed(payload.message),
  };
}
