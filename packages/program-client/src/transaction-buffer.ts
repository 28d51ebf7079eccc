/** Transaction buffers: where a wrapped message that does not fit one transaction is put together. */
import type { Address, ReadonlyUint8Array } from "@solana/kit";
import { deriveTransactionAddress, deriveTransactionBufferAddress } from "./addresses.js";
import { getTransactionBufferDecoder, TRANSACTION_BUFFER_DISCRIMINATOR } from "./generated/accounts/index.js";
import {
  getCloseTransactionBufferInstruction,
  getCreateTransactionBufferInstruction,
  getCreateTransactionFromBufferInstruction,
  getExtendTransactionBufferInstruction,
} from "./generated/instructions/index.js";
import { asSigner, type PlainInstruction, plain } from "./plain-instruction.js";
import { decodeAccountData, ProgramDataError } from "./program-data.js";

/** The longest message a buffer can hold, in bytes of `encodeWrappedMessage`. */
export const maxBufferedMessageBytes = 4_000;

/** Bytes of the account of a buffer for a message of so many bytes, for its rent. */
export const transactionBufferSize = (finalSize: number): number => 112 + finalSize;

/** What a buffer holds. */
export type TransactionBuffer = {
  readonly settings: Address;
  /** Who alone can extend, use and close it, and gets its rent back. */
  readonly creator: Address;
  readonly bufferIndex: number;
  readonly accountIndex: number;
  /** The SHA-256 digest of the whole message. */
  readonly finalHash: ReadonlyUint8Array;
  readonly finalSize: number;
  /** What is there so far. */
  readonly content: ReadonlyUint8Array;
};

const decoder = getTransactionBufferDecoder();

/** Reads the data of a transaction buffer. Throws a `ProgramDataError` for anything else. */
export function decodeTransactionBuffer(data: ReadonlyUint8Array): TransactionBuffer {
  const buffer = decodeAccountData("transaction buffer", data, TRANSACTION_BUFFER_DISCRIMINATOR, decoder);
  return {
    settings: buffer.settings,
    creator: buffer.creator,
    bufferIndex: buffer.bufferIndex,
    accountIndex: buffer.accountIndex,
    finalHash: buffer.finalBufferHash,
    finalSize: buffer.finalBufferSize,
    content: buffer.buffer,
  };
}

/** Which buffer: a creator can have one of each number (0 to 255) per account. */
export type BufferPlace = {
  readonly settings: Address;
  /** A member who may initiate. */
  readonly creator: Address;
  readonly bufferIndex: number;
};

export type CreateTransactionBuffer = BufferPlace & {
  /** Pays the rent and signs. The rent goes to the creator when the buffer is used or closed. */
  readonly rentPayer: Address;
  readonly accountIndex?: number;
  /** The SHA-256 digest of the whole message, 32 bytes. */
  readonly finalHash: ReadonlyUint8Array;
  /** Bytes of the whole message, at most `maxBufferedMessageBytes`. */
  readonly finalSize: number;
  /** The first part; may be empty. */
  readonly firstPart: ReadonlyUint8Array;
};

/** Builds create_transaction_buffer. Throws a `ProgramDataError` for a message that no buffer can hold. */
export function createTransactionBufferInstruction(input: CreateTransactionBuffer): PlainInstruction {
  const { settings, creator, bufferIndex, rentPayer, accountIndex = 0, finalHash, finalSize, firstPart } = input;
  if (finalSize > maxBufferedMessageBytes) throw new ProgramDataError(`${finalSize} bytes do not fit a buffer`);
  return plain(
    getCreateTransactionBufferInstruction({
      consensusAccount: settings,
      transactionBuffer: deriveTransactionBufferAddress(settings, creator, bufferIndex),
      creator: asSigner(creator),
      rentPayer: asSigner(rentPayer),
      bufferIndex,
      accountIndex,
      finalBufferHash: finalHash,
      finalBufferSize: finalSize,
      buffer: firstPart,
    }),
  );
}

/** Builds extend_transaction_buffer: appends the next part. */
export function extendTransactionBufferInstruction(
  input: BufferPlace & { readonly part: ReadonlyUint8Array },
): PlainInstruction {
  const { settings, creator, bufferIndex, part } = input;
  return plain(
    getExtendTransactionBufferInstruction({
      consensusAccount: settings,
      transactionBuffer: deriveTransactionBufferAddress(settings, creator, bufferIndex),
      creator: asSigner(creator),
      buffer: part,
    }),
  );
}

/** Builds close_transaction_buffer: gives the buffer up. The creator signs, member or not, and gets the rent. */
export function closeTransactionBufferInstruction(input: BufferPlace): PlainInstruction {
  const { settings, creator, bufferIndex } = input;
  return plain(
    getCloseTransactionBufferInstruction({
      consensusAccount: settings,
      transactionBuffer: deriveTransactionBufferAddress(settings, creator, bufferIndex),
      creator: asSigner(creator),
    }),
  );
}

export type CreateTransactionFromBuffer = BufferPlace & {
  /** The settings' `transactionIndex` plus one at the moment it lands; with any other number it fails (2006). */
  readonly transactionIndex: bigint;
  /** Pays the transaction's rent, signs, and gets it back on closing. */
  readonly rentPayer: Address;
  readonly accountIndex?: number;
  /** How many throw-away signers the message uses. */
  readonly ephemeralSigners?: number;
};

/** The message that stands for "in the buffer". */
const IN_BUFFER = new Uint8Array(6);

/**
 * Builds create_transaction_from_buffer: stores the message of a complete buffer for voting, like create_transaction,
 * and closes the buffer. Which smart account acts is said here; what the buffer says of it is not read.
 */
export function createTransactionFromBufferInstruction(input: CreateTransactionFromBuffer): PlainInstruction {
  const { settings, creator, bufferIndex, transactionIndex, rentPayer, accountIndex = 0, ephemeralSigners = 0 } = input;
  return plain(
    getCreateTransactionFromBufferInstruction({
      consensusAccount: settings,
      transaction: deriveTransactionAddress(settings, transactionIndex),
      creator: asSigner(creator),
      rentPayer: asSigner(rentPayer),
      transactionBuffer: deriveTransactionBufferAddress(settings, creator, bufferIndex),
      bufferCreator: asSigner(creator),
      args: { __kind: "TransactionPayload", accountIndex, ephemeralSigners, transactionMessage: IN_BUFFER, memo: null },
    }),
  );
}
