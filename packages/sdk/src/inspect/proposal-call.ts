import type { Address } from "@solana/addresses";
import type { VoteAction } from "../wire.js";
import type { BufferCall } from "./decode-buffer-call.js";
import type { SettingsChangeAction } from "./decode-settings-change.js";
import type { WrappedMessage } from "./decode-wrapped-message.js";

/** An instruction of the smart account program that belongs to the life of a proposal. */

export type ProposalCall =
  | CreateTransactionCall
  | CreateSettingsTransactionCall
  | CreateBatchCall
  | AddToBatchCall
  | CreateProposalCall
  | BufferCall
  | MemberCall;

/** Writes down instructions of the account, to be voted on. */

export type CreateTransactionCall = {
  readonly type: "create_transaction";
  readonly settings: Address;
  readonly transaction: Address;
  readonly creator: Address;
  /** Pays the rent and gets it back on closing. */
  readonly rentPayer: Address;
  readonly accountIndex: number;
  /** How many throw-away signers the program adds. */
  readonly ephemeralSigners: number;
  readonly message: WrappedMessage;
};

/** Writes down a change of the settings, to be voted on. */

export type CreateSettingsTransactionCall = {
  readonly type: "create_settings_transaction";
  readonly settings: Address;
  readonly transaction: Address;
  readonly creator: Address;
  readonly rentPayer: Address;
  readonly actions: readonly SettingsChangeAction[];
};

/** Begins a batch: several messages under one vote, executed one after the other. */

export type CreateBatchCall = {
  readonly type: "create_batch";
  readonly settings: Address;
  /** The batch. */
  readonly transaction: Address;
  readonly creator: Address;
  readonly rentPayer: Address;
  readonly accountIndex: number;
};

/** Adds a message to a batch that is not open to votes yet. */

export type AddToBatchCall = {
  readonly type: "add_to_batch";
  readonly settings: Address;
  readonly proposal: Address;
  /** The batch. */
  readonly transaction: Address;
  /** Where the message is written down: see `deriveBatchTransactionAddress`. */
  readonly stored: Address;
  readonly creator: Address;
  readonly rentPayer: Address;
  readonly ephemeralSigners: number;
  readonly message: WrappedMessage;
};

/** Opens the vote on what was written down under an index. */

export type CreateProposalCall = {
  readonly type: "create_proposal";
  readonly settings: Address;
  readonly proposal: Address;
  readonly creator: Address;
  readonly rentPayer: Address;
  readonly transactionIndex: bigint;
  readonly isDraft: boolean;
};

/** What a member does with a proposal that is there. */

export type MemberCall =
  | VoteCall
  | ActivateProposalCall
  | ExecuteTransactionCall
  | ExecuteBatchTransactionCall
  | ExecuteSettingsTransactionCall;

export type VoteCall = {
  readonly type: "vote";
  readonly action: VoteAction;
  readonly settings: Address;
  readonly proposal: Address;
  readonly signer: Address;
};

/** Turns a draft into an open vote. */

export type ActivateProposalCall = {
  readonly type: "activate_proposal";
  readonly settings: Address;
  readonly proposal: Address;
  readonly signer: Address;
};

/** Executes what was written down, if it is approved. */

export type ExecuteTransactionCall = {
  readonly type: "execute_transaction";
  readonly settings: Address;
  readonly proposal: Address;
  readonly transaction: Address;
  readonly signer: Address;
  /** Every account that what is executed can touch, in the order of the chain: with any other it refuses. */
  readonly accounts: readonly Address[];
};

/** Executes the next message of an approved batch. */

export type ExecuteBatchTransactionCall = {
  readonly type: "execute_batch_transaction";
  readonly settings: Address;
  readonly proposal: Address;
  /** The batch. */
  readonly transaction: Address;
  /** Where the message is written down: see `deriveBatchTransactionAddress`. */
  readonly stored: Address;
  readonly signer: Address;
  readonly accounts: readonly Address[];
};

/** Applies the change of settings that was written down, if it is approved. */

export type ExecuteSettingsTransactionCall = {
  readonly type: "execute_settings_transaction";
  readonly settings: Address;
  readonly proposal: Address;
  readonly transaction: Address;
  readonly signer: Address;
  /** Pays for growth and gets the rent of what is removed; null: none. */
  readonly rentPayer: Address | null;
  /** The spending limits and policies it may make or remove, and who gets the rent of policies. */
  readonly touched: readonly Address[];
};
