import type { Address } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import { CAN_INITIATE_BIT, CAN_VOTE_BIT, type Proposal, type Settings, type VoteAction } from "@trellis/program-client";
import { requirePermission } from "../transactions/acting-account.js";

/** The part of the settings that votes depend on. */
export type VoteRules = Pick<Settings, "signers" | "threshold" | "staleTransactionIndex">;

/** The part of a proposal that votes depend on. */
export type VoteState = Pick<Proposal, "transactionIndex" | "approved" | "rejected" | "cancelled"> & {
  readonly status: Proposal["status"] | "closed";
  /** Whether its creator can still add to what is voted on. */
  readonly mayGrow?: boolean;
};

/** Who votes in one transaction. */
export interface VotePlan {
  /** Turns a draft into an open vote first. */
  readonly activatedBy: Address | undefined;
  /** In the order asked for; without those whose vote would come after the decision. */
  readonly signers: readonly Address[];
}

/**
 * Which of the signers asked for vote in one transaction (interface 4.12, gap 38). Those who have voted so already are
 * left out, and those beyond the vote that decides: the program refuses a transaction with a vote after it.
 *
 * Throws, in this order, `insufficient_permissions`, `already_voted`, `invalid_proposal_status`, `stale_proposal`.
 */
export function planVotes(
  settings: VoteRules,
  proposal: VoteState,
  action: VoteAction,
  wanted: readonly string[],
): VotePlan {
  const voters = [...new Set(wanted)].map((signer) => requirePermission({ settings }, signer, CAN_VOTE_BIT, "signers"));
  const fresh = voters.filter((signer) => !votesOf(proposal, action).includes(signer));
  if (fresh.length === 0) throw new TrellisError("already_voted", { field: "signers" });
  const activatedBy = requireStatus(settings, proposal, action, fresh);
  if (action !== "cancel" && proposal.transactionIndex <= settings.staleTransactionIndex) {
    throw new TrellisError("stale_proposal");
  }
  return { activatedBy, signers: fresh.slice(0, votesLeft(settings, proposal, action)) };
}

/** How many votes of a kind are still missing to the decision by the rules of the chain; at least one decides. */
export function votesLeft(settings: VoteRules, proposal: VoteState, action: VoteAction): number {
  return Math.max(1, votesRequired(settings, action) - countingVotes(settings, proposal, action));
}

function votesRequired({ signers, threshold }: VoteRules, action: VoteAction): number {
  if (action !== "reject") return threshold;
  // So many that approval has become impossible.
  return signers.filter(({ mask }) => (mask & CAN_VOTE_BIT) !== 0).length - threshold + 1;
}

/** Votes to cancel by members who have left meanwhile do not count. */
function countingVotes({ signers }: VoteRules, proposal: VoteState, action: VoteAction): number {
  const votes = votesOf(proposal, action);
  if (action !== "cancel") return votes.length;
  return votes.filter((signer) => signers.some(({ address }) => address === signer)).length;
}

function votesOf(proposal: VoteState, action: VoteAction): readonly Address[] {
  if (action === "approve") return proposal.approved;
  return action === "reject" ? proposal.rejected : proposal.cancelled;
}

/** Who has to activate a draft, undefined where no signer has to. */
function requireStatus(
  { signers }: VoteRules,
  { status, mayGrow }: VoteState,
  action: VoteAction,
  voters: readonly Address[],
): Address | undefined {
  if (action === "cancel") {
    if (status === "approved") return undefined;
    throw wrongStatus(status, "Only an approved proposal can be cancelled; an active one is rejected.");
  }
  if (status === "active") return undefined;
  if (status !== "draft") throw wrongStatus(status, "Only an active proposal can be approved or rejected.");
  if (action === "approve" && mayGrow) {
    throw wrongStatus(
      status,
      "It is a batch that its creator can still add to, and has to open before it can be approved.",
    );
  }
  const initiator = voters.find((voter) =>
    signers.some(({ address, mask }) => address === voter && (mask & CAN_INITIATE_BIT) !== 0),
  );
  if (initiator !== undefined) return initiator;
  throw wrongStatus(status, "It is a draft: a voter who holds CAN_INITIATE has to be among the signers to open it.");
}

/** The error for an action that the status forbids. */
export function wrongStatus(status: VoteState["status"], why: string): TrellisError {
  return new TrellisError("invalid_proposal_status", {
    message: `The proposal is ${status}. ${why}`,
    facts: { status },
  });
}
