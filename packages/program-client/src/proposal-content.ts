import type { ProposalTable } from "@trellis/kernel/ports/database.js";
import {
  decodeWrappedMessage,
  encodeSettingsActions,
  encodeWrappedMessage,
  readStoredActions,
  type SettingsAction,
  type UnreadActions,
  type WrappedMessage,
} from "./index.js";

/** What would be executed once a proposal is approved. */
export type ProposalContent =
  | {
      readonly kind: "transaction";
      /** Which smart account of the settings acts. */
      readonly accountIndex: number;
      readonly ephemeralSignerCount: number;
      readonly message: WrappedMessage;
    }
  | {
      readonly kind: "settings";
      readonly actions: readonly SettingsAction[];
      /** What stands behind them and cannot be read; null or absent where nothing does. */
      readonly unread?: UnreadActions | null;
    }
  | BatchContent;

/** Several messages under one vote, executed one after the other. */
export interface BatchContent {
  readonly kind: "batch";
  readonly accountIndex: number;
  /** How many were executed, the first ones. */
  readonly executed: number;
  readonly transactions: readonly BatchedMessage[];
}

/** One of them. */
export interface BatchedMessage {
  readonly ephemeralSignerCount: number;
  readonly message: WrappedMessage;
}

/**
 * The bytes kept in `proposal.content`: for a transaction the account index, the number of throw-away signers (a byte
 * each) and the message as create_transaction takes it; for a settings change the list of actions as the program
 * writes it.
 */
export function encodeContent(content: Exclude<ProposalContent, BatchContent>): Uint8Array {
  return content.kind === "settings"
    ? Uint8Array.from(encodeSettingsActions(content.actions))
    : Uint8Array.of(content.accountIndex, content.ephemeralSignerCount, ...encodeWrappedMessage(content.message));
}

/** What transactions showed of a batch, up to some point of its life. */
export interface BatchRecord {
  /** Undefined where its creation was not read. */
  readonly accountIndex: number | undefined;
  /** How many were put in and executed. */
  readonly size: number;
  readonly executed: number;
  /** What closing them gave back. */
  readonly reclaimedLamports: bigint;
  /** The first ones, as `add_transaction_to_batch` takes them: fewer than `size` where a node has forgotten some. */
  readonly transactions: readonly { readonly ephemeralSignerCount: number; readonly message: Uint8Array }[];
}

export const emptyBatch: BatchRecord = {
  accountIndex: undefined,
  size: 0,
  executed: 0,
  reclaimedLamports: 0n,
  transactions: [],
};

type BatchColumns = Pick<
  ProposalTable,
  "kind" | "content" | "batch_size" | "batch_executed" | "batch_reclaimed_lamports"
>;

/** Stands for an account index that is not known; a batch that acts for this very one is not displayed once it is closed. */
const unknownIndex = 255;

/** The bytes kept for a batch: the account index, then each message with its throw-away signers and its length in front. */
export function encodeBatch({ accountIndex = unknownIndex, transactions }: BatchRecord): Uint8Array {
  const bytes = transactions.flatMap(({ ephemeralSignerCount, message }) => [
    ephemeralSignerCount,
    message.length >> 8,
    message.length & 0xff,
    ...message,
  ]);
  return Uint8Array.of(accountIndex, ...bytes);
}

/** Reads what `encodeBatch` wrote, with the numbers kept beside it. */
export function decodeBatchRecord(row: Omit<BatchColumns, "kind">): BatchRecord {
  const { content, batch_size: size, batch_executed: executed } = row;
  const [accountIndex = unknownIndex, ...rest] = content === null ? [] : Uint8Array.from(content);
  const transactions: BatchRecord["transactions"][number][] = [];
  for (let at = 0; at < rest.length; ) {
    const [ephemeralSignerCount = 0, high = 0, low = 0] = rest.slice(at, at + 3);
    const end = at + 3 + (high << 8) + low;
    transactions.push({ ephemeralSignerCount, message: Uint8Array.from(rest.slice(at + 3, end)) });
    at = end;
  }
  return {
    accountIndex: accountIndex === unknownIndex ? undefined : accountIndex,
    size: size ?? 0,
    executed: executed ?? 0,
    reclaimedLamports: row.batch_reclaimed_lamports ?? 0n,
    transactions,
  };
}

function contentOfBatch({ accountIndex, size, executed, transactions }: BatchRecord): BatchContent | undefined {
  if (accountIndex === undefined || transactions.length !== size) return undefined;
  const decoded = transactions.map(({ ephemeralSignerCount, message }) => ({
    ephemeralSignerCount,
    message: decodeWrappedMessage(message),
  }));
  return { kind: "batch", accountIndex, executed, transactions: decoded };
}

/** Reads what the index keeps of a content; undefined for what it could not read on chain either. */
export function decodeContent(row: BatchColumns): ProposalContent | undefined {
  if (row.content === null) return undefined;
  if (row.kind === "batch") return contentOfBatch(decodeBatchRecord(row));
  const bytes = Uint8Array.from(row.content);
  if (row.kind === "settings") {
    const { actions, unread } = readStoredActions(bytes);
    return { kind: "settings", actions, unread };
  }
  if (row.kind !== "transaction") return undefined;
  const [accountIndex = 0, ephemeralSignerCount = 0] = bytes;
  return { kind: "transaction", accountIndex, ephemeralSignerCount, message: decodeWrappedMessage(bytes.subarray(2)) };
}
