import type { Address } from "@solana/kit";
import type { ProposalRow } from "./proposal-store.js";
import type { VoteState } from "./vote-plan.js";

/** How the vote stands by a row that was read from the chain just now. */
export function voteStateOf(
  row: Pick<ProposalRow, "chain_status" | "transaction_index" | "approved" | "rejected" | "cancelled" | "kind">,
): VoteState {
  const read = (list: string) => JSON.parse(list) as Address[];
  return {
    status: row.chain_status ?? "closed",
    transactionIndex: row.transaction_index,
    mayGrow: row.kind === "batch" && row.chain_status === "draft",
    approved: read(row.approved),
    rejected: read(row.rejected),
    cancelled: read(row.cancelled),
  };
}
