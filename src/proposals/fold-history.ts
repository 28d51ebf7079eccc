/**
 * What happened to a proposal, reported by its transactions one after another. Pure: the same transactions in the same
 * order always give the same history, whether they were followed as they arrived or read years later.
 */
import { base58 } from "@scure/base";
import { type Address, type ReadonlyUint8Array, unwrapOption } from "@solana/kit";
import {
  accountKeysOf,
  deriveBatchTransactionAddress,
  findEvents,
  type InnerInstruction,
  ProgramDataError,
  ProposalEventType,
  proposalOfState,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
  type SmartAccountEvent,
  SYSTEM_PROGRAM_ADDRESS,
  TransactionEventType,
  transactionOfState,
  type VoteAction,
} from "@trellis/program-client";
import { type BatchRecord, emptyBatch } from "@trellis/program-client/proposal-content.js";
import { emptyHistory, type HistoryTransaction, type ProposalHistory, type ProposalPlace } from "./proposal-history.js";
import { addVote } from "./proposal-votes.js";
import {
  batchFacts,
  factsOfSettingsTransaction,
  factsOfTransaction,
  type TransactionFacts,
} from "./transaction-facts.js";

type EventOf<Kind extends SmartAccountEvent["__kind"]> = Extract<SmartAccountEvent, { __kind: Kind }>;

const instructionOf = {
  activateProposal: Uint8Array.of(0x5a, 0xba, 0xcb, 0xea, 0x46, 0xb9, 0xbf, 0x15),
  createBatch: Uint8Array.of(0x9f, 0xc6, 0xf8, 0x2b, 0xf8, 0x1f, 0xeb, 0x56),
  addToBatch: Uint8Array.of(0x93, 0x4b, 0xc5, 0xe3, 0x14, 0x95, 0x96, 0x71),
  closeBatched: Uint8Array.of(0x56, 0x90, 0x85, 0xe1, 0x2d, 0xd1, 0x3e, 0xfb),
  executeBatched: Uint8Array.of(0xed, 0x43, 0xc9, 0xad, 0x21, 0x82, 0x58, 0x86),
} as const;

const voteActions: Partial<Record<ProposalEventType, VoteAction>> = {
  [ProposalEventType.Approve]: "approve",
  [ProposalEventType.Reject]: "reject",
  [ProposalEventType.Cancel]: "cancel",
};

/**
 * Adds one successful transaction. Only what the program did for these very settings counts; a transaction that merely
 * names the proposal changes nothing but `seenSignature`.
 */
export function foldTransaction(
  before: ProposalHistory,
  place: ProposalPlace,
  signature: string,
  transaction: HistoryTransaction,
): ProposalHistory {
  const keys = accountKeysOf(transaction);
  let history = before;
  for (const { index, instruction } of inOrder(transaction)) {
    history = foldInstruction(history, place, { signature, transaction, keys, index, instruction });
  }
  return { ...history, seenSignature: signature };
}

interface Happening {
  readonly signature: string;
  readonly transaction: HistoryTransaction;
  readonly keys: readonly Address[];
  readonly index: number;
  readonly instruction: InnerInstruction;
}

/** Every instruction, each followed by those it called: the order they began in. */
function inOrder(transaction: HistoryTransaction): { index: number; instruction: InnerInstruction }[] {
  const groups = transaction.meta?.innerInstructions ?? [];
  return transaction.transaction.message.instructions.flatMap((instruction, index) => [
    { index, instruction },
    ...groups
      .filter((group) => group.index === index)
      .flatMap(({ instructions }) => instructions.map((inner) => ({ index, instruction: inner }))),
  ]);
}

