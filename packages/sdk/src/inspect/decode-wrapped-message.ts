import type { Address } from "@solana/addresses";
import type { ByteReader } from "./byte-reader.js";
import type { RawInstruction } from "./decode-instruction.js";
import { readAddress } from "./decode-settings-change.js";

/** What a smart account executes after a vote, with the rights it is given. */
export type WrappedMessage = {
  /** In the order of the message; the first `signers.length` of them sign. */
  readonly accountKeys: readonly Address[];
  /** Who signs inside: the smart account itself, and whom else the instructions need. */
  readonly signers: readonly Address[];
  /** Which accounts may be changed. */
  readonly writable: readonly Address[];
  readonly lookups: readonly TableLookup[];
  /** In order, accounts from lookup tables included. */
  readonly instructions: readonly RawInstruction[];
};

/** Entries of a lookup table that a message uses. */
export type TableLookup = {
  readonly table: Address;
  readonly writable: readonly number[];
  readonly readonly: readonly number[];
};

/** The content of lookup tables by their address, in order, as the caller knows them from the chain. */
export type LookupTables = Readonly<Record<string, readonly Address[]>>;

/** Widths of the counts: the same message is written in two ways. */
const counts = {
  /** As create_transaction takes it. */
  sent: { short: (reader: ByteReader) => reader.u8(), data: (reader: ByteReader) => reader.u16() },
  /** As the transaction account holds it. */
  stored: { short: (reader: ByteReader) => reader.u32(), data: (reader: ByteReader) => reader.u32() },
} as const;

/**
 * Reads a message in its sent or stored form. Bytes behind it stay in the reader. Throws a `RangeError` when counts and
 * indexes do not agree, and when an index needs a table that `lookupTables` does not have.
 */
export function readWrappedMessage(
  reader: ByteReader,
  form: keyof typeof counts,
  lookupTables: LookupTables = {},
): WrappedMessage {
  const { signerCount, writableSigners, writableOthers, accountKeys, compiled, lookups } = readCompiled(reader, form);
  const found = {
    writable: lookups.flatMap(({ table, writable }) => lookUpAddresses(table, writable, lookupTables)),
    readonly: lookups.flatMap(({ table, readonly }) => lookUpAddresses(table, readonly, lookupTables)),
  };
  const addresses = [...accountKeys, ...found.writable, ...found.readonly];
  const resolve = (index: number): Address => {
    const address = addresses[index];
    if (address === undefined) throw new RangeError(`the message names account ${index}, which it does not list`);
    return address;
  };
  return {
    accountKeys,
    signers: accountKeys.slice(0, signerCount),
    writable: [
      ...accountKeys.slice(0, writableSigners),
      ...accountKeys.slice(signerCount, signerCount + writableOthers),
      ...found.writable,
    ],
    lookups,
    instructions: compiled.map(({ program, accounts, data: bytes }) => ({
      programAddress: resolve(program),
      accounts: accounts.map(resolve),
      data: bytes,
    })),
  };
}

/** Which places of which lookup tables a message names, whatever they hold. Throws a `RangeError` where it is malformed. */
export function readTableLookups(reader: ByteReader, form: keyof typeof counts): readonly TableLookup[] {
  return readCompiled(reader, form).lookups;
}

function readCompiled(reader: ByteReader, form: keyof typeof counts) {
  const { short, data } = counts[form];
  const indexes = (): readonly number[] => Array.from(reader.bytes(short(reader)));
  const many = <T>(read: () => T): readonly T[] => Array.from({ length: bounded(short(reader)) }, read);
  const signerCount = reader.u8();
  const writableSigners = reader.u8();
  const writableOthers = reader.u8();
  const accountKeys = many(() => readAddress(reader));
  const compiled = many(() => ({
    program: reader.u8(),
    accounts: indexes(),
    data: reader.bytes(data(reader)),
  }));
  const lookups = many((): TableLookup => ({ table: readAddress(reader), writable: indexes(), readonly: indexes() }));
  if (writableSigners > signerCount || signerCount + writableOthers > accountKeys.length) {
    throw new RangeError("the header of the message does not fit its accounts");
  }
  return { signerCount, writableSigners, writableOthers, accountKeys, compiled, lookups };
}

/** The entries of a table. Throws a `RangeError` when one of them is not in `lookupTables`. */
export function lookUpAddresses(
  table: Address,
  indexes: readonly number[],
  lookupTables: LookupTables,
): readonly Address[] {
  const content = Object.hasOwn(lookupTables, table) ? lookupTables[table] : undefined;
  return indexes.map((index) => {
    const address = content?.[index];
    if (address === undefined) throw new RangeError(`entry ${index} of the lookup table ${table} is not known here`);
    return address;
  });
}

function bounded(count: number): number {
  if (count > 256) throw new RangeError("a list is longer than a message can use");
  return count;
}
