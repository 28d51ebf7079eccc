import type {
  Address,
  Blockhash,
  CompiledTransactionMessage,
  CompiledTransactionMessageWithLifetime,
  SignatureBytes,
  Transaction,
  TransactionMessageBytes,
} from "@solana/kit";
import { addressOfBytes } from "@trellis/program-client";

/** A legacy or v0 message, in the form of kit's decoder. */
export type PlainMessage = Exclude<CompiledTransactionMessage, { readonly version: 1 }> &
  CompiledTransactionMessageWithLifetime;

/** A transaction with the message in it. */
interface PlainTransaction {
  readonly transaction: Transaction;
  readonly message: PlainMessage;
}

const versionFlag = 0x80;
const addressBytes = 32;
const signatureBytes = 64;

/** Bytes that are no canonical encoding: cut short, with bytes left over, or with a number spelled longer than needed. */
class NotCanonical extends Error {
  override readonly name = "NotCanonical";
}

interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

/**
 * Reads a legacy or v0 transaction strictly; undefined unless the bytes are the one canonical encoding of it, nothing
 * left over. kit's decoder followed by kit's encoder accepts the same bytes and gives the same value, at many times the
 * cost. The result holds copies, and is the caller's own.
 */
export function readTransaction(wire: Uint8Array): PlainTransaction | undefined {
  return canonically(() => {
    const cursor: Cursor = { bytes: wire, at: 0 };
    const count = readLength(cursor);
    if (count === 0 || count >= versionFlag) throw new NotCanonical("no transaction has so many signatures");
    const given = readList(count, () => readBytes(cursor, signatureBytes));
    const messageBytes = readBytes(cursor, wire.length - cursor.at);
    const message = readMessageBytes(messageBytes);
    const signers = message.staticAccounts.slice(0, message.header.numSignerAccounts);
    const signatures: Record<Address, SignatureBytes | null> = {};
    signers.forEach((signer, index) => {
      const signature = given[index];
      signatures[signer] = signature?.some((byte) => byte !== 0) ? (signature as unknown as SignatureBytes) : null;
    });
    if (signers.length !== count || Object.keys(signatures).length !== count) {
      throw new NotCanonical("one signature is needed for each signer");
    }
    return {
      transaction: { messageBytes: messageBytes as unknown as TransactionMessageBytes, signatures },
      message,
    };
  });
}

/** Reads a legacy or v0 message in the same way. */
export function readPlainMessage(bytes: Uint8Array): PlainMessage | undefined {
  return canonically(() => readMessageBytes(bytes));
}

/** Writes signatures and message as wire bytes; null is an empty slot. There are less than 128 signatures. */
export function writeTransaction(
  signatures: readonly (ArrayLike<number> | null | undefined)[],
  messageBytes: ArrayLike<number>,
): Uint8Array {
  const bytes = new Uint8Array(1 + signatures.length * signatureBytes + messageBytes.length);
  bytes[0] = signatures.length;
  signatures.forEach((signature, index) => {
    if (signature) bytes.set(signature, 1 + index * signatureBytes);
  });
  bytes.set(messageBytes, 1 + signatures.length * signatureBytes);
  return bytes;
}

function canonically<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotCanonical) return undefined;
    throw error;
  }
}

function readMessageBytes(bytes: Uint8Array): PlainMessage {
  const cursor: Cursor = { bytes, at: 0 };
  const isLegacy = (peek(cursor) & versionFlag) === 0;
  if (!isLegacy && readByte(cursor) !== versionFlag) throw new NotCanonical("the version is unknown");
  const header = {
    numSignerAccounts: readByte(cursor),
    numReadonlySignerAccounts: readByte(cursor),
    numReadonlyNonSignerAccounts: readByte(cursor),
  };
  const staticAccounts = readList(readLength(cursor), () => readAddress(cursor));
  const lifetimeToken = readAddress(cursor) as string as Blockhash;
  const instructions = readList(readLength(cursor), () => readInstruction(cursor));
  const lookups = isLegacy ? [] : readList(readLength(cursor), () => readLookup(cursor));
  if (cursor.at !== bytes.length) throw new NotCanonical("there are bytes left over");
  const common = { header, staticAccounts, lifetimeToken, instructions };
  if (isLegacy) return { ...common, version: "legacy" };
  return { ...common, version: 0, ...(lookups.length === 0 ? {} : { addressTableLookups: lookups }) };
}

function readInstruction(cursor: Cursor) {
  const programAddressIndex = readByte(cursor);
  const accountIndices = readIndexes(cursor);
  const data = readBytes(cursor, readLength(cursor));
  return {
    programAddressIndex,
    ...(accountIndices.length === 0 ? {} : { accountIndices }),
    ...(data.length === 0 ? {} : { data }),
  };
}

function readLookup(cursor: Cursor) {
  return {
    lookupTableAddress: readAddress(cursor),
    writableIndexes: readIndexes(cursor),
    readonlyIndexes: readIndexes(cursor),
  };
}

function readIndexes(cursor: Cursor): number[] {
  return Array.from(readBytes(cursor, readLength(cursor)));
}

function readAddress(cursor: Cursor): Address {
  return addressOfBytes(readBytes(cursor, addressBytes));
}

function readList<T>(count: number, read: () => T): T[] {
  const items: T[] = [];
  for (let i = 0; i < count; i += 1) items.push(read());
  return items;
}

/** Solana's length prefix: seven bits a byte, lowest first, up to 65,535, in as few bytes as it takes. */
function readLength(cursor: Cursor): number {
  let length = 0;
  for (let shift = 0; shift <= 14; shift += 7) {
    const byte = readByte(cursor);
    length |= (byte & 0x7f) << shift;
    if ((byte & 0x80) !== 0) continue;
    if ((byte === 0 && shift > 0) || length > 0xffff) break;
    return length;
  }
  throw new NotCanonical("a length is not in its shortest form");
}

function readByte(cursor: Cursor): number {
  const byte = peek(cursor);
  cursor.at += 1;
  return byte;
}

function peek({ bytes, at }: Cursor): number {
  const byte = bytes[at];
  if (byte === undefined) throw new NotCanonical("the bytes end early");
  return byte;
}

function readBytes(cursor: Cursor, count: number): Uint8Array {
  const end = cursor.at + count;
  if (end > cursor.bytes.length) throw new NotCanonical("the bytes end early");
  // A copy, and no Node buffer, whatever it is read from.
  const bytes = new Uint8Array(cursor.bytes.subarray(cursor.at, end));
  cursor.at = end;
  return bytes;
}
