import type { Address } from "@solana/kit";
import { encodeHex } from "./encoding.js";
import { type ByteReader, readBytes } from "./inspect/byte-reader.js";
import { readAddress, readSettingsActions, type SettingsChangeAction } from "./inspect/decode-settings-change.js";
import { type LookupTables, readWrappedMessage, type WrappedMessage } from "./inspect/decode-wrapped-message.js";
import { deriveSmartAccountAddress } from "./program-address.js";
import { assertActionsAre, assertMessageIs, type ProposalContent, tablesOf } from "./proposal-content.js";
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
    | { readonly kind: "settings"; readonly actions: readonly SettingsChangeAction[] };
};

const discriminators = { transaction: "0b18ae81cb75f217", settings: "c79748574d7c1000" } as const;

/**
 * Reads the data of the account at `deriveTransactionAddress`, as a node of the caller's own gives it. Throws a
 * `RangeError` for anything else, and for lookup tables whose content is not in `lookupTables`.
 */
export function decodeStoredTransaction(data: Uint8Array, lookupTables: LookupTables = {}): StoredTransaction {
  const reader = readBytes(data);
  const start = encodeHex(reader.bytes(8));
  if (start !== discriminators.transaction && start !== discriminators.settings) {
    throw new RangeError("the account holds nothing that is voted on");
  }
  const [settings, creator, rentCollector] = [readAddress(reader), readAddress(reader), readAddress(reader)];
  const transactionIndex = reader.u64();
  const content =
    start === discriminators.transaction
      ? readStoredMessage(reader, lookupTables)
      : readStoredActions(reader, settings);
  return { settings, creator, rentCollector, transactionIndex, content };
}

function readStoredMessage(reader: ByteReader, lookupTables: LookupTables): StoredTransaction["content"] {
  if (reader.u8() !== 0) throw new RangeError("a policy's payload is not known here");
  const accountIndex = reader.u8();
  const ephemeralSigners = reader.bytes(reader.u32()).length;
  return {
    kind: "transaction",
    accountIndex,
    ephemeralSigners,
    message: readWrappedMessage(reader, "stored", lookupTables),
  };
}

function readStoredActions(reader: ByteReader, settings: Address): StoredTransaction["content"] {
  reader.u8();
  return { kind: "settings", actions: readSettingsActions(reader, settings) };
}

/**
 * Makes sure that what the chain holds for a proposal is what the caller thinks it is. `data` comes from a node that the
 * caller trusts, not from the service: then nothing about the execution is taken from the service. Throws
 * `TransactionMismatchError`.
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
  },
): void {
  const { account, content } = expected;
  const stored = readStored(data, content);
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
  const { accountIndex, ephemeralSigners, message } = stored.content;
  if (accountIndex !== 0) {
    throw new TransactionMismatchError("vault_index", "another vault acts", { expected: 0, actual: accountIndex });
  }
  if (ephemeralSigners !== 0) {
    throw new TransactionMismatchError("signers", "throw-away signers are added", { actual: ephemeralSigners });
  }
  assertMessageIs(message, content, account, [], []);
}

function readStored(data: Uint8Array, content: ProposalContent): StoredTransaction {
  try {
    return decodeStoredTransaction(data, tablesOf(content));
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new TransactionMismatchError("unreadable", "the account cannot be read", { cause });
  }
}
