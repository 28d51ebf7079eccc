import { limits } from "../../limits.js";
import { ALL_PERMISSIONS_MASK, type Settings } from "../program-client/index.js";
import type { FollowedRow } from "./proposal-row.js";

/** What decides how soon an account is looked at again. Instants: environment time, Unix milliseconds. */
export interface Quiet {
  readonly now: number;
  /** When something last happened there, as far as was seen. */
  readonly activeAt: number;
  /** Whether a vote or an execution may come any moment. */
  readonly isOpen: boolean;
  /** Whether its signers have a reason to make proposals. */
  readonly canHaveProposals: boolean;
}

/**
 * When an account is looked at next; null: not before it is touched. The longer nothing has happened there, the longer
 * nobody looks: after a sixtieth of that time where a proposal is open, after a quarter of it where one may come, within
 * the bounds of `limits`. Who needs no proposals is looked at for as long as a submission may take to land.
 */
export function nextLookAt({ now, activeAt, isOpen, canHaveProposals }: Quiet): number | null {
  const { looksApartLeastMs: least, openLooksApartMostMs, looksApartMostMs, awakeMs } = limits;
  const quietMs = Math.max(0, now - activeAt);
  const within = (waitMs: number, mostMs: number) => now + Math.min(mostMs, Math.max(least, Math.floor(waitMs)));
  if (isOpen) return within(quietMs / 60, openLooksApartMostMs);
  if (canHaveProposals) return within(quietMs / 4, looksApartMostMs);
  return quietMs < awakeMs ? within(quietMs / 4, awakeMs) : null;
}

/** Whether any member of an account with this policy has to ask the others, or to wait, before something is done. */
export function canHaveProposals(
  policy: Pick<Settings, "threshold" | "timeLockSeconds"> & { readonly signers: readonly { readonly mask: number }[] },
): boolean {
  const { threshold, timeLockSeconds, signers } = policy;
  return threshold > 1 || timeLockSeconds > 0 || signers.some(({ mask }) => mask !== ALL_PERMISSIONS_MASK);
}

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
