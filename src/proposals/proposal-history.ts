import type { Address } from "@solana/kit";
import type { InnerInstruction, InnerInstructionGroup, ProposalStatusName } from "@trellis/program-client";
import type { BatchRecord } from "@trellis/program-client/proposal-content.js";
import type { Vote } from "./proposal-votes.js";
import type { TransactionFacts } from "./transaction-facts.js";

/** Where a proposal is on chain. */
export interface ProposalPlace {
  readonly settingsAddress: Address;
  readonly transactionIndex: bigint;
  readonly proposalAddress: Address;
  readonly transactionAddress: Address;
}

/** How a proposal stands, or stood before it was closed. */
export interface ProposalStand {
  readonly status: ProposalStatusName;
  /** Unix seconds. */
  readonly statusTimestamp: bigint | null;
  readonly rentCollector: string;
  readonly approved: readonly string[];
  readonly rejected: readonly string[];
  readonly cancelled: readonly string[];
}

/** Everything that transactions report of one transaction index. */
export interface ProposalHistory {
  /** Undefined: no signer has opened a vote. */
  readonly stand: ProposalStand | undefined;
  readonly closed: boolean;
  /** What the closing gave back; null while it is open. */
  readonly reclaimedLamports: bigint | null;
  readonly votes: readonly Vote[];
  readonly openedAt: bigint | null;
  readonly lastModified: { readonly signature: string; readonly at: bigint } | null;
  readonly usesDurableNonce: boolean;
  readonly facts: TransactionFacts | undefined;
  /** Of a batch: what was put into it, and how far it was executed. */
  readonly batch: BatchRecord | undefined;
  /** The newest transaction that was read. */
  readonly seenSignature: string | null;
}

export const emptyHistory: ProposalHistory = {
  stand: undefined,
  closed: false,
  reclaimedLamports: null,
  votes: [],
  openedAt: null,
  lastModified: null,
  usesDurableNonce: false,
  facts: undefined,
  batch: undefined,
  seenSignature: null,
};

/** The part of a `getTransaction` answer (encoding `json`) that is read here. */
export interface HistoryTransaction {
  readonly blockTime: bigint | null;
  readonly meta: {
    readonly innerInstructions?: readonly InnerInstructionGroup[] | null;
    readonly loadedAddresses?: { readonly writable: readonly Address[]; readonly readonly: readonly Address[] } | null;
    readonly preBalances: readonly bigint[];
    readonly postBalances: readonly bigint[];
  } | null;
  readonly transaction: {
    readonly message: {
      readonly accountKeys: readonly Address[];
      readonly instructions: readonly InnerInstruction[];
    };
  };
}