function foldInstruction(history: ProposalHistory, place: ProposalPlace, happening: Happening): ProposalHistory {
  const { keys, index, instruction } = happening;
  if (keys[instruction.programIdIndex] !== SMART_ACCOUNT_PROGRAM_ADDRESS) return history;
  const [recorded] = findEvents([{ index, instructions: [instruction] }], keys);
  if (recorded === undefined) return foldSilent(history, place, happening);
  if (recorded.authority !== place.settingsAddress) return history;
  const { event } = recorded;
  if (event?.__kind === "Proposal" && event.proposalAddress === place.proposalAddress) {
    return foldProposalEvent(history, place, happening, event);
  }
  if (event?.__kind === "Transaction" && event.transactionAddress === place.transactionAddress) {
    const facts = factsOfEvent(event);
    // What was under this number before is another proposal's.
    if (history.closed && event.eventType === TransactionEventType.Create) return { ...emptyHistory, facts };
    return { ...history, facts: facts ?? history.facts };
  }
  return history;
}

function foldProposalEvent(
  history: ProposalHistory,
  place: ProposalPlace,
  happening: Happening,
  event: EventOf<"Proposal">,
): ProposalHistory {
  // The program opens a vote on what was closed, too. It has no effect: the number has had its proposal.
  if (history.closed) return history;
  if (event.eventType === ProposalEventType.Close) {
    const reclaimed = lostIn(happening, [place.proposalAddress, place.transactionAddress]);
    const reclaimedLamports = reclaimed + (history.batch?.reclaimedLamports ?? 0n);
    return { ...changedBy(history, happening), closed: true, reclaimedLamports };
  }
  const state = unwrapOption(event.proposal);
  const stand = state === null ? history.stand : proposalOfState(state);
  const at = happening.transaction.blockTime ?? stand?.statusTimestamp ?? 0n;
  const action = voteActions[event.eventType];
  const signer = unwrapOption(event.signer);
  return {
    ...changedBy(history, happening, at),
    stand,
    ...(event.eventType === ProposalEventType.Create ? { openedAt: at } : {}),
    ...(action === undefined || signer === null
      ? {}
      : { votes: addVote(history.votes, { signer, action, at: Number(at), signature: happening.signature }) }),
  };
}

/** Some instructions say nothing of themselves: opening a draft for votes, and all that has to do with batches. */
function foldSilent(history: ProposalHistory, place: ProposalPlace, happening: Happening): ProposalHistory {
  const { keys, instruction, transaction } = happening;
  const data = base58.decode(instruction.data);
  const account = (position: number): Address | undefined => keys[instruction.accounts[position] ?? -1];
  if (account(0) !== place.settingsAddress) return history;
  const isOver = history.closed;
  if (!isOver && begins(data, instructionOf.activateProposal) && account(2) === place.proposalAddress) {
    const statusTimestamp = transaction.blockTime ?? history.stand?.statusTimestamp ?? null;
    const stand = history.stand && ({ ...history.stand, status: "active", statusTimestamp } as const);
    return { ...changedBy(history, happening), stand };
  }
  const [creator, rentPayer] = [account(2), account(3)];
  if (begins(data, instructionOf.createBatch) && account(1) === place.transactionAddress && creator && rentPayer) {
    const before = isOver ? emptyHistory : history;
    const batch = { ...(before.batch ?? emptyBatch), accountIndex: data[8] };
    return { ...before, facts: batchFacts(creator, rentPayer), batch };
  }
  if (isOver) return history;
  if (begins(data, instructionOf.addToBatch) && account(2) === place.transactionAddress) {
    return {
      ...changedBy(history, happening),
      batch: addToBatch(history.batch ?? emptyBatch, place, account(3), data),
    };
  }
  if (begins(data, instructionOf.executeBatched) && account(3) === place.transactionAddress) {
    const before = history.batch ?? emptyBatch;
    const executed = numberAbove(before.executed, place, account(4)) ?? before.executed;
    const batch = { ...before, executed };
    // The last one ends the proposal.
    const statusTimestamp = transaction.blockTime ?? history.stand?.statusTimestamp ?? null;
    const ended = history.stand && ({ ...history.stand, status: "executed", statusTimestamp } as const);
    const stand = batch.executed >= batch.size ? ended : history.stand;
    return { ...changedBy(history, happening), stand, batch };
  }
  const closed = account(3);
  if (begins(data, instructionOf.closeBatched) && account(2) === place.transactionAddress && closed) {
    const batch = history.batch ?? emptyBatch;
    return {
      ...history,
      batch: { ...batch, reclaimedLamports: batch.reclaimedLamports + lostIn(happening, [closed]) },
    };
  }
  return history;
}

