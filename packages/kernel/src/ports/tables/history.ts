import type { Generated } from "kysely";

/**
 * A transaction of an account, as the chain has it: everything but the last column follows from the chain alone. Its
 * instants are Unix seconds of blocks.
 */
export interface HistoryTransactionTable {
  environment: string;
  account_address: string;
  signature: string;
  slot: bigint;
  confirmed_at: bigint;
  /** False: the cluster has confirmed it, and may still drop it. */
  finalized: boolean;
  failed: boolean;
  /** JSON of the chain's error, where it failed. */
  error: string | null;
  /** See `history-index/transaction-kind.ts`. */
  kind: string;
  /** By which of the account's addresses it was found first. */
  found_at: string;
}

/** One movement of money in such a transaction. */
export interface HistoryTransferTable {
  environment: string;
  account_address: string;
  signature: string;
  /** Within the transaction. */
  position: number;
  /** As in its transaction. */
  slot: bigint;
  confirmed_at: bigint;
  /** Instructions are counted in the order they began, called ones included; one more than the last: none of them. */
  instruction_index: number;
  direction: "inflow" | "outflow";
  /** The smart account, or the token account it owns, that gained or lost. */
  own_address: string;
  /** The system program's address is SOL. */
  mint: string;
  is_token_2022: boolean;
  decimals: number;
  from_address: string;
  to_address: string;
  /** Decimal string in base units. */
  amount: string;
  /** Whether it is the transaction's first of this mint. */
  is_first_of_mint: boolean;
}

/** What an account received and sent of a token in one span of time: the sum of its transfers, kept by triggers. */
export interface HistorySumTable {
  environment: string;
  account_address: string;
  span: "all" | "day" | "hour";
  mint: string;
  /** Unix seconds, in UTC; 0 where it is all. */
  starts_at: bigint;
  decimals: number;
  /** How many; never 0. */
  transfers: bigint;
  /** Decimal strings in base units. */
  received: string;
  sent: string;
}

/** A transaction that a node has listed and that is not read yet. */
export interface HistoryUnreadTable {
  environment: string;
  account_address: string;
  signature: string;
  slot: bigint;
  /** Unix seconds, where the list reported it. */
  confirmed_at: bigint | null;
  finalized: boolean;
  found_at: string;
  /** How often it was asked for in vain. */
  tries: number;
  /** When it is asked for next: environment time, Unix milliseconds. Before the first try the slot, negative: newest first. */
  due_at: bigint;
}

/** How far one address of an account was followed. */
export interface HistoryAddressTable {
  environment: string;
  account_address: string;
  address: string;
  role: "vault" | "settings" | "token";
  /** Decimal string: the sum of all its movements. It is the balance where nothing is missing. */
  total: string;
  /** Every transaction up to this finalized one is in the index, or among the unread. Null: nothing is sure yet. */
  frontier: string | null;
  /** While a list is read through: its newest finalized signature, and the last one that was read in. */
  scan_top: string | null;
  scan_before: string | null;
}

/** When an account's history is checked. Environment time, Unix milliseconds. */
export interface HistoryWatchTable {
  environment: string;
  account_address: string;
  /** Whose account it is; null in a row that was received without its account. */
  tenant_id: Generated<string | null>;
  /** When something last happened here, as far as was seen. */
  active_at: bigint;
  /** Since when its history is followed, where that was not from its creation on (null): what is older is not reported. */
  followed_since: bigint | null;
  /** When it was last checked, and when its lists of signatures were last read; null: never yet. */
  looked_at: bigint | null;
  read_at: bigint | null;
  /** As of when everything was in the index; null: never yet. */
  complete_at: bigint | null;
  /** When it is checked next; null: it sleeps until it is touched. */
  due_at: bigint | null;
  /** What its accounts held when everything about them was known; null: something is missing. */
  fingerprint: string | null;
}
