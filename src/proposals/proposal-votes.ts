import type { ProposalTable } from "@trellis/kernel/ports/database.js";
import type { VoteAction } from "@trellis/program-client";

/** When a signer last took one action on a proposal. It may have taken another since: the lists say what counts. */
export interface Vote {
  readonly signer: string;
  readonly action: VoteAction;
  /** Unix seconds of the block. */
  readonly at: number;
  /** The transaction's id on chain. */
  readonly signature: string;
}

/** The votes of a row, oldest first. */
export function readVotes(row: Pick<ProposalTable, "votes">): readonly Vote[] {
  return JSON.parse(row.votes) as readonly Vote[];
}

/** Puts a vote behind the others; the same signer's former vote of the same action goes. */
export function addVote(votes: readonly Vote[], vote: Vote): readonly Vote[] {
  return [...votes.filter(({ signer, action }) => signer !== vote.signer || action !== vote.action), vote];
}
