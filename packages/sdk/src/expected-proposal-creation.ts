import type { Address } from "@solana/addresses";
import type { HeldAccounts } from "./begun-earlier.js";
import type { ProposalContent } from "./proposal-content.js";
import type { ExpectedProposal } from "./proposal-frame.js";

/** The proposal the caller asked for. */
export type ExpectedProposalCreation = ExpectedProposal & {
  readonly content: ProposalContent;
  /** Who may propose it: one of these does. */
  readonly creators: readonly Address[];
  /** Who may approve it in the same breath. Default: none. */
  readonly approvers?: readonly Address[];
  /** Those of `approvers` who must. Default: none. */
  readonly mustApprove?: readonly Address[];
  /**
   * What the service says is put together in a buffer, if the message does not fit one transaction (gap 110). Needed where
   * the buffer holds some of it already.
   */
  readonly bufferMessage?: Uint8Array;
  /** How many of a batch's transactions the service says are in it already; absent: none (gap 109). */
  readonly begunTransactions?: number;
  /**
   * What a node of the caller's own has at `placesOfCreation`. Where several transactions make the proposal, the last one
   * names what the others build on and not what it holds: with this, the chain can put nothing to a vote but the content.
   */
  readonly heldAccounts?: HeldAccounts;
};
