import type { Address, Instruction } from "@solana/kit";
import {
  decodeWrappedMessage,
  ProgramDataError,
  readProgramInstruction,
  SmartAccountProgramInstruction,
  type VoteAction,
} from "@trellis/program-client";
import type { ProposalContent } from "@trellis/program-client/proposal-content.js";
import { type BufferCall, readBufferCall } from "./buffer-call.js";

/** An instruction of the program that has to do with proposals, read from its bytes. */
export type ProposalCall =
  /** Stores what is to be voted on. */
  | {
      readonly kind: "store";
      readonly settings: Address;
      readonly transaction: Address;
      readonly signer: Address;
      readonly rentPayer: Address;
      readonly content: ProposalContent;
    }
  /** Begins a batch: several messages under one vote. */
  | {
      readonly kind: "batch";
      readonly settings: Address;
      readonly transaction: Address;
      readonly signer: Address;
      readonly rentPayer: Address;
    }
  /** Adds a message to a batch, whose proposal is a draft. */
  | {
      readonly kind: "add";
      readonly settings: Address;
      readonly proposal: Address;
      readonly batch: Address;
      /** Where the message is stored; its number derives this address. */
      readonly transaction: Address;
      readonly signer: Address;
      readonly rentPayer: Address;
      readonly content: ProposalContent;
    }
  /** Opens the vote on it. */
  | {
      readonly kind: "open";
      readonly settings: Address;
      readonly proposal: Address;
      readonly transactionIndex: bigint;
      readonly signer: Address;
      readonly rentPayer: Address;
    }
  | { readonly kind: "activate"; readonly settings: Address; readonly proposal: Address; readonly signer: Address }
  | {
      readonly kind: "vote";
      readonly settings: Address;
      readonly proposal: Address;
      readonly signer: Address;
      readonly action: VoteAction;
    }
  | {
      readonly kind: "execute";
      readonly of: "transaction" | "settings" | "batch";
      readonly settings: Address;
      readonly proposal: Address;
      readonly transaction: Address;
      readonly signer: Address;
      /** Who pays what a change of settings takes; undefined where nothing is to be paid. */
      readonly rentPayer: Address | undefined;
      /** What the stored content is given to work with, lookup tables included. */
      readonly given: readonly Address[];
    }
  /** Gives back the rent of a finished one; no member has to sign. */
  | { readonly kind: "close"; readonly settings: Address; readonly proposal: Address }
  | BufferCall;

/** Accounts of the three executing instructions that are not the content's. */
const fixedAccounts = { transaction: 5, settings: 7, batch: 5 } as const;

/**
 * Reads an instruction about a proposal; undefined for any other. Throws a `ProgramDataError` when it is one and
 * malformed, or stores the payload of a policy.
 */
