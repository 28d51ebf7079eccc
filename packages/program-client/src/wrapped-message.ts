/**
 * Messages that a smart account executes after a vote. They resemble a Solana message without fee payer and blockhash,
 * and are written in two ways: with one-byte counts when they are sent, with four-byte counts when they are stored.
 */
import {
  type AccountMeta,
  AccountRole,
  type Address,
  type AddressesByLookupTableAddress,
  type Instruction,
  isSignerRole,
  isWritableRole,
  mergeRoles,
  type ReadonlyUint8Array,
} from "@solana/kit";
import {
  getStoredTransactionMessageDecoder,
  getTransactionMessageDecoder,
  getTransactionMessageEncoder,
  type StoredTransactionMessage,
  type TransactionMessage,
} from "./generated/types/index.js";
import type { PlainInstruction } from "./plain-instruction.js";
import { decodeBytes, ProgramDataError } from "./program-data.js";

/** A wrapped message. Keys are ordered: signers before others, within both the writable ones first. */
export type WrappedMessage = {
  readonly numSigners: number;
  readonly numWritableSigners: number;
  readonly numWritableNonSigners: number;
  readonly accountKeys: readonly Address[];
  readonly instructions: readonly WrappedInstruction[];
  readonly addressTableLookups: readonly WrappedLookup[];
};

export type WrappedInstruction = {
  readonly programIdIndex: number;
  readonly accountIndexes: ReadonlyUint8Array;
  readonly data: ReadonlyUint8Array;
};

export type WrappedLookup = {
  /** The lookup table. */
  readonly accountKey: Address;
  readonly writableIndexes: ReadonlyUint8Array;
  readonly readonlyIndexes: ReadonlyUint8Array;
};

/** Sixteen can sign a call that a program makes, and the smart account is one of them. The program stores more than that. */
export const EPHEMERAL_SIGNERS_MAX = 15;

/** A message that does not fit its counts; thrown when compiling, never when decoding. */
export class WrappedMessageError extends Error {
  override readonly name = "WrappedMessageError";
}

/**
 * Compiles `instructions`, written as if the smart account paid and signed, into a wrapped message.
 *
 * The smart account is key 0, a writable signer. Accounts that do not sign and stand in one of `lookupTables` are
 * looked up; programs stay in the message. Throws a `WrappedMessageError` when a count does not fit one byte (two for
 * instruction data).
 */
export function compileWrappedMessage(
  smartAccount: Address,
  instructions: readonly Instruction[],
  lookupTables: AddressesByLookupTableAddress = {},
): WrappedMessage {
  const roles = new Map<Address, AccountRole>([[smartAccount, AccountRole.WRITABLE_SIGNER]]);
  const programs = new Set<Address>();
  for (const instruction of instructions) {
    programs.add(instruction.programAddress);
    merge(roles, instruction.programAddress, AccountRole.READONLY);
    for (const { address, role } of instruction.accounts ?? []) merge(roles, address, role);
  }

  const lookups = Object.entries(lookupTables).map(([table, content]) => ({
    accountKey: table as Address,
    content,
    writable: [] as Address[],
    readonly: [] as Address[],
  }));
  const inMessage: [Address, AccountRole][] = [];
  for (const [address, role] of roles) {
    const lookup =
      isSignerRole(role) || programs.has(address)
        ? undefined
        : lookups.find(({ content }) => content.slice(0, 256).includes(address));
    if (lookup === undefined) inMessage.push([address, role]);
    else if (isWritableRole(role)) lookup.writable.push(address);
    else lookup.readonly.push(address);
  }
  const used = lookups.filter(({ writable, readonly }) => writable.length + readonly.length > 0);

  const keysOf = (role: AccountRole): Address[] => inMessage.filter(([, r]) => r === role).map(([address]) => address);
  const writableSigners = keysOf(AccountRole.WRITABLE_SIGNER);
  const readonlySigners = keysOf(AccountRole.READONLY_SIGNER);
  const writable = keysOf(AccountRole.WRITABLE);
  const accountKeys = [...writableSigners, ...readonlySigners, ...writable, ...keysOf(AccountRole.READONLY)];
  const indexed = [...accountKeys, ...used.flatMap((l) => l.writable), ...used.flatMap((l) => l.readonly)];
  if (indexed.length > 256 || accountKeys.length > 255) throw new WrappedMessageError("too many accounts");
  if (instructions.length > 255) throw new WrappedMessageError("too many instructions");

  const indexes = new Map(indexed.map((address, index) => [address, index]));
  const indexOf = (address: Address): number => {
    const index = indexes.get(address);
    if (index === undefined) throw new Error(`account ${address} was not collected`);
    return index;
  };
  return {
    numSigners: writableSigners.length + readonlySigners.length,
    numWritableSigners: writableSigners.length,
    numWritableNonSigners: writable.length,
    accountKeys,
    instructions: instructions.map(({ programAddress, accounts = [], data = new Uint8Array(0) }) => {
      if (accounts.length > 255) throw new WrappedMessageError("an instruction has too many accounts");
      if (data.length > 65_535) throw new WrappedMessageError("an instruction has too much data");
      return {
        programIdIndex: indexOf(programAddress),
        accountIndexes: Uint8Array.from(accounts, ({ address }) => indexOf(address)),
        data,
      };
    }),
    addressTableLookups: used.map(({ accountKey, content, writable: write, readonly: read }) => ({
      accountKey,
      writableIndexes: Uint8Array.from(write, (address) => content.indexOf(address)),
      readonlyIndexes: Uint8Array.from(read, (address) => content.indexOf(address)),
    })),
  };
}

