import type { Permission, Policies, Proposal } from "@trellis/sdk";

/** Where a proposal belongs in the list. */
export type Group = "mine" | "others" | "approved" | "decided";

/** What its reader may do about a proposal. */
export interface Choices {
  readonly canApprove: boolean;
  /** The last approval and the execution in one. */
  readonly canApproveAndExecute: boolean;
  readonly canReject: boolean;
  readonly canCancel: boolean;
  /** Apart from the time lock. */
  readonly canExecute: boolean;
}

type Decided = Pick<Proposal, "status" | "stale" | "approved" | "rejected" | "cancelled">;

/** `own` are the signers that the reader signs for. */
export function groupOf(proposal: Decided, policies: Policies, own: readonly string[]): Group {
  if (proposal.status === "Approved") return "approved";
  if (proposal.status !== "Active" || proposal.stale) return "decided";
  return missingIn(proposal, policies).some((address) => own.includes(address)) ? "mine" : "others";
}

/** Who may vote and has neither approved nor rejected. */
export const missingIn = ({ approved, rejected }: Decided, { signers }: Policies): readonly string[] =>
  signers
    .filter(
      ({ address, permissions }) => permissions.includes("CAN_VOTE") && ![...approved, ...rejected].includes(address),
    )
    .map(({ address }) => address);

/** `own` are the signers that the reader signs for. */
export function choicesOf(
  proposal: Decided & { readonly votesNeeded: number },
  { signers, time_lock: timeLock }: Policies,
  own: readonly string[],
): Choices {
  const who = (permission: Permission) =>
    signers
      .filter(({ address, permissions }) => own.includes(address) && permissions.includes(permission))
      .map(({ address }) => address);
  const without = (votes: readonly string[]) => who("CAN_VOTE").filter((address) => !votes.includes(address));
  const isOpen = proposal.status === "Active" && !proposal.stale;
  const isApproved = proposal.status === "Approved";
  const mayExecute = who("CAN_EXECUTE").length > 0;
  const approving = isOpen ? without(proposal.approved).length : 0;
  return {
    canApprove: approving > 0,
    canApproveAndExecute: approving > 0 && approving >= proposal.votesNeeded && timeLock === 0 && mayExecute,
    canReject: isOpen && without(proposal.rejected).length > 0,
    canCancel: isApproved && without(proposal.cancelled).length > 0,
    canExecute: isApproved && mayExecute,
  };
}

/**
 * The addresses in the contents of a table's proposals, by which their names are asked for: none before every content is known, so that
 * one request does for the whole table.
 */
export function addressesOnce(
  proposals: readonly Pick<Proposal, "proposalAddress">[],
  contents: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const found = proposals.map(({ proposalAddress }) => contents.get(proposalAddress));
  if (found.some((addresses) => addresses === undefined)) return [];
  return [...new Set(found.flatMap((addresses) => addresses ?? []))];
}
