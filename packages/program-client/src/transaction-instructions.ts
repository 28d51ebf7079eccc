/** Instructions around a wrapped message that is put to a vote. */
import type { Address, AddressesByLookupTableAddress } from "@solana/kit";
import {
  deriveEphemeralSignerAddress,
  deriveProposalAddress,
  deriveSmartAccountAddress,
  deriveTransactionAddress,
} from "./addresses.js";
import {
  getCloseTransactionInstruction,
  getCreateTransactionInstruction,
  getExecuteTransactionInstruction,
} from "./generated/instructions/index.js";
import { asSigner, type PlainInstruction, plain } from "./plain-instruction.js";
import { encodeWrappedMessage, executionAccounts, type WrappedMessage } from "./wrapped-message.js";

export type CreateTransaction = {
  readonly settings: Address;
  /** The settings' `transactionIndex` plus one at the moment it lands; with any other number it fails (2006). */
  readonly transactionIndex: bigint;
  /** A member who may initiate. */
  readonly creator: Address;
  /** Pays the rent, signs, and gets it back on closing. */
  readonly rentPayer: Address;
  readonly message: WrappedMessage;
  readonly accountIndex?: number;
  /** How many throw-away signers the message uses, see `deriveEphemeralSignerAddress`. */
  readonly ephemeralSigners?: number;
};

/** Builds create_transaction: stores a wrapped message for voting. */
export function createTransactionInstruction(input: CreateTransaction): PlainInstruction {
  const { settings, transactionIndex, creator, rentPayer, message, accountIndex = 0, ephemeralSigners = 0 } = input;
  return plain(
    getCreateTransactionInstruction({
      consensusAccount: settings,
      transaction: deriveTransactionAddress(settings, transactionIndex),
      creator: asSigner(creator),
      rentPayer: asSigner(rentPayer),
      args: {
        __kind: "TransactionPayload",
        accountIndex,
        ephemeralSigners,
        transactionMessage: encodeWrappedMessage(message),
        memo: null,
      },
    }),
  );
}

export type ExecuteTransaction = {
  readonly settings: Address;
  readonly transactionIndex: bigint;
  /** A member who may execute. */
  readonly signer: Address;
  /** As stored, see `decodeTransaction`. */
  readonly message: WrappedMessage;
  readonly accountIndex?: number;
  readonly ephemeralSignerCount?: number;
  /** The content of every lookup table the message names. */
  readonly lookupTables?: AddressesByLookupTableAddress;
};

/**
 * Builds execute_transaction for an approved message. Signers of the message that are neither the smart account nor
 * ephemeral must sign too. Throws a `ProgramDataError` when a lookup table's content is missing.
 */
export function executeTransactionInstruction(input: ExecuteTransaction): PlainInstruction {
  const { settings, transactionIndex, signer, message, accountIndex = 0, ephemeralSignerCount = 0 } = input;
  const transaction = deriveTransactionAddress(settings, transactionIndex);
  const signsInside = [
    deriveSmartAccountAddress(settings, accountIndex),
    ...Array.from({ length: ephemeralSignerCount }, (_, index) => deriveEphemeralSignerAddress(transaction, index)),
  ];
  return plain(
    getExecuteTransactionInstruction({
      consensusAccount: settings,
      proposal: deriveProposalAddress(settings, transactionIndex),
      transaction,
      signer: asSigner(signer),
    }),
    executionAccounts(message, signsInside, input.lookupTables),
  );
}

export type CloseTransaction = {
  readonly settings: Address;
  readonly transactionIndex: bigint;
  /** The rent collectors recorded in the two accounts; for a missing proposal any address. */
  readonly proposalRentCollector: Address;
  readonly transactionRentCollector: Address;
};

/** Builds close_transaction: gives back the rent of a finished or stale payment. It needs no signature. */
export function closeTransactionInstruction(input: CloseTransaction): PlainInstruction {
  return plain(
    getCloseTransactionInstruction({
      consensusAccount: input.settings,
      proposal: deriveProposalAddress(input.settings, input.transactionIndex),
      transaction: deriveTransactionAddress(input.settings, input.transactionIndex),
      proposalRentCollector: input.proposalRentCollector,
      transactionRentCollector: input.transactionRentCollector,
    }),
  );
}