function merge(roles: Map<Address, AccountRole>, address: Address, role: AccountRole): void {
  const known = roles.get(address);
  roles.set(address, known === undefined ? role : mergeRoles(known, role));
}

/** The bytes create_transaction takes. */
export function encodeWrappedMessage(message: WrappedMessage): ReadonlyUint8Array {
  return getTransactionMessageEncoder().encode({
    ...message,
    accountKeys: [...message.accountKeys],
    instructions: [...message.instructions],
    addressTableLookups: [...message.addressTableLookups],
  });
}

/**
 * Reads the bytes create_transaction takes. Bytes after the end are ignored, as the program does. Throws a
 * `ProgramDataError` when they are malformed or the message is not well-formed.
 */
export function decodeWrappedMessage(bytes: ReadonlyUint8Array): WrappedMessage {
  return assertWellFormed(decodeBytes<TransactionMessage>("message", bytes, getTransactionMessageDecoder()));
}

/** The same for the stored form, given its bytes alone. */
export function decodeStoredMessage(bytes: ReadonlyUint8Array): WrappedMessage {
  return assertWellFormed(
    decodeBytes<StoredTransactionMessage>("stored message", bytes, getStoredTransactionMessageDecoder()),
  );
}

/** Whether counts and indexes agree, as the program demands before it stores a message. */
export function isWellFormed(message: WrappedMessage): boolean {
  const keys = message.accountKeys.length;
  const all = keys + lookedUpCount(message);
  return (
    message.numSigners <= keys &&
    message.numWritableSigners <= message.numSigners &&
    message.numWritableNonSigners <= keys - message.numSigners &&
    message.instructions.every(
      ({ programIdIndex, accountIndexes }) => programIdIndex < all && accountIndexes.every((index) => index < all),
    )
  );
}

/** Returns the message, or throws a `ProgramDataError` when it is not well-formed. */
export function assertWellFormed(message: WrappedMessage): WrappedMessage {
  if (!isWellFormed(message)) throw new ProgramDataError("the message is not well-formed");
  return message;
}

function lookedUpCount(message: WrappedMessage): number {
  return message.addressTableLookups.reduce(
    (count, { writableIndexes, readonlyIndexes }) => count + writableIndexes.length + readonlyIndexes.length,
    0,
  );
}

