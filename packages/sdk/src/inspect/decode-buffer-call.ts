import type { Address } from "@solana/addresses";
import type { ByteReader } from "./byte-reader.js";
import { readAbsentMemo } from "./decode-settings-change.js";
import { takeFrom, takeProgram, takeSystem } from "./instruction-accounts.js";

/** An instruction about a buffer, in which a message is put together that does not fit one transaction. */
export type BufferCall = CreateBufferCall | ExtendBufferCall | CreateFromBufferCall | CloseBufferCall;

/** Begins a buffer with the first part of the message. */
export type CreateBufferCall = {
  readonly type: "create_buffer";
  readonly settings: Address;
  readonly buffer: Address;
  readonly creator: Address;
  /** Pays the rent, which goes to `creator` when the buffer is used or closed. */
  readonly rentPayer: Address;
  readonly accountIndex: number;
  /** SHA-256 of the whole message. */
  readonly messageHash: Uint8Array;
  /** Bytes of the whole message. */
  readonly messageSize: number;
  readonly part: Uint8Array;
};

/** Appends the next part. */
export type ExtendBufferCall = {
  readonly type: "extend_buffer";
  readonly settings: Address;
  readonly buffer: Address;
  readonly creator: Address;
  readonly part: Uint8Array;
};

/** Writes down what a complete buffer holds, to be voted on, and closes the buffer. */
export type CreateFromBufferCall = {
  readonly type: "create_transaction_from_buffer";
  readonly settings: Address;
  readonly transaction: Address;
  readonly creator: Address;
  readonly rentPayer: Address;
  readonly accountIndex: number;
  readonly ephemeralSigners: number;
  readonly buffer: Address;
};

/** Gives a buffer up; its creator gets the rent. */
export type CloseBufferCall = {
  readonly type: "close_buffer";
  readonly settings: Address;
  readonly buffer: Address;
  readonly creator: Address;
};

type Reader = (accounts: readonly Address[], reader: ByteReader) => BufferCall;

/** By the first 8 bytes of the instruction. */
export const bufferReaders: Readonly<Record<string, Reader>> = {
  "3961fa9c3bd320d0": readCreateBuffer,
  be56f65fe79ae55b: readExtendBuffer,
  "35c027ef7c542bf9": readCreateFromBuffer,
  e0dd7bd500cc05bf: readCloseBuffer,
};

function readCreateBuffer(addresses: readonly Address[], reader: ByteReader): CreateBufferCall {
  const accounts = takeFrom(addresses);
  const settings = accounts.next();
  const buffer = accounts.next();
  const creator = accounts.next();
  const rentPayer = accounts.next();
  takeSystem(accounts);
  accounts.end();
  // The number: the address follows from it.
  reader.u8();
  const accountIndex = reader.u8();
  const messageHash = reader.bytes(32);
  const messageSize = reader.u16();
  const part = reader.bytes(reader.u32());
  return {
    type: "create_buffer",
    settings,
    buffer,
    creator,
    rentPayer,
    accountIndex,
    messageHash,
    messageSize,
    part,
  };
}

function readExtendBuffer(addresses: readonly Address[], reader: ByteReader): ExtendBufferCall {
  return { type: "extend_buffer", ...readBufferAccounts(addresses), part: reader.bytes(reader.u32()) };
}

function readCloseBuffer(addresses: readonly Address[]): CloseBufferCall {
  return { type: "close_buffer", ...readBufferAccounts(addresses) };
}

function readBufferAccounts(addresses: readonly Address[]) {
  const accounts = takeFrom(addresses);
  const settings = accounts.next();
  const buffer = accounts.next();
  const creator = accounts.next();
  accounts.end();
  return { settings, buffer, creator };
}

const transactionPayloadTag = 0;
/** Bytes that stand for the message where it is in a buffer, all zero. */
const placeholderBytes = 6;

function readCreateFromBuffer(addresses: readonly Address[], reader: ByteReader): CreateFromBufferCall {
  const accounts = takeFrom(addresses);
  const settings = accounts.next();
  const transaction = accounts.next();
  const creator = accounts.next();
  const rentPayer = accounts.next();
  takeSystem(accounts);
  takeProgram(accounts);
  const buffer = accounts.next();
  if (accounts.next() !== creator) throw new RangeError("the buffer belongs to another address");
  accounts.end();
  if (reader.u8() !== transactionPayloadTag) throw new RangeError("a policy's payload is not known here");
  const accountIndex = reader.u8();
  const ephemeralSigners = reader.u8();
  const placeholder = reader.bytes(reader.u32());
  if (placeholder.length !== placeholderBytes || placeholder.some((byte) => byte !== 0)) {
    throw new RangeError("a message stands where the buffer's should");
  }
  readAbsentMemo(reader);
  const common = { settings, transaction, creator, rentPayer, buffer };
  return { type: "create_transaction_from_buffer", ...common, accountIndex, ephemeralSigners };
}
