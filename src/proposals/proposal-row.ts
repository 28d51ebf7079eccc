import type { Address } from "@solana/kit";
import type { ProposalTable } from "@trellis/kernel/ports/database.js";
import type { ProposalStatusName } from "@trellis/program-client";
import {
  type BatchRecord,
  decodeBatchRecord,
  emptyBatch,
  encodeBatch,
} from "@trellis/program-client/proposal-content.js";
import type { ProposalHistory, ProposalPlace, ProposalStand } from "./proposal-history.js";
import { readVotes } from "./proposal-votes.js";
import { type TransactionFacts, unknownFacts } from "./transaction-facts.js";

/** A row as following reads it: content that never changes stays in the database, that of a batch is carried on. */
export type FollowedRow = Omit<ProposalTable, "close_tried_at">;

type WireStatus = NonNullable<ProposalTable["status"]>;

const wireStatuses: Record<ProposalStatusName, WireStatus> = {
  draft: "Active",
  active: "Active",
  approved: "Approved",
  executing: "Approved",
  executed: "Executed",
  rejected: "Rejected",
  cancelled: "Cancelled",
};

/** What a status means once the proposal was closed: only a stale one could be closed without an end. */
const outcomes: Record<ProposalStatusName, WireStatus> = {
  ...wireStatuses,
  draft: "Cancelled",
  active: "Cancelled",
  approved: "Cancelled",
  executing: "Cancelled",
};

const statusesBefore: Record<WireStatus, ProposalStatusName> = {
  Active: "active",
  Approved: "approved",
  Executed: "executed",
  Rejected: "rejected",
  Cancelled: "cancelled",
};

/** The place a row is about. */
export function placeOf(row: FollowedRow): ProposalPlace {
  return {
    settingsAddress: row.settings_address as Address,
    transactionIndex: row.transaction_index,
    proposalAddress: row.proposal_address as Address,
    transactionAddress: row.transaction_address as Address,
  };
}

/** What a row remembers, as a history to go on from. Its content is left where it is. */
export function historyOf(row: FollowedRow): ProposalHistory {
  const closed = row.chain_status === "closed";
  return {
    stand: standOf(row),
    closed: closed && row.reclaimed_lamports !== null,
    reclaimedLamports: row.reclaimed_lamports,
    votes: readVotes(row),
    openedAt: row.opened_at,
    lastModified:
      row.last_modified_signature === null
        ? null
        : { signature: row.last_modified_signature, at: row.last_modified_at ?? 0n },
    usesDurableNonce: row.uses_durable_nonce,
    facts:
      row.kind === "unknown"
        ? undefined
        : { kind: row.kind, creator: row.creator, rentCollector: row.transaction_rent_collector, content: null },
    batch: row.kind === "batch" ? decodeBatchRecord(row) : undefined,
    seenSignature: row.seen_signature,
  };
}

function standOf(row: FollowedRow): ProposalStand | undefined {
  if (row.chain_status === null || row.status === null) return undefined;
  return {
    status: row.chain_status === "closed" ? statusesBefore[row.status] : row.chain_status,
    statusTimestamp: row.status_timestamp,
    rentCollector: row.proposal_rent_collector ?? "",
    approved: JSON.parse(row.approved) as string[],
    rejected: JSON.parse(row.rejected) as string[],
    cancelled: JSON.parse(row.cancelled) as string[],
  };
}

/** What a reading of the accounts showed. */
export interface Sight {
  /** The proposal account, if there is one that can be read. */
  readonly stand: ProposalStand | undefined;
  /** What the transaction account says, if there is one. */
  readonly facts: TransactionFacts | undefined;
  readonly slot: bigint;
}

/**
 * The row for what was seen and what its transactions report. The account says how things stand; its transactions say how
 * it reached that, and alone say it once the account is removed.
 */
