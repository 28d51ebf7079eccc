import type { Permission } from "./common.js";
import type { SpendingLimitPeriod } from "./spending-limits.js";
import type { KmsPayload, PreparedTransaction, SummaryEntry, TransactionFee } from "./transactions.js";

/** Interface 4.12. */
export type VoteAction = "approve" | "reject" | "cancel";

/** What clients see of a proposal (gap 37). */
export type ProposalStatus = "Active" | "Approved" | "Executed" | "Rejected" | "Cancelled";

/** What the chain says, asked for with `showOnChainStatus` (interface 3.1, gap 37). */
export type OnChainProposalStatus =
  | "draft"
  | "active"
  | "rejected"
  | "approved"
  | "executing"
  | "executed"
  | "cancelled"
  | "closed";

/** One change of the settings, to be put to a vote (gap 36). */
export type ProposedAction =
  | {
      readonly type: "AddSigner";
      readonly newSigner: { readonly address: string; readonly permissions: readonly Permission[] };
    }
  | { readonly type: "RemoveSigner"; readonly oldSigner: string }
  | { readonly type: "ChangeThreshold"; readonly newThreshold: number }
  /** Seconds. */
  | { readonly type: "SetTimeLock"; readonly newTimeLock: number }
  | {
      readonly type: "AddSpendingLimit";
      /** Null is SOL. */
      readonly mint: string | null;
      /** Base units per period. */
      readonly amount: string;
      readonly period: SpendingLimitPeriod;
      readonly signers: readonly string[];
      /** Absent or empty: anybody may be paid. */
      readonly destinations?: readonly string[];
      /** Unix seconds; absent: never. */
      readonly expiration?: number;
    }
  | { readonly type: "RemoveSpendingLimit"; readonly spendingLimit: string }
  /** Ends a policy: signers of its own, who act for the account without its signers' vote (gap 140). */
  | { readonly type: "PolicyRemove"; readonly policy: string };

/** Gap 36: what is common to all that can be proposed. */
type ProposalOpening = {
  /** Who proposes; holds CAN_INITIATE. */
  readonly signer: string;
  /** True: the proposer approves in the same transaction. */
  readonly approve?: boolean;
  readonly fee_config?: { readonly self_managed_fees?: boolean; readonly [member: string]: unknown };
  readonly payer_address?: string;
};

/** Gap 36. */
export type CreateProposalRequest = ProposalOpening &
  (
    | { readonly type: "custom"; readonly transaction: string }
    /** Two to twenty, voted on together and executed one after the other (gap 109). */
    | { readonly type: "custom"; readonly transactions: readonly string[] }
    | { readonly type: "settings"; readonly actions: readonly ProposedAction[] }
    | {
        readonly type: "transfer";
        /** Base units. */
        readonly amount: string;
        readonly currency?: string;
        readonly mint?: string;
        readonly destination: string | { readonly address: string; readonly confirm_program_address?: boolean };
      }
  );

/** Gap 36; several transactions, and as many lists of payloads. */
export type PreparedProposal = {
  readonly proposalAddress: string;
  readonly transactionIndex: number;
  readonly signer: string;
  readonly transactions: readonly string[];
  readonly transaction_signers: readonly string[];
  readonly kms_payloads: readonly (readonly KmsPayload[])[];
  readonly expires_at: string;
  readonly summary: readonly SummaryEntry[];
  readonly fee: TransactionFee;
  /** There if what is proposed does not fit one transaction. */
  readonly buffer?: BufferUse;
  /** Of a batch: how many transactions it is to have, and how many, the first ones, are on chain already (gap 109). */
  readonly batch?: { readonly size: number; readonly stored: number };
};

/** Where a message is put together that does not fit one transaction (gap 110). */
export type BufferUse = {
  readonly address: string;
  /** Base64 of what is put together and then voted on. */
  readonly message: string;
  /** Of the message, in hex. */
  readonly message_sha256: string;
  /** How much of it is there already, and not sent again. */
  readonly written_bytes: number;
  /** What the buffer takes now, in lamports. The creator gets it when it is used or closed. */
  readonly rent_lamports: string;
  /** Who pays that now; absent: nobody has to. */
  readonly rent_payer?: string;
};

/** What `closeBuffers` asks for. */
export type CloseBuffersRequest = { readonly signer: string; readonly buffers?: readonly string[] };

