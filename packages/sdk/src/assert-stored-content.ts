import type { Address } from "@solana/addresses";
import { encodeHex } from "./encoding.js";
import { type ByteReader, readBytes } from "./inspect/byte-reader.js";
import { readAddress, readSettingsActions, type SettingsChangeAction } from "./inspect/decode-settings-change.js";
import {
  type LookupTables,
  readTableLookups,
  readWrappedMessage,
  type TableLookup,
  type WrappedMessage,
} from "./inspect/decode-wrapped-message.js";
import { deriveBatchTransactionAddress, deriveSmartAccountAddress } from "./program-address.js";
import { assertActionsAre, assertMessageIs, type ProposalContent, partsOf, tablesOf } from "./proposal-content.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";

/** What the chain holds under a transaction index. */
export type StoredTransaction = {
  readonly settings: Address;
  readonly creator: Address;
  readonly rentCollector: Address;
  readonly transactionIndex: bigint;
  readonly content:
    | {
        readonly kind: "transaction";
        readonly accountIndex: number;
        readonly ephemeralSigners: number;
        readonly message: WrappedMessage;
      }
    | { readonly kind: "settings"; readonly actions: readonly SettingsChangeAction[] }
    /** What it executes stands in accounts of their own, at `deriveBatchTransactionAddress`, numbered from 1 to `size`. */
    | { readonly kind: "batch"; readonly accountIndex: number; readonly size: number; readonly executed: number };
};

/** What the account of one transaction of a batch holds. */
export type StoredBatchTransaction = {
  readonly rentCollector: Address;
  readonly ephemeralSigners: number;
  readonly message: WrappedMessage;
};

const messageDiscriminator = "0b18ae81cb75f217";
const readers: Readonly<
  Record<string, (reader: ByteReader, tables: LookupTables, settings: Address) => StoredTransaction["content"]>
> = {
  [messageDiscriminator]: readStoredMessage,
  c79748574d7c1000: readStoredActions,
  "9cc2462c1658892c": readStoredBatch,
};
const batchTransactionDiscriminator = "5c143d929b3e7048";

/**
 * Reads the data of the account at `deriveTransactionAddress`, as a node of the caller's own gives it. Throws a
 * `RangeError` for anything else, and for lookup tables whose content is not in `lookupTables`.
 */
export function decodeStoredTransaction(data: Uint8Array, lookupTables: LookupTables = {}): StoredTransaction {
  const reader = readBytes(data);
  const start = encodeHex(reader.bytes(8));
  const read = Object.hasOwn(readers, start) ? readers[start] : undefined;
  if (read === undefined) throw new RangeError("the account holds nothing that is voted on");
  const [settings, creator, rentCollector] = [readAddress(reader), readAddress(reader), readAddress(reader)];
  const transactionIndex = reader.u64();
  const content = read(reader, lookupTables, settings);
  return { settings, creator, rentCollector, transactionIndex, content };
}

/**
 * Reads the data of an account at `deriveBatchTransactionAddress`. To which batch it belongs, and as which number, only its
 * address says. Throws a `RangeError` as `decodeStoredTransaction` does.
 */
export function decodeStoredBatchTransaction(
  data: Uint8Array,
  lookupTables: LookupTables = {},
): StoredBatchTransaction {
  const reader = readBytes(data);
  if (encodeHex(reader.bytes(8)) !== batchTransactionDiscriminator) {
    throw new RangeError("the account holds no transaction of a batch");
  }
  reader.u8();
  const rentCollector = readAddress(reader);
  const ephemeralSigners = reader.bytes(reader.u32()).length;
  return { rentCollector, ephemeralSigners, message: readWrappedMessage(reader, "stored", lookupTables) };
}

/**
 * The places of lookup tables that a stored transaction names, alone or in a batch; none where it holds no message. Throws a
 * `RangeError` where it cannot be read.
 */
export function tablesNamedIn(data: Uint8Array): readonly TableLookup[] {
  const reader = readBytes(data);
  const start = encodeHex(reader.bytes(8));
  if (start === messageDiscriminator) {
    reader.bytes(32 * 3 + 8);
    readActingAccount(reader);
  } else if (start === batchTransactionDiscriminator) {
    reader.bytes(1 + 32);
  } else return [];
  reader.bytes(reader.u32());
  return readTableLookups(reader, "stored");
}

/** The least bump that the first generation of the program put where others put the kind of the payload. */
const leastBump = 200;

