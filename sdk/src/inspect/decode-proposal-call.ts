import type { Address } from "@solana/addresses";
import { encodeHex } from "../encoding.js";
import { smartAccountProgramAddress } from "../program-address.js";
import type { VoteAction } from "../wire.js";
import { type ByteReader, readBytes } from "./byte-reader.js";
import { type BufferCall, bufferReaders } from "./decode-buffer-call.js";
import type { RawInstruction } from "./decode-instruction.js";
import { readAbsentMemo, readSettingsActions, type SettingsChangeAction } from "./decode-settings-change.js";
import { type LookupTables, readWrappedMessage, type WrappedMessage } from "./decode-wrapped-message.js";
import { takeFrom, takeOptional, takeOptionalSystem, takeProgram, takeSystem } from "./instruction-accounts.js";

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

/** Adds a message to a batch that nobody can vote on yet. */
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
  /** Pays for growth and gets the rent of what is removed; null: nobody. */
  readonly rentPayer: Address | null;
  /** The spending limits and policies it may make or remove, and who gets the rent of policies. */
  readonly touched: readonly Address[];
};

const discriminatorLength = 8;
/** Variant of create_transaction's argument that belongs to settings; the other belongs to policies. */
const transactionPayloadTag = 0;

/** By the first 8 bytes of the instruction. */
const readers: Readonly<Record<string, Reader>> = {
  e3c135ef377e7069: readCreateTransaction,
  "65a8fecbde665fc0": readCreateSettingsTransaction,
  "9fc6f82bf81feb56": readCreateBatch,
  "934bc5e314959671": readAddToBatch,
  ed43c9ad21825886: readExecuteBatchTransaction,
  "847444aed8a0c616": readCreateProposal,
  "5abacbea46b9bf15": readActivateProposal,
  "886c665562720793": (accounts, reader) => readVote("approve", accounts, reader),
  "72a2a452bf0b6619": (accounts, reader) => readVote("reject", accounts, reader),
  "6a4a809213412717": (accounts, reader) => readVote("cancel", accounts, reader),
  e7ad315beb184413: readExecuteTransaction,
  "83d21b581bcc8fbd": readExecuteSettingsTransaction,
  ...bufferReaders,
};

type Reader = (accounts: readonly Address[], reader: ByteReader, lookupTables: LookupTables) => ProposalCall;

/**
 * Reads an instruction of a proposal's life. Gives undefined for any other instruction; throws a `RangeError` when it is
 * one but its accounts or bytes do not add up, when it carries a memo, or when it holds a settings action or a lookup
 * table that is not known here.
 */
export function decodeProposalCall(raw: RawInstruction, lookupTables: LookupTables = {}): ProposalCall | undefined {
  if (raw.programAddress !== smartAccountProgramAddress) return undefined;
  const start = encodeHex(raw.data.subarray(0, discriminatorLength));
  const read = Object.hasOwn(readers, start) ? readers[start] : undefined;
  if (read === undefined) return undefined;
  const reader = readBytes(raw.data.subarray(discriminatorLength));
  const call = read(raw.accounts, reader, lookupTables);
  reader.end();
  return call;
}

function readCreateTransaction(
  accounts: readonly Address[],
  reader: ByteReader,
  lookupTables: LookupTables,
): CreateTransactionCall {
  if (reader.u8() !== transactionPayloadTag) throw new RangeError("a policy's payload is not known here");
  const accountIndex = reader.u8();
  const ephemeralSigners = reader.u8();
  const inner = readBytes(reader.bytes(reader.u32()));
  const message = readWrappedMessage(inner, "sent", lookupTables);
  // The program tolerates bytes behind the message; nobody asked for them.
  inner.end();
  readAbsentMemo(reader);
  return {
    type: "create_transaction",
    ...readCreationAccounts(accounts),
    accountIndex,
    ephemeralSigners,
    message,
  };
}

function readCreateSettingsTransaction(
  accounts: readonly Address[],
  reader: ByteReader,
): CreateSettingsTransactionCall {
  const common = readCreationAccounts(accounts);
  const actions = readSettingsActions(reader, common.settings);
  readAbsentMemo(reader);
  return { type: "create_settings_transaction", ...common, actions };
}

