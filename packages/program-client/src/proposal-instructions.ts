/** Instructions around the vote on a transaction. */
import type { Address } from "@solana/kit";
import { deriveProposalAddress, SYSTEM_PROGRAM_ADDRESS } from "./addresses.js";
import {
  getActivateProposalInstruction,
  getApproveProposalInstruction,
  getCancelProposalInstruction,
  getCreateProposalInstruction,
  getRejectProposalInstruction,
} from "./generated/instructions/index.js";
import { asSigner, type PlainInstruction, plain } from "./plain-instruction.js";

export type CreateProposal = {
  readonly settings: Address;
  readonly transactionIndex: bigint;
  /** A member who may initiate or vote. */
  readonly creator: Address;
  /** Pays the rent, signs, and gets it back on closing. */
  readonly rentPayer: Address;
  /** A draft is voted on only after `activateProposalInstruction`. */
  readonly draft?: boolean;
};

/** Builds create_proposal: opens the vote on a transaction. */
export function createProposalInstruction(input: CreateProposal): PlainInstruction {
  return plain(
    getCreateProposalInstruction({
      consensusAccount: input.settings,
      proposal: deriveProposalAddress(input.settings, input.transactionIndex),
      creator: asSigner(input.creator),
      rentPayer: asSigner(input.rentPayer),
      transactionIndex: input.transactionIndex,
      draft: input.draft ?? false,
    }),
  );
}

/** Builds activate_proposal: turns a draft into an open vote. `signer` is a member who may initiate. */
export function activateProposalInstruction(input: {
  readonly settings: Address;
  readonly transactionIndex: bigint;
  readonly signer: Address;
}): PlainInstruction {
  return plain(
    getActivateProposalInstruction({
      settings: input.settings,
      signer: asSigner(input.signer),
      proposal: deriveProposalAddress(input.settings, input.transactionIndex),
    }),
  );
}

/** What a member can say about a proposal: the first two while it is active, the last once it is approved. */
export type VoteAction = "approve" | "reject" | "cancel";

export type Vote = {
  readonly action: VoteAction;
  readonly settings: Address;
  readonly transactionIndex: bigint;
  /** A member who may vote. Pays when cancelling makes the account grow. */
  readonly signer: Address;
  /** Written into the event, not into the account. */
  readonly memo?: string | null;
};

/**
 * Builds approve_proposal, reject_proposal or cancel_proposal: one member's vote. The vote that changes the status
 * must be the last of its kind in a transaction: a further one fails (6009).
 */
export function voteInstruction(input: Vote): PlainInstruction {
  const vote = {
    consensusAccount: input.settings,
    signer: asSigner(input.signer),
    proposal: deriveProposalAddress(input.settings, input.transactionIndex),
    memo: input.memo ?? null,
  };
  switch (input.action) {
    case "approve":
      return plain(getApproveProposalInstruction(vote));
    case "reject":
      return plain(getRejectProposalInstruction(vote));
    case "cancel":
      return plain(getCancelProposalInstruction({ ...vote, systemProgram: SYSTEM_PROGRAM_ADDRESS }));
  }
}
