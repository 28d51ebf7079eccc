import { assertOurs } from "@trellis/kernel/errors.js";
import type { Proposal } from "./proposal.js";
import type { WireRow } from "./proposal-store.js";

const instant = (unixSeconds: number): string => new Date(unixSeconds * 1000).toISOString();

/** What the proposals of an account have in common. */
export interface WireAccount {
  readonly address: string;
  readonly settingsAddress: string;
  /** Proposals up to this index are stale. */
  readonly staleTransactionIndex: number;
}

/** Whether the settings changed after it was made. Only what is not decided yet can be stale to anybody's notice. */
export function isStale(
  row: Pick<WireRow, "transaction_index" | "status">,
  { staleTransactionIndex }: Pick<WireAccount, "staleTransactionIndex">,
): boolean {
  const isOpen = row.status === "Active" || row.status === "Approved";
  return isOpen && row.transaction_index <= staleTransactionIndex;
}

/** A row of the index as the wire shows it (interface 2.11, gap 37). */
export function showProposal(row: WireRow, account: WireAccount, showOnChainStatus: boolean): Proposal {
  assertOurs(row.status !== null && row.chain_status !== null, "a listed row has a vote");
  const view: Proposal = {
    proposalAddress: row.proposal_address,
    status: showOnChainStatus ? row.chain_status : row.status,
    statusTimestamp: row.status_timestamp ?? row.opened_at ?? 0,
    approved: row.approved as string[],
    rejected: row.rejected as string[],
    cancelled: row.cancelled as string[],
    consensusAccount: account.settingsAddress,
    consensusAccountType: "Settings",
    mainAccountAddress: account.address,
    settingsAddress: account.settingsAddress,
    transactionIndex: row.transaction_index,
    stale: isStale(row, account),
    closed: row.chain_status === "closed",
    kind: row.kind,
  };
  // Set one by one: a page has fifty of them, and spreading costs more than reading them did.
  if (row.last_modified_at !== null) view.blockTime = instant(row.last_modified_at);
  if (row.last_modified_signature !== null) view.lastModifiedSignature = row.last_modified_signature;
  if (row.reclaimed_lamports !== null) view.reclaimedLamports = row.reclaimed_lamports;
  if (row.opened_at !== null) view.createdAt = instant(row.opened_at);
  if (row.creator !== null) view.creator = row.creator;
  if (row.batch_size !== null) view.batch = { size: row.batch_size, executed: row.batch_executed ?? 0 };
  return view;
}
