/** Instructions around batches: several wrapped messages under one vote. */
import type { Address, AddressesByLookupTableAddress } from "@solana/kit";
import {
  deriveBatchTransactionAddress,
  deriveEphemeralSignerAddress,
  deriveProposalAddress,
  deriveSmartAccountAddress,
  deriveTransactionAddress,
} from "./addresses.js";
import {
  getAddTransactionToBatchInstruction,
  getCloseBatchInstruction,
  getCloseBatchTransactionInstruction,
  getCreateBatchInstruction,
  getExecuteBatchTransactionInstruction,
} from "./generated/instructions/index.js";
import { asSigner, type PlainInstruction, plain } from "./plain-instruction.js";
import { encodeWrappedMessage, executionAccounts, type WrappedMessage } from "./wrapped-message.js";

export type CreateBatch = {
  readonly settings: Address;
  /** The settings' `transactionIndex` plus one at the moment it lands; with any other number it fails (2006). */
  readonly batchIndex: bigint;
  /** A member who may initiate. Only they can add to the batch. */
  readonly creator: Address;
  /** Pays the rent, signs, and gets it back on closing. */
  readonly rentPayer: Address;
  readonly accountIndex?: number;
};

/** Builds create_batch. Messages can be added while its proposal is a draft, so that one is created next. */
export function createBatchInstruction(input: CreateBatch): PlainInstruction {
  const { settings, batchIndex, creator, rentPayer, accountIndex = 0 } = input;
  return plain(
    getCreateBatchInstruction({
      settings,
      batch: deriveTransactionAddress(settings, batchIndex),
      creator: asSigner(creator),
      rentPayer: asSigner(rentPayer),
      accountIndex,
      memo: null,
    }),
  );
}

export type AddTransactionToBatch = {
  readonly settings: Address;
  readonly batchIndex: bigint;
  /** The batch's size plus one at the moment it lands; with any other number it fails (2006). */
  readonly number: number;
  /** The batch's creator. */
  readonly signer: Address;
  /** Pays the rent, signs, and gets it back on closing. */
  readonly rentPayer: Address;
  readonly message: WrappedMessage;
  /** How many throw-away signers the message uses; they are derived from the batch's address. */
  readonly ephemeralSigners?: number;
};

/** Builds add_transaction_to_batch. */
export function addTransactionToBatchInstruction(input: AddTransactionToBatch): PlainInstruction {
  const { settings, batchIndex, number, signer, rentPayer, message, ephemeralSigners = 0 } = input;
  return plain(
    getAddTransactionToBatchInstruction({
      settings,
      proposal: deriveProposalAddress(settings, batchIndex),
      batch: deriveTransactionAddress(settings, batchIndex),
      transaction: deriveBatchTransactionAddress(settings, batchIndex, number),
      signer: asSigner(signer),
      rentPayer: asSigner(rentPayer),
      ephemeralSigners,
      transactionMessage: encodeWrappedMessage(message),
    }),
  );
}

export type ExecuteBatchTransaction = {
  readonly settings: Address;
  readonly batchIndex: bigint;
  /** One more than were executed; they run in order. The last one ends the proposal. */
  readonly number: number;
  /** A member who may execute. */
  readonly signer: Address;
  /** As stored, see `decodeBatchTransaction`. */
  readonly message: WrappedMessage;
  readonly accountIndex?: number;
  readonly ephemeralSignerCount?: number;
  /** The content of every lookup table the message names. */
  readonly lookupTables?: AddressesByLookupTableAddress;
};

/**
 * Builds execute_batch_transaction. Signers of the message that are neither the smart account nor ephemeral must sign
 * too. Throws a `ProgramDataError` when a lookup table's content is missing.
 */
export function executeBatchTransactionInstruction(input: ExecuteBatchTransaction): PlainInstruction {
  const { settings, batchIndex, number, signer, message, accountIndex = 0, ephemeralSignerCount = 0 } = input;
  const batch = deriveTransactionAddress(settings, batchIndex);
  const signsInside = [
    deriveSmartAccountAddress(settings, accountIndex),
    ...Array.from({ length: ephemeralSignerCount }, (_, index) => deriveEphemeralSignerAddress(batch, index)),
  ];
  return plain(
    getExecuteBatchTransactionInstruction({
      settings,
      signer: asSigner(signer),
      proposal: deriveProposalAddress(settings, batchIndex),
      batch,
      transaction: deriveBatchTransactionAddress(settings, batchIndex, number),
    }),
    executionAccounts(message, signsInside, input.lookupTables),
  );
}

export type CloseBatchTransaction = {
  readonly settings: Address;
  readonly batchIndex: bigint;
  /** The batch's size: the last one goes first (6038). */
  readonly number: number;
  /** The one recorded in the account. */
  readonly rentCollector: Address;
};

/** Builds close_batch_transaction: gives back the rent of a batch's last message. It needs no signature. */
export function closeBatchTransactionInstruction(input: CloseBatchTransaction): PlainInstruction {
  const { settings, batchIndex, number, rentCollector } = input;
  return plain(
    getCloseBatchTransactionInstruction({
      settings,
      proposal: deriveProposalAddress(settings, batchIndex),
      batch: deriveTransactionAddress(settings, batchIndex),
      transaction: deriveBatchTransactionAddress(settings, batchIndex, number),
      rentCollector,
    }),
  );
}

export type CloseBatch = {
  readonly settings: Address;
  readonly batchIndex: bigint;
  /** The rent collectors recorded in the two accounts; for a missing proposal any address. */
  readonly proposalRentCollector: Address;
  readonly batchRentCollector: Address;
};

/** Builds close_batch: gives back the rent of an empty batch that is finished or stale. It needs no signature. */
export function closeBatchInstruction(input: CloseBatch): PlainInstruction {
  const { settings, batchIndex, proposalRentCollector, batchRentCollector } = input;
  return plain(
    getCloseBatchInstruction({
      settings,
      proposal: deriveProposalAddress(settings, batchIndex),
      batch: deriveTransactionAddress(settings, batchIndex),
      proposalRentCollector,
      batchRentCollector,
    }),
  );
}