/** Bytes of the stored form. */
export function storedMessageSize(message: WrappedMessage): number {
  const instructions = message.instructions.reduce(
    (size, { accountIndexes, data }) => size + 9 + accountIndexes.length + data.length,
    0,
  );
  const lookups = message.addressTableLookups.reduce(
    (size, { writableIndexes, readonlyIndexes }) => size + 40 + writableIndexes.length + readonlyIndexes.length,
    0,
  );
  return 15 + 32 * message.accountKeys.length + instructions + lookups;
}

/** Bytes of the transaction account that holds the message, for its rent. */
export const transactionSize = (message: WrappedMessage, ephemeralSigners = 0): number =>
  120 + ephemeralSigners + storedMessageSize(message);

/** The accounts inside the message, in the order its indexes count, with the rights its header gives them. */
export function messageAccounts(message: WrappedMessage, lookupTables: AddressesByLookupTableAddress): AccountMeta[] {
  const found = message.addressTableLookups.map((lookup) => lookUp(lookup, lookupTables));
  return [
    ...message.accountKeys.map((address, index) => ({ address, role: roleInMessage(message, index) })),
    ...found.flatMap(({ writable }) => writable),
    ...found.flatMap(({ readonly }) => readonly),
  ];
}

/**
 * The inner instructions, with the rights the message gives their accounts (the smart account signs).
 *
 * `lookupTables` holds the content of each table the message names. Throws a `ProgramDataError` when a table is
 * missing or too short, or an index points nowhere.
 */
export function messageInstructions(
  message: WrappedMessage,
  lookupTables: AddressesByLookupTableAddress = {},
): PlainInstruction[] {
  const accounts = messageAccounts(message, lookupTables);
  const accountAt = (index: number): AccountMeta => {
    const account = accounts[index];
    if (account === undefined) throw new ProgramDataError(`the message names account ${index} of ${accounts.length}`);
    return account;
  };
  return message.instructions.map(({ programIdIndex, accountIndexes, data }) => ({
    programAddress: accountAt(programIdIndex).address,
    accounts: Array.from(accountIndexes, accountAt),
    data,
  }));
}

/**
 * The accounts that follow the fixed ones of execute_transaction: the lookup tables, the message's own keys, then for
 * each table what is looked up in it. The smart account and ephemeral signers sign inside only; any other signer of the
 * message must sign the outer transaction. Throws a `ProgramDataError` when a table is missing or too short.
 */
export function executionAccounts(
  message: WrappedMessage,
  signsInside: readonly Address[],
  lookupTables: AddressesByLookupTableAddress = {},
): AccountMeta[] {
  const inside = new Set(signsInside);
  return [
    ...message.addressTableLookups.map(({ accountKey }) => ({ address: accountKey, role: AccountRole.READONLY })),
    ...message.accountKeys.map((address, index): AccountMeta => {
      const role = roleInMessage(message, index);
      if (!inside.has(address)) return { address, role };
      return { address, role: isWritableRole(role) ? AccountRole.WRITABLE : AccountRole.READONLY };
    }),
    ...message.addressTableLookups.flatMap((lookup) => {
      const { writable, readonly } = lookUp(lookup, lookupTables);
      return [...writable, ...readonly];
    }),
  ];
}

function roleInMessage(message: WrappedMessage, index: number): AccountRole {
  if (index < message.numSigners) {
    return index < message.numWritableSigners ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
  }
  return index < message.numSigners + message.numWritableNonSigners ? AccountRole.WRITABLE : AccountRole.READONLY;
}

function lookUp(
  { accountKey, writableIndexes, readonlyIndexes }: WrappedLookup,
  lookupTables: AddressesByLookupTableAddress,
): { writable: AccountMeta[]; readonly: AccountMeta[] } {
  const content = lookupTables[accountKey];
  if (content === undefined) throw new ProgramDataError(`the content of lookup table ${accountKey} is not known`);
  const at = (index: number): Address => {
    const address = content[index];
    if (address === undefined) throw new ProgramDataError(`lookup table ${accountKey} has no entry ${index}`);
    return address;
  };
  return {
    writable: Array.from(writableIndexes, (index) => ({ address: at(index), role: AccountRole.WRITABLE })),
    readonly: Array.from(readonlyIndexes, (index) => ({ address: at(index), role: AccountRole.READONLY })),
  };
}
