/**
 * What the program says it did. It records an event by calling itself, so events stand among the inner instructions
 * of a transaction and nowhere in its logs.
 */
import { base58 } from "@scure/base";
import { type Address, getU32Decoder, type ReadonlyUint8Array } from "@solana/kit";
import { SMART_ACCOUNT_PROGRAM_ADDRESS } from "./addresses.js";
import { LOG_EVENT_DISCRIMINATOR } from "./generated/instructions/index.js";
import { getSmartAccountEventDecoder, type SmartAccountEvent } from "./generated/types/index.js";
import { decodeBytes, ProgramDataError, startsWith } from "./program-data.js";
import { type Settings, settingsOfState } from "./settings.js";

/** The part of a `getTransaction` answer (encoding `json`) that events are read from. */
export type TransactionWithInnerInstructions = {
  readonly meta: {
    readonly innerInstructions?: readonly InnerInstructionGroup[] | null;
    readonly loadedAddresses?: {
      readonly writable: readonly Address[];
      readonly readonly: readonly Address[];
    } | null;
  } | null;
  readonly transaction: { readonly message: { readonly accountKeys: readonly Address[] } };
};

/** The inner instructions of the top-level instruction number `index`. */
export type InnerInstructionGroup = {
  readonly index: number;
  readonly instructions: readonly InnerInstruction[];
};

export type InnerInstruction = {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  /** Base58. */
  readonly data: string;
};

/** One event of the program. */
export type RecordedEvent = {
  /** The number of the top-level instruction it belongs to. */
  readonly instructionIndex: number;
  /** Which account of the program it was recorded for: it signed the record. */
  readonly authority: Address | undefined;
  /** The first byte: which event it is. */
  readonly kind: number;
  /** Undefined when this client does not know the kind, or its contents are those of a policy. */
  readonly event: SmartAccountEvent | undefined;
  readonly bytes: ReadonlyUint8Array;
};

/** All account keys of a transaction in index order: its own, then those from lookup tables, writable before read-only. */
export function accountKeysOf(transaction: TransactionWithInnerInstructions): Address[] {
  const loaded = transaction.meta?.loadedAddresses;
  return [...transaction.transaction.message.accountKeys, ...(loaded?.writable ?? []), ...(loaded?.readonly ?? [])];
}

/**
 * The program's events among inner instructions, in the order they happened.
 *
 * Only calls to this program count; no other program can make one, because the recording account must sign. An event
 * this client cannot read is returned with its bytes and no contents, never skipped.
 */
export function findEvents(
  innerInstructions: readonly InnerInstructionGroup[],
  accountKeys: readonly Address[],
): RecordedEvent[] {
  return innerInstructions.flatMap(({ index, instructions }) =>
    instructions.flatMap((instruction) => {
      if (accountKeys[instruction.programIdIndex] !== SMART_ACCOUNT_PROGRAM_ADDRESS) return [];
      const bytes = eventBytes(base58.decode(instruction.data));
      if (bytes === undefined) return [];
      const authorityIndex = instruction.accounts[0];
      return [
        {
          instructionIndex: index,
          authority: authorityIndex === undefined ? undefined : accountKeys[authorityIndex],
          kind: bytes[0] ?? -1,
          event: readEvent(bytes),
          bytes,
        },
      ];
    }),
  );
}

/** The same, straight from a `getTransaction` answer. */
export function findTransactionEvents(transaction: TransactionWithInnerInstructions): RecordedEvent[] {
  return findEvents(transaction.meta?.innerInstructions ?? [], accountKeysOf(transaction));
}

/** The event bytes inside the data of a log_event instruction; undefined when the data is another instruction's. */
export function eventBytes(data: ReadonlyUint8Array): ReadonlyUint8Array | undefined {
  if (!startsWith(data, LOG_EVENT_DISCRIMINATOR) || data.length < 12) return undefined;
  const length = getU32Decoder().decode(data.slice(8, 12));
  return data.length >= 12 + length ? data.slice(12, 12 + length) : undefined;
}

/** Decodes event bytes. Throws a `ProgramDataError` for kinds above 10, contents of policies and malformed bytes. */
export const decodeEvent = (bytes: ReadonlyUint8Array): SmartAccountEvent => decodeBytes("event", bytes, decoder);

const decoder = getSmartAccountEventDecoder();

function readEvent(bytes: ReadonlyUint8Array): SmartAccountEvent | undefined {
  try {
    return decodeEvent(bytes);
  } catch (error) {
    if (error instanceof ProgramDataError) return undefined;
    throw error;
  }
}

/** A smart account that a transaction created. */
export type CreatedSmartAccount = { readonly settingsAddress: Address; readonly settings: Settings };

/** Which smart account a transaction created: the first event 0; undefined when it created none. */
export function findCreatedSmartAccount(events: readonly RecordedEvent[]): CreatedSmartAccount | undefined {
  for (const { event } of events) {
    if (event?.__kind === "CreateSmartAccount") {
      return { settingsAddress: event.settingsAddress, settings: settingsOfState(event.settings) };
    }
  }
  return undefined;
}