/** One that was reported before adds nothing; of one that follows others that were not reported only the number is known. */
function addToBatch(
  batch: BatchRecord,
  place: ProposalPlace,
  added: Address | undefined,
  data: ReadonlyUint8Array,
): BatchRecord {
  const reported = batch.transactions.length;
  const isNumber = (number: number) => isNumbered(place, number, added);
  if (isNumber(reported + 1)) {
    // Behind the discriminator: the throw-away signers, a length of four bytes, the message.
    const message = { ephemeralSignerCount: data[8] ?? 0, message: Uint8Array.from(data.slice(13)) };
    return { ...batch, size: Math.max(batch.size, reported + 1), transactions: [...batch.transactions, message] };
  }
  for (let number = reported; number >= 1; number -= 1) if (isNumber(number)) return batch;
  return { ...batch, size: numberAbove(batch.size, place, added) ?? Math.max(batch.size, reported + 2) };
}

/** So many transactions of a batch in a row may be missing in what a node reports. */
const missingMax = 16;

/**
 * The number of this transaction of the batch, where it is above `count`. The account may have been seen ahead of the
 * transactions that are reported here: those that it counted already are not counted again.
 */
function numberAbove(count: number, place: ProposalPlace, transaction: Address | undefined): number | undefined {
  for (let number = count + 1; number <= count + missingMax; number += 1) {
    if (isNumbered(place, number, transaction)) return number;
  }
  return undefined;
}

const isNumbered = (
  { settingsAddress, transactionIndex }: ProposalPlace,
  number: number,
  transaction: Address | undefined,
): boolean => deriveBatchTransactionAddress(settingsAddress, transactionIndex, number) === transaction;

function changedBy(history: ProposalHistory, happening: Happening, at?: bigint): ProposalHistory {
  return {
    ...history,
    lastModified: {
      signature: happening.signature,
      at: at ?? happening.transaction.blockTime ?? history.lastModified?.at ?? 0n,
    },
    usesDurableNonce: history.usesDurableNonce || livesByNonce(happening.transaction),
  };
}

/** Whether its first instruction advances a durable nonce: it may have been signed at any time before. */
function livesByNonce({ transaction }: HistoryTransaction): boolean {
  const [first] = transaction.message.instructions;
  if (first === undefined || transaction.message.accountKeys[first.programIdIndex] !== SYSTEM_PROGRAM_ADDRESS) {
    return false;
  }
  return begins(base58.decode(first.data), advanceNonce);
}

const advanceNonce = Uint8Array.of(4, 0, 0, 0);

/** What accounts lost in the transaction that closed them. */
function lostIn({ transaction, keys }: Happening, accounts: readonly Address[]): bigint {
  return accounts.reduce((sum, address) => {
    const at = keys.indexOf(address);
    return sum + (transaction.meta?.preBalances[at] ?? 0n) - (transaction.meta?.postBalances[at] ?? 0n);
  }, 0n);
}

function factsOfEvent(event: EventOf<"Transaction">): TransactionFacts | undefined {
  const content = unwrapOption(event.content);
  if (event.eventType !== TransactionEventType.Create || content === null) return undefined;
  if (content.__kind === "SettingsTransaction") return factsOfSettingsTransaction(content.transaction);
  try {
    return factsOfTransaction(transactionOfState(content.transaction));
  } catch (error) {
    if (error instanceof ProgramDataError) return undefined;
    throw error;
  }
}

const begins = (data: ReadonlyUint8Array, prefix: ReadonlyUint8Array): boolean =>
  data.length >= prefix.length && prefix.every((byte, i) => data[i] === byte);
