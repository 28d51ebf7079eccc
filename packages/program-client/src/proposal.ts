import type { Address, ReadonlyUint8Array } from "@solana/kit";
import { getProposalDecoder, PROPOSAL_DISCRIMINATOR } from "./generated/accounts/index.js";
import type { ProposalState, ProposalStatus } from "./generated/types/index.js";
import { decodeAccountData } from "./program-data.js";

/** A proposal's status on chain. `executing` is no longer written by any build. */
export type ProposalStatusName = "draft" | "active" | "rejected" | "approved" | "executing" | "executed" | "cancelled";

const STATUS_NAMES: Record<ProposalStatus["__kind"], ProposalStatusName> = {
  Draft: "draft",
  Active: "active",
  Rejected: "rejected",
  Approved: "approved",
  Executing: "executing",
  Executed: "executed",
  Cancelled: "cancelled",
};

/** The votes on one transaction. */
export type Proposal = {
  /** The account whose members decide: settings, or a policy. */
  readonly settings: Address;
  readonly transactionIndex: bigint;
  /** Who gets the rent back when the proposal is closed. */
  readonly rentCollector: Address;
  readonly status: ProposalStatusName;
  /** Unix second at which the status was set; null while `executing`. */
  readonly statusTimestamp: bigint | null;
  readonly bump: number;
  readonly approved: readonly Address[];
  readonly rejected: readonly Address[];
  readonly cancelled: readonly Address[];
};

const decoder = getProposalDecoder();

/** Reads the data of a proposal account. Throws a `ProgramDataError` for anything else. */
export function decodeProposal(data: ReadonlyUint8Array): Proposal {
  return proposalOfState(decodeAccountData("proposal", data, PROPOSAL_DISCRIMINATOR, decoder));
}

/** The plain form of a proposal that was received inside an event. */
export function proposalOfState(state: ProposalState): Proposal {
  return {
    settings: state.settings,
    transactionIndex: state.transactionIndex,
    rentCollector: state.rentCollector,
    status: STATUS_NAMES[state.status.__kind],
    statusTimestamp: "timestamp" in state.status ? state.status.timestamp : null,
    bump: state.bump,
    approved: state.approved,
    rejected: state.rejected,
    cancelled: state.cancelled,
  };
}

/** Bytes of a proposal account made while the account had that many signers. */
export const proposalSize = (signerCount: number): number => 102 + 96 * signerCount;