/** Buffers to be given up (gap 110). */
export type PreparedBufferClosing = {
  readonly transaction: string;
  readonly transaction_signers: readonly string[];
  readonly kms_payloads: readonly KmsPayload[];
  readonly expires_at: string;
  readonly summary: readonly SummaryEntry[];
  readonly fee: TransactionFee;
  readonly buffers: readonly {
    readonly address: string;
    readonly message_sha256: string;
    readonly message_bytes: number;
    readonly written_bytes: number;
    /** What the signer gets back. */
    readonly lamports: string;
  }[];
  /** Whether the signer has further ones. */
  readonly more: boolean;
};

/** Interface 2.11, gap 37. */
export type Proposal = {
  readonly proposalAddress: string;
  readonly status: ProposalStatus | OnChainProposalStatus;
  /** Unix seconds at which the status was set. */
  readonly statusTimestamp: number;
  readonly approved: readonly string[];
  readonly rejected: readonly string[];
  readonly cancelled: readonly string[];
  readonly consensusAccount: string;
  readonly consensusAccountType: string;
  readonly mainAccountAddress: string;
  readonly settingsAddress: string;
  readonly transactionIndex: number;
  readonly kind: "transaction" | "settings" | "batch" | "unknown";
  /** A later change of the settings has made it void for votes. */
  readonly stale: boolean;
  /** Its accounts are gone from the chain; votes and outcome are as they last were. */
  readonly closed: boolean;
  readonly reclaimedLamports?: string;
  readonly blockTime?: string;
  readonly lastModifiedSignature?: string;
  readonly createdAt?: string;
  readonly creator?: string;
  /** Of a batch: how many transactions it holds, and how many of them were executed, the first ones. */
  readonly batch?: { readonly size: number; readonly executed: number };
  /** Of an approved one: when its time lock ends. */
  readonly executableAt?: string;
};

/** What executing a proposal would move, simulated by the service; decimal strings in base units. */
export type BalanceChange = {
  readonly address: string;
  /** Null is SOL. */
  readonly mint: string | null;
  readonly before: string;
  readonly after: string;
  readonly change: string;
};

/** Something to think about before voting. */
export type ProposalWarning = { readonly code: string; readonly message: string; readonly [fact: string]: unknown };

/** One proposal with what it would do. */
export type ProposalDetails = Proposal & {
  /** `transactions`: what each of them does; all together stand in `summary`. */
  readonly batch?: {
    readonly size: number;
    readonly executed: number;
    readonly transactions?: readonly (readonly SummaryEntry[])[];
  };
  readonly summary: readonly SummaryEntry[];
  readonly balanceChanges?: readonly BalanceChange[];
  readonly simulationError?: string;
  readonly warnings: readonly ProposalWarning[];
  /** Approvals still missing; 0 unless Active. */
  readonly votesNeeded: number;
};

/** Interface 4.10, gap 37. */
export type ListProposalsQuery = {
  readonly status?: ProposalStatus | readonly ProposalStatus[];
  /** 0 to 100, default 50. */
  readonly limit?: number;
  readonly cursor?: string;
  readonly showOnChainStatus?: boolean;
};

/** Interface 4.12, gap 38. */
export type VoteRequest = {
  readonly action: VoteAction;
  readonly signers: readonly string[];
  /** True: approve also what the service cannot read (warning `unreadable_content`). */
  readonly approve_unreadable?: boolean;
  readonly fee_config?: { readonly self_managed_fees?: boolean; readonly [member: string]: unknown };
  readonly payer_address?: string;
};

/** Gap 38; `signers` are those whose votes are in the transaction. */
export type PreparedVote = PreparedTransaction & {
  readonly signers: readonly string[];
  readonly proposal: ProposalDetails;
};

/** Gap 39: approve and execute. */
export type VoteAndExecuteRequest = Omit<VoteRequest, "action" | "approve_unreadable">;

/** Gap 39. */
export type ExecuteProposalRequest = Omit<VoteRequest, "action" | "signers" | "approve_unreadable"> & {
  readonly signer: string;
};

/** Gap 39. */
export type PreparedExecution = Omit<
  PreparedProposal,
  "proposalAddress" | "transactionIndex" | "signer" | "buffer" | "batch"
> & {
  readonly signers: readonly string[];
  readonly proposal: ProposalDetails;
};