function readActingAccount(reader: ByteReader): number {
  const tag = reader.u8();
  if (tag !== 0 && tag < leastBump) throw new RangeError("a payload of this kind is not known here");
  const accountIndex = reader.u8();
  // Of the first generation: the bump of the account that acts.
  if (tag !== 0) reader.u8();
  return accountIndex;
}

function readStoredMessage(reader: ByteReader, lookupTables: LookupTables): StoredTransaction["content"] {
  const accountIndex = readActingAccount(reader);
  const ephemeralSigners = reader.bytes(reader.u32()).length;
  return {
    kind: "transaction",
    accountIndex,
    ephemeralSigners,
    message: readWrappedMessage(reader, "stored", lookupTables),
  };
}

function readStoredActions(reader: ByteReader, _: LookupTables, settings: Address): StoredTransaction["content"] {
  reader.u8();
  return { kind: "settings", actions: readSettingsActions(reader, settings) };
}

function readStoredBatch(reader: ByteReader): StoredTransaction["content"] {
  reader.u8();
  const accountIndex = reader.u8();
  reader.u8();
  return { kind: "batch", accountIndex, size: reader.u32(), executed: reader.u32() };
}

/**
 * Makes sure that what the chain holds for a proposal is what the caller thinks it is. `data` comes from a node that the
 * caller trusts, not from the service: then nothing about the execution comes from the service. Throws
 * `TransactionMismatchError`.
 *
 * Of a batch, `batchTransactions` are the accounts at `deriveBatchTransactionAddress`, all of them and in order. More can be
 * put into a batch until its vote is open: check it once its proposal is active.
 *
 * @example
 * const { value } = await rpc.getAccountInfo(deriveTransactionAddress(settings, 7n), { encoding: "base64" }).send();
 * assertStoredContentMatches(bytesOf(value), { account, transactionIndex: 7, content });
 */
export function assertStoredContentMatches(
  data: Uint8Array,
  expected: {
    readonly account: Address;
    readonly transactionIndex: bigint | number;
    readonly content: ProposalContent;
    readonly batchTransactions?: readonly { readonly address: Address; readonly data: Uint8Array }[];
  },
): void {
  const { account, content } = expected;
  const stored = attemptToRead(() => decodeStoredTransaction(data, tablesOf(content)));
  const owner = deriveSmartAccountAddress(stored.settings);
  if (owner !== account) {
    throw new TransactionMismatchError("settings_account", "it belongs to another account", {
      expected: account,
      actual: owner,
    });
  }
  if (stored.transactionIndex !== BigInt(expected.transactionIndex)) {
    throw new TransactionMismatchError("proposal", "it stands under another index", {
      expected: expected.transactionIndex,
      actual: stored.transactionIndex,
    });
  }
  if (stored.content.kind === "settings") {
    assertActionsAre(stored.content.actions, content);
    return;
  }
  const { accountIndex } = stored.content;
  if (accountIndex !== 0) {
    throw new TransactionMismatchError("vault_index", "another vault acts", { expected: 0, actual: accountIndex });
  }
  if (stored.content.kind === "transaction") {
    assertStoredMessageIs(stored.content, content, account);
    return;
  }
  if (content.type !== "batch") throw differs("a batch would be executed, which was not asked for");
  const [parts, held] = [partsOf(content), expected.batchTransactions ?? []];
  const { size } = stored.content;
  if (size !== parts.length) throw differs("the batch holds more or less than was asked for", parts.length, size);
  if (held.length !== size) throw differs("not all accounts of the batch were given", size, held.length);
  for (const [at, part] of parts.entries()) {
    const place = deriveBatchTransactionAddress(stored.settings, stored.transactionIndex, at + 1);
    const own = held[at];
    if (own?.address !== place) {
      throw new TransactionMismatchError("proposal", "a transaction has another place in the batch", {
        expected: place,
        actual: own?.address,
      });
    }
    const read = attemptToRead(() => decodeStoredBatchTransaction(own.data, tablesOf(content)));
    assertStoredMessageIs(read, part, account);
  }
}

function assertStoredMessageIs(
  { ephemeralSigners, message }: Pick<StoredBatchTransaction, "ephemeralSigners" | "message">,
  content: ProposalContent,
  account: Address,
): void {
  if (ephemeralSigners !== 0) {
    throw new TransactionMismatchError("signers", "throw-away signers are added", { actual: ephemeralSigners });
  }
  assertMessageIs(message, content, account, [], []);
}

function differs(message: string, expected?: unknown, actual?: unknown): TransactionMismatchError {
  return new TransactionMismatchError("content", message, { expected, actual });
}

function attemptToRead<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new TransactionMismatchError("unreadable", "the account cannot be read", { cause });
  }
}
