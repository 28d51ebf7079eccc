import type { Address } from "@solana/addresses";
import { encodeHex } from "../encoding.js";
import { smartAccountProgramAddress } from "../program-address.js";
import type { VoteAction } from "../wire.js";
import { type ByteReader, readBytes } from "./byte-reader.js";
import { bufferReaders } from "./decode-buffer-call.js";
import type { RawInstruction } from "./decode-instruction.js";
import { readAbsentMemo, readSettingsActions } from "./decode-settings-change.js";
import { type LookupTables, readWrappedMessage } from "./decode-wrapped-message.js";
import { takeFrom, takeOptional, takeOptionalSystem, takeProgram, takeSystem } from "./instruction-accounts.js";
import type {
  ActivateProposalCall,
  AddToBatchCall,
  CreateBatchCall,
  CreateProposalCall,
  CreateSettingsTransactionCall,
  CreateTransactionCall,
  ExecuteBatchTransactionCall,
  ExecuteSettingsTransactionCall,
  ExecuteTransactionCall,
  ProposalCall,
  VoteCall,
} from "./proposal-call.js";

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
  // The program tolerates bytes behind the message; no caller asked for them.
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
