import type { Generated } from "kysely";

/**
 * One transaction index of an account's settings, and the vote on it, as the chain has them or last had them. Everything
 * but the last three columns follows from the chain alone. Instants are Unix seconds of blocks.
 */
export interface ProposalTable {
  environment: string;
  settings_address: string;
  transaction_index: bigint;
  proposal_address: string;
  transaction_address: string;
  /** What is voted on. `unknown`: its account is closed, or of a kind this client does not read. */
  kind: "transaction" | "settings" | "batch" | "unknown";
  /** What clients see; for a closed proposal the last known outcome. Null: no vote was opened on it. */
  status: "Active" | "Approved" | "Executed" | "Rejected" | "Cancelled" | null;
  /** As the chain has it. Null together with `status`. */
  chain_status: "draft" | "active" | "rejected" | "approved" | "executing" | "executed" | "cancelled" | "closed" | null;
  /** When the last status before closing was set. */
  status_timestamp: bigint | null;
  /** JSON arrays of signer addresses. */
  approved: string;
  rejected: string;
  cancelled: string;
  /** JSON: every signer's last vote of each action, `[{signer, action, at, signature}]`, oldest first. */
  votes: string;
  /** Of the transaction. */
  creator: string | null;
  /** Who gets the rent of the two accounts back. */
  proposal_rent_collector: string | null;
  transaction_rent_collector: string | null;
  /** What would be executed: see `proposal-index/proposal-content.ts`. Null where it is not known. */
  content: Uint8Array | null;
  /** Of a batch: how many transactions were put into it, and how many of them were executed. Null for anything else. */
  batch_size: number | null;
  batch_executed: number | null;
  /** What closing its transactions gave back before the batch itself was closed. */
  batch_reclaimed_lamports: bigint | null;
  opened_at: bigint | null;
  /** The last transaction that changed the proposal. */
  last_modified_signature: string | null;
  last_modified_at: bigint | null;
  /** Whether a transaction that changed it lived by a durable nonce instead of a recent blockhash. */
  uses_durable_nonce: boolean;
  /** What closing gave back to the rent collectors; null while it is open, or while it is not known. */
  reclaimed_lamports: bigint | null;
  /** The newest signature of its history that was read. */
  seen_signature: string | null;
  /** The slot at which it was read; an older reading never replaces a newer one. */
  read_slot: bigint;
  /**
   * When the service last set out to close it: environment time, Unix milliseconds. Null again once the budgets have got
   * back what closing brought.
   */
  close_tried_at: bigint | null;
}

/** How far the index has followed an account. */
export interface ProposalWatchTable {
  environment: string;
  settings_address: string;
  /** Whose account it is; null in a row that was received without its account. */
  tenant_id: Generated<string | null>;
  /** Up to which index there are rows. */
  transaction_index: bigint;
  /** Of the settings account, at `read_slot`. */
  stale_transaction_index: bigint;
  read_slot: bigint;
  /** When something last happened here, as far as was seen: environment time, Unix milliseconds, as all that follow. */
  active_at: bigint;
  /** When its settings were last read; null: never yet. */
  looked_at: bigint | null;
  /** When it is checked next; null: it sleeps until it is touched. */
  due_at: bigint | null;
  /** When it is searched for stale proposals to close; null: there are none. */
  stale_due_at: bigint | null;
  /** JSON: who may vote by the settings that were read last. Null: they were not read since there is this column. */
  voters: Generated<string | null>;
}

/**
 * Where a proposal stands in lists across accounts: one row with no signer for the list of all, and one for each signer whose vote
 * it was or is up to. Written by triggers of `proposal` and `proposal_watch` alone.
 */
export interface ProposalListingTable {
  environment: string;
  settings_address: string;
  transaction_index: bigint;
  /** Empty: the list of all. */
  signer_address: string;
  tenant_id: string;
  /** Unix seconds: when it was opened, as far as that is known. */
  listed_at: bigint;
  status: NonNullable<ProposalTable["status"]>;
  /** Whether the signer may approve or reject it and has done neither. */
  waits: boolean;
}
