import { assertOurs } from "../errors.js";
import type { ShownRow } from "../proposal-index/proposal-store.js";
import type { Proposal } from "./proposal.js";

const instant = (unixSeconds: number): string => new Date(unixSeconds * 1000).toISOString();

/** Whether the settings changed after it was made. Only what is not decided yet can be stale to anybody's notice. */
export function isStale(row: Pick<ShownRow, "transaction_index" | "stale_transaction_index" | "status">): boolean {
  const isOpen = row.status === "Active" || row.status === "Approved";
  return isOpen && row.transaction_index <= row.stale_transaction_index;
}

/** A row of the index as the wire shows it (interface 2.11, gap 37). */
export function showProposal(row: ShownRow, accountAddress: string, showOnChainStatus: boolean): Proposal {
  assertOurs(row.status !== null && row.chain_status !== null, "a listed row has a vote");
  return {
    proposalAddress: row.proposal_address,
    status: showOnChainStatus ? row.chain_status : row.status,
    statusTimestamp: row.status_timestamp ?? row.opened_at ?? 0,
    approved: [...row.approved],
    rejected: [...row.rejected],
    cancelled: [...row.cancelled],
    consensusAccount: row.settings_address,
    consensusAccountType: "Settings",
    ...(row.last_modified_at === null ? {} : { blockTime: instant(row.last_modified_at) }),
    ...(row.last_modified_signature === null ? {} : { lastModifiedSignature: row.last_modified_signature }),
    mainAccountAddress: accountAddress,
    settingsAddress: row.settings_address,
    transactionIndex: row.transaction_index,
    stale: isStale(row),
    closed: row.chain_status === "closed",
    ...(row.reclaimed_lamports === null ? {} : { reclaimedLamports: row.reclaimed_lamports }),
    ...(row.opened_at === null ? {} : { createdAt: instant(row.opened_at) }),
    ...(row.creator === null ? {} : { creator: row.creator }),
    kind: row.kind,
  };
}
