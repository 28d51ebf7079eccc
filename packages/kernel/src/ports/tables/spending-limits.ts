import type { Generated } from "kysely";

/** An account whose spending limits may be others than are listed. Instants: environment time, Unix milliseconds. */
export interface SpendingLimitWatchTable {
  environment: string;
  settings_address: string;
  tenant_id: string | null;
  /** Something happened in this slot: a node that has not reached it has nothing to say. */
  least_slot: Generated<bigint>;
  /** When its limits were read: the newest reading stays. */
  read_slot: bigint;
  active_at: bigint;
  looked_at: bigint | null;
  /** When its limits are read next; null: not before something happens. Zero: at once. */
  due_at: bigint | null;
}

/**
 * That a spending limit is there: one row with no signer for the list of all, and one for each address that may use it. None of it ever
 * changes on chain.
 */
export interface SpendingLimitListingTable {
  environment: string;
  limit_address: string;
  /** Empty: the list of all. */
  signer_address: string;
  settings_address: string;
  tenant_id: string;
  /** For SOL the address of all zeros, as on chain. */
  mint: string;
}