function readCreateBatch(addresses: readonly Address[], reader: ByteReader): CreateBatchCall {
  const accounts = takeFrom(addresses);
  const settings = accounts.next();
  const transaction = accounts.next();
  const creator = accounts.next();
  const rentPayer = accounts.next();
  takeSystem(accounts);
  accounts.end();
  const accountIndex = reader.u8();
  readAbsentMemo(reader);
  return { type: "create_batch", settings, transaction, creator, rentPayer, accountIndex };
}

function readAddToBatch(addresses: readonly Address[], reader: ByteReader, lookupTables: LookupTables): AddToBatchCall {
  const accounts = takeFrom(addresses);
  const settings = accounts.next();
  const proposal = accounts.next();
  const transaction = accounts.next();
  const stored = accounts.next();
  const creator = accounts.next();
  const rentPayer = accounts.next();
  takeSystem(accounts);
  accounts.end();
  const ephemeralSigners = reader.u8();
  const inner = readBytes(reader.bytes(reader.u32()));
  const message = readWrappedMessage(inner, "sent", lookupTables);
  inner.end();
  const common = { settings, proposal, transaction, stored, creator, rentPayer };
  return { type: "add_to_batch", ...common, ephemeralSigners, message };
}

function readExecuteBatchTransaction(addresses: readonly Address[]): ExecuteBatchTransactionCall {
  const accounts = takeFrom(addresses);
  const settings = accounts.next();
  const signer = accounts.next();
  const proposal = accounts.next();
  const transaction = accounts.next();
  const stored = accounts.next();
  const common = { settings, proposal, transaction, stored, signer };
  return { type: "execute_batch_transaction", ...common, accounts: accounts.rest() };
}

function readCreationAccounts(addresses: readonly Address[]) {
  const accounts = takeFrom(addresses);
  const settings = accounts.next();
  const transaction = accounts.next();
  const creator = accounts.next();
  const rentPayer = accounts.next();
  takeSystem(accounts);
  takeProgram(accounts);
  accounts.end();
  return { settings, transaction, creator, rentPayer };
}

function readCreateProposal(addresses: readonly Address[], reader: ByteReader): CreateProposalCall {
  const { transaction: proposal, ...common } = readCreationAccounts(addresses);
  const transactionIndex = reader.u64();
  const draft = reader.u8();
  if (draft > 1) throw new RangeError("a flag is neither true nor false");
  return { type: "create_proposal", ...common, proposal, transactionIndex, isDraft: draft === 1 };
}

function readActivateProposal(addresses: readonly Address[]): ActivateProposalCall {
  const accounts = takeFrom(addresses);
  const settings = accounts.next();
  const signer = accounts.next();
  const proposal = accounts.next();
  accounts.end();
  return { type: "activate_proposal", settings, proposal, signer };
}

function readVote(action: VoteAction, addresses: readonly Address[], reader: ByteReader): VoteCall {
  readAbsentMemo(reader);
  const accounts = takeFrom(addresses);
  const settings = accounts.next();
  const signer = accounts.next();
  const proposal = accounts.next();
  takeOptionalSystem(accounts);
  takeProgram(accounts);
  accounts.end();
  return { type: "vote", action, settings, proposal, signer };
}

function readExecuteTransaction(addresses: readonly Address[]): ExecuteTransactionCall {
  const accounts = takeFrom(addresses);
  const settings = accounts.next();
  const proposal = accounts.next();
  const transaction = accounts.next();
  const signer = accounts.next();
  takeProgram(accounts);
  return { type: "execute_transaction", settings, proposal, transaction, signer, accounts: accounts.rest() };
}

function readExecuteSettingsTransaction(addresses: readonly Address[]): ExecuteSettingsTransactionCall {
  const accounts = takeFrom(addresses);
  const settings = accounts.next();
  const signer = accounts.next();
  const proposal = accounts.next();
  const transaction = accounts.next();
  const rentPayer = takeOptional(accounts);
  takeOptionalSystem(accounts);
  takeProgram(accounts);
  const common = { settings, proposal, transaction, signer, rentPayer };
  return { type: "execute_settings_transaction", ...common, touched: accounts.rest() };
}
