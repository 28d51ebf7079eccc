import type { FollowedRow } from "./proposal-row.js";

/** Whether a proposal can still be voted on or executed, or is not known to its end. */
export function isOpen(
  row: Pick<FollowedRow, "chain_status" | "kind" | "transaction_index" | "reclaimed_lamports">,
  staleTransactionIndex: bigint,
): boolean {
  const isStale = row.transaction_index <= staleTransactionIndex;
  switch (row.chain_status) {
    case null:
    case "draft":
    case "active":
      return !isStale;
    case "approved":
    case "executing":
      // A payment that was approved can be executed for ever.
      return !isStale || row.kind !== "settings";
    case "closed":
      return row.reclaimed_lamports === null;
    default:
      return false;
  }
}