export function readProposalCall(instruction: Instruction): ProposalCall | undefined {
  const parsed = readProgramInstruction(instruction);
  if (parsed === undefined) return undefined;
  const given = (from: number) => (instruction.accounts ?? []).slice(from).map(({ address }) => address);
  switch (parsed.instructionType) {
    case SmartAccountProgramInstruction.CreateTransaction: {
      const { accounts, data } = parsed;
      if (data.args.__kind !== "TransactionPayload") throw new ProgramDataError("the payload is that of a policy");
      return {
        kind: "store",
        settings: accounts.consensusAccount.address,
        transaction: accounts.transaction.address,
        signer: accounts.creator.address,
        rentPayer: accounts.rentPayer.address,
        content: {
          kind: "transaction",
          accountIndex: data.args.accountIndex,
          ephemeralSignerCount: data.args.ephemeralSigners,
          message: decodeWrappedMessage(data.args.transactionMessage),
        },
      };
    }
    case SmartAccountProgramInstruction.CreateSettingsTransaction: {
      const { accounts, data } = parsed;
      return {
        kind: "store",
        settings: accounts.settings.address,
        transaction: accounts.transaction.address,
        signer: accounts.creator.address,
        rentPayer: accounts.rentPayer.address,
        content: { kind: "settings", actions: data.actions },
      };
    }
    case SmartAccountProgramInstruction.CreateProposal: {
      const { accounts, data } = parsed;
      return {
        kind: "open",
        settings: accounts.consensusAccount.address,
        proposal: accounts.proposal.address,
        transactionIndex: data.transactionIndex,
        signer: accounts.creator.address,
        rentPayer: accounts.rentPayer.address,
      };
    }
    case SmartAccountProgramInstruction.ActivateProposal: {
      const { settings, proposal, signer } = parsed.accounts;
      return { kind: "activate", settings: settings.address, proposal: proposal.address, signer: signer.address };
    }
    case SmartAccountProgramInstruction.ApproveProposal:
      return vote("approve", parsed.accounts);
    case SmartAccountProgramInstruction.RejectProposal:
      return vote("reject", parsed.accounts);
    case SmartAccountProgramInstruction.CancelProposal:
      return vote("cancel", parsed.accounts);
    case SmartAccountProgramInstruction.ExecuteTransaction: {
      const { consensusAccount, proposal, transaction, signer } = parsed.accounts;
      return {
        kind: "execute",
        of: "transaction",
        settings: consensusAccount.address,
        proposal: proposal.address,
        transaction: transaction.address,
        signer: signer.address,
        rentPayer: undefined,
        given: given(fixedAccounts.transaction),
      };
    }
    case SmartAccountProgramInstruction.ExecuteSettingsTransaction: {
      const { settings, proposal, transaction, signer, rentPayer } = parsed.accounts;
      return {
        kind: "execute",
        of: "settings",
        settings: settings.address,
        proposal: proposal.address,
        transaction: transaction.address,
        signer: signer.address,
        rentPayer: rentPayer?.address,
        given: given(fixedAccounts.settings),
      };
    }
    case SmartAccountProgramInstruction.CreateBatch: {
      const { settings, batch, creator, rentPayer } = parsed.accounts;
      return {
        kind: "batch",
        settings: settings.address,
        transaction: batch.address,
        signer: creator.address,
        rentPayer: rentPayer.address,
      };
    }
    case SmartAccountProgramInstruction.AddTransactionToBatch: {
      const { accounts, data } = parsed;
      const added = {
        ephemeralSignerCount: data.ephemeralSigners,
        message: decodeWrappedMessage(data.transactionMessage),
      };
      return {
        kind: "add",
        settings: accounts.settings.address,
        proposal: accounts.proposal.address,
        batch: accounts.batch.address,
        transaction: accounts.transaction.address,
        signer: accounts.signer.address,
        rentPayer: accounts.rentPayer.address,
        content: { kind: "batch", accountIndex: 0, executed: 0, transactions: [added] },
      };
    }
    case SmartAccountProgramInstruction.ExecuteBatchTransaction: {
      const { settings, signer, proposal, transaction } = parsed.accounts;
      return {
        kind: "execute",
        of: "batch",
        settings: settings.address,
        proposal: proposal.address,
        transaction: transaction.address,
        signer: signer.address,
        rentPayer: undefined,
        given: given(fixedAccounts.batch),
      };
    }
    case SmartAccountProgramInstruction.CloseBatchTransaction:
    case SmartAccountProgramInstruction.CloseBatch: {
      const { settings, proposal } = parsed.accounts;
      return { kind: "close", settings: settings.address, proposal: proposal.address };
    }
    case SmartAccountProgramInstruction.CloseTransaction: {
      const { consensusAccount, proposal } = parsed.accounts;
      return { kind: "close", settings: consensusAccount.address, proposal: proposal.address };
    }
    case SmartAccountProgramInstruction.CloseSettingsTransaction: {
      const { settings, proposal } = parsed.accounts;
      return { kind: "close", settings: settings.address, proposal: proposal.address };
    }
    default:
      return readBufferCall(parsed);
  }
}

function vote(
  action: VoteAction,
  accounts: {
    readonly consensusAccount: { readonly address: Address };
    readonly signer: { readonly address: Address };
    readonly proposal: { readonly address: Address };
  },
): ProposalCall {
  const { consensusAccount, signer, proposal } = accounts;
  return {
    kind: "vote",
    action,
    settings: consensusAccount.address,
    proposal: proposal.address,
    signer: signer.address,
  };
}
