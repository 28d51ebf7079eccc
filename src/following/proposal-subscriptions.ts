import { limits } from "@trellis/kernel/limits.js";
import { createSubscriptions, type Refresh, type Subscription } from "./subscriptions.js";

/** How far an account's proposals were followed. Its indexes behind `transactionIndex` are not in the index yet. */
interface Progress {
  readonly transactionIndex: bigint;
  readonly staleTransactionIndex: bigint;
  readonly readSlot: bigint;
}

/** An account whose proposals are followed; its key is its settings account. */
export type ProposalSubscription = Subscription & Progress;
export type ProposalRefresh = Refresh & Progress & Electorate;

/** Who votes by the settings that were read. */
interface Electorate {
  /** JSON: an array of addresses. Left out: the settings were not read. */
  readonly voters?: string;
}

/** SQL: closing waits this long for what has become stale. */
export const closingDelay = `${limits.proposalClosingDelayMs}::int8`;

export const proposalSubscriptions = createSubscriptions<Progress, Progress & Electorate>({
  table: "proposal_watch",
  key: "settings_address",
  accountKey: "settings_address",
  // An account is named by its settings, or by a proposal that is known.
  namedKeys: `select unnest($2::text[])
    union select settings_address from proposal where environment = $1 and proposal_address = any($2::text[])`,
  wokenAt: "excluded.due_at",
  columns: {
    transaction_index: { type: "int8", first: "0", update: "excluded.transaction_index" },
    stale_transaction_index: { type: "int8", first: "0", update: "excluded.stale_transaction_index" },
    read_slot: { type: "int8", first: "-1", update: "excluded.read_slot" },
    looked_at: { type: "int8", update: "excluded.looked_at" },
    voters: { type: "text", update: "coalesce(excluded.voters, subscription.voters)" },
    stale_due_at: {
      type: "int8",
      insert: `case when stale_transaction_index > 0 then looked_at + ${closingDelay} end`,
      update: `case
        when subscription.stale_transaction_index <> excluded.stale_transaction_index then excluded.stale_due_at
        when subscription.transaction_index <> excluded.transaction_index then coalesce(subscription.stale_due_at, excluded.stale_due_at)
        else subscription.stale_due_at end`,
    },
  },
  // An older reading changes nothing.
  savedWhere: "excluded.read_slot >= subscription.read_slot",
  stateColumns: ["transaction_index", "stale_transaction_index", "read_slot"],
  stateOf: (row) => ({
    transactionIndex: row.transaction_index as bigint,
    staleTransactionIndex: row.stale_transaction_index as bigint,
    readSlot: row.read_slot as bigint,
  }),
  noState: { transactionIndex: 0n, staleTransactionIndex: 0n, readSlot: -1n },
  valuesOf: (progress) => ({
    transaction_index: progress.transactionIndex,
    stale_transaction_index: progress.staleTransactionIndex,
    read_slot: progress.readSlot,
    voters: progress.voters ?? null,
  }),
});

/** Has accounts' proposals read soon. Each is named by its settings account or by a proposal that is known. */
export const wakeProposals = proposalSubscriptions.wake;