export function toRow(
  environment: string,
  place: ProposalPlace,
  sight: Sight,
  history: ProposalHistory,
): Omit<ProposalTable, "close_tried_at"> {
  // A vote that is opened on what was closed is none; and a node may show the account from before the closing.
  const seen = history.closed ? undefined : sight.stand;
  const stand = seen ?? history.stand;
  const removed = seen === undefined;
  const settled = removed && history.closed;
  // Executed is what the account holds: where it is there and cannot be read, no event of its past makes it readable.
  const facts = sight.facts ?? history.facts;
  const { kind, creator, rentCollector, content } = facts ?? unknownFacts;
  const batch = kind === "batch" ? mergeBatch(sight.facts?.batch, history.batch ?? emptyBatch) : undefined;
  return {
    environment,
    settings_address: place.settingsAddress,
    transaction_index: place.transactionIndex,
    proposal_address: place.proposalAddress,
    transaction_address: place.transactionAddress,
    kind,
    // Removed without a trace of its closing: what was known stays until the node reports it.
    status: stand === undefined ? null : (settled ? outcomes : wireStatuses)[stand.status],
    chain_status: stand === undefined ? null : removed ? "closed" : stand.status,
    status_timestamp: stand?.statusTimestamp ?? null,
    approved: JSON.stringify(stand?.approved ?? []),
    rejected: JSON.stringify(stand?.rejected ?? []),
    cancelled: JSON.stringify(stand?.cancelled ?? []),
    votes: JSON.stringify(history.votes),
    creator,
    proposal_rent_collector: stand?.rentCollector ?? null,
    transaction_rent_collector: rentCollector,
    content: batch === undefined ? content : encodeBatch(batch),
    batch_size: batch?.size ?? null,
    batch_executed: batch?.executed ?? null,
    batch_reclaimed_lamports: batch?.reclaimedLamports ?? null,
    opened_at: history.openedAt,
    last_modified_signature: history.lastModified?.signature ?? null,
    last_modified_at: history.lastModified?.at ?? null,
    uses_durable_nonce: history.usesDurableNonce,
    reclaimed_lamports: settled ? history.reclaimedLamports : null,
    seen_signature: history.seenSignature,
    read_slot: sight.slot,
  };
}

/** Closing takes messages out of the account again: what there was is what was seen at most. */
function mergeBatch(seen: TransactionFacts["batch"], reported: BatchRecord): BatchRecord {
  if (seen === undefined) return reported;
  return {
    accountIndex: seen.accountIndex,
    size: Math.max(seen.size, reported.size),
    executed: Math.max(seen.executed, reported.executed),
    reclaimedLamports: reported.reclaimedLamports,
    transactions: reported.transactions,
  };
}

/** Whether the accounts show anything that the row does not hold, so that its transactions must be read. */
export function differs(row: FollowedRow, sight: Sight): boolean {
  // Its closing was found: nothing happens after that.
  if (row.chain_status === "closed" && row.reclaimed_lamports !== null) return false;
  if (row.kind === "unknown" && sight.facts !== undefined && sight.facts.kind !== "unknown") return true;
  const { stand } = sight;
  const { size = 0, executed = 0 } = sight.facts?.batch ?? {};
  if (size > (row.batch_size ?? 0) || executed > (row.batch_executed ?? 0)) return true;
  // The account of a transaction goes together with the vote on it, which was not seen here.
  if (row.chain_status === null && row.kind !== "unknown" && sight.facts === undefined) return true;
  if (stand === undefined) return row.chain_status !== null && row.chain_status !== "closed";
  return (
    row.chain_status !== stand.status ||
    row.status_timestamp !== stand.statusTimestamp ||
    row.proposal_rent_collector !== stand.rentCollector ||
    row.approved !== JSON.stringify(stand.approved) ||
    row.rejected !== JSON.stringify(stand.rejected) ||
    row.cancelled !== JSON.stringify(stand.cancelled)
  );
}

/** Whether transactions are missing that must exist: the node that was asked had not written them down yet. */
export function isIncomplete(row: FollowedRow): boolean {
  if (row.chain_status === null) return false;
  if (row.opened_at === null || (row.chain_status === "closed" && row.reclaimed_lamports === null)) return true;
  const known = new Set(readVotes(row).map(({ signer, action }) => `${action} ${signer}`));
  const counted = [
    ...(JSON.parse(row.approved) as string[]).map((signer) => `approve ${signer}`),
    ...(JSON.parse(row.rejected) as string[]).map((signer) => `reject ${signer}`),
    ...(JSON.parse(row.cancelled) as string[]).map((signer) => `cancel ${signer}`),
  ];
  return counted.some((vote) => !known.has(vote));
}
