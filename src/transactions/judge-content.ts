import type { Address, Instruction } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import {
  decodeProposal,
  messageInstructions,
  ProgramDataError,
  readProgramInstruction,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
  SmartAccountProgramInstruction,
} from "@trellis/program-client";
import type { BatchedMessage, ProposalContent } from "@trellis/program-client/proposal-content.js";
import { describeStoredActions } from "@trellis/program-client/settings-change.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import { isBlockBefore } from "@trellis/solana/block-time.js";
import { type Freshness, readAccounts } from "@trellis/solana/read-accounts.js";
import { type LookupTables, readTableStates } from "@trellis/solana/read-message.js";
import { messagesOf } from "./stored-proposal.js";

/** What keeps a content from being approved blindly. */
export interface ContentVerdict {
  /** The lookup tables it names, as far as they are there. */
  readonly lookupTables: LookupTables;
  /** What of it cannot be read, in words; empty where all of it can. */
  readonly unreadable: readonly string[];
  /** What of it is decided only after the vote, in sentences; empty where nothing is. */
  readonly undecided: readonly string[];
}

/**
 * Judges whether people can know what they approve: every part of a content must be readable, and nothing in it may name
 * what others can still fill. Entries of a lookup table are decided once they are there: tables only grow, and one that was
 * closed never reappears at its address. Throws `chain_unavailable`.
 */
export async function judgeContent(
  network: Pick<Network, "rpc">,
  settings: Address,
  content: ProposalContent | undefined,
  freshness: Freshness = {},
): Promise<ContentVerdict> {
  const messages = messagesOf(content);
  const named = [
    ...new Set(messages.flatMap(({ message }) => message.addressTableLookups.map((one) => one.accountKey))),
  ];
  const tables = await readTableStates(network, named, freshness);
  const lookupTables = Object.fromEntries([...tables].map(([address, { entries }]) => [address, entries]));
  const places = messages.flatMap(({ message }) =>
    message.addressTableLookups.flatMap(({ accountKey, writableIndexes, readonlyIndexes }): string[] => {
      const table = tables.get(accountKey);
      if (table === undefined) return [`The lookup table ${accountKey} is not there.`];
      if (table.deactivatedSlot !== null) {
        return [
          `The lookup table ${accountKey} is being closed: its authority deactivated it in slot ${table.deactivatedSlot}, and ` +
            "nothing that needs it can be executed some minutes later. Have it proposed again without this table.",
        ];
      }
      return [...writableIndexes, ...readonlyIndexes]
        .filter((index) => table.entries[index] === undefined)
        .map((index) => `The lookup table ${accountKey} has no entry ${index} yet.`);
    }),
  );
  const calls = await findOpenCalls(network, messages, lookupTables, freshness);
  return { lookupTables, unreadable: unreadablePartsOf(settings, content), undecided: [...places, ...calls] };
}

/** What of a content this release cannot read; a content that is no content at all is one such part. */
function unreadablePartsOf(settings: Address, content: ProposalContent | undefined): readonly string[] {
  if (content === undefined) return ["all of it"];
  if (content.kind !== "settings") return [];
  return describeStoredActions(settings, content).flatMap((action) => (action.type === "other" ? [action.name] : []));
}

/** Calls of the program about another account whose content is decided elsewhere: in a buffer, or in what is not stored yet. */
async function findOpenCalls(
  network: Pick<Network, "rpc">,
  messages: readonly BatchedMessage[],
  lookupTables: LookupTables,
  freshness: Freshness,
): Promise<readonly string[]> {
  const calls = messages.flatMap(({ message }) => {
    try {
      return messageInstructions(message, lookupTables).flatMap((instruction) => openCallOf(instruction) ?? []);
    } catch (error) {
      // A place of a table that has no entry: said already.
      if (error instanceof ProgramDataError) return [];
      throw error;
    }
  });
  const addresses = [...new Set(calls.flatMap(({ on }) => on ?? []))].slice(0, 100);
  const accounts = await readAccounts(network, addresses, freshness);
  return calls.flatMap(({ on, what, isVote }) => {
    if (on === undefined) return [what];
    const account = accounts[addresses.indexOf(on)];
    const isThere = account?.owner === SMART_ACCOUNT_PROGRAM_ADDRESS && !(isVote && isDraft(account.data));
    return isThere ? [] : [what];
  });
}

interface OpenCall {
  /** The account that has to be there for the call to be decided; undefined: nothing could decide it. */
  readonly on: Address | undefined;
  readonly what: string;
  /** Whether the account is a vote, which decides nothing while it is a draft. */
  readonly isVote: boolean;
}

function openCallOf(instruction: Instruction): OpenCall | undefined {
  const parsed = readProgramInstruction(instruction);
  switch (parsed?.instructionType) {
    case SmartAccountProgramInstruction.CreateTransactionFromBuffer:
      return { on: undefined, what: "It stores what a transaction buffer will hold by then.", isVote: false };
    case SmartAccountProgramInstruction.ExecuteTransaction:
    case SmartAccountProgramInstruction.ExecuteSettingsTransaction:
    case SmartAccountProgramInstruction.ExecuteBatchTransaction: {
      const { transaction } = parsed.accounts;
      const what = `It executes ${transaction.address}, where nothing is stored yet.`;
      return { on: transaction.address, what, isVote: false };
    }
    case SmartAccountProgramInstruction.ApproveProposal: {
      const { proposal } = parsed.accounts;
      return { on: proposal.address, what: `It approves ${proposal.address}, which is not open yet.`, isVote: true };
    }
    default:
      return undefined;
  }
}

function isDraft(data: Uint8Array): boolean {
  try {
    return decodeProposal(data).status === "draft";
  } catch (error) {
    if (error instanceof ProgramDataError) return true;
    throw error;
  }
}

/**
 * Refuses to have something approved that no signer can know. What cannot be read is let through where the request says so in
 * words; what is not decided never is. Throws `undecided_content`, `unreadable_content`.
 */
export function requireApprovable(verdict: Omit<ContentVerdict, "lookupTables">, approveUnreadable = false): void {
  requireDecided(verdict);
  if (verdict.unreadable.length > 0 && !approveUnreadable) {
    throw new TrellisError("unreadable_content", { message: sayUnreadable(verdict.unreadable) });
  }
}

/** Throws `undecided_content` where anything is decided only later. */
export function requireDecided({ undecided }: Pick<ContentVerdict, "undecided">): void {
  if (undecided.length > 0) throw new TrellisError("undecided_content", { message: sayUndecided(undecided) });
}

/**
 * Refuses what names a lookup table that grew since `approvedAt` (Unix seconds): a place of it may have been empty while
 * people voted. A table says only when it last grew, so any growth counts, and so does one of which nodes have forgotten when
 * it was. One so long ago that it was before is not asked for. Throws `undecided_content`, `chain_unavailable`.
 */
export async function requireSameTables(
  network: Pick<Network, "rpc" | "clock">,
  content: ProposalContent | undefined,
  approvedAt: bigint,
  freshness: Freshness = {},
): Promise<void> {
  const named = messagesOf(content).flatMap(({ message }) => message.addressTableLookups.map((one) => one.accountKey));
  if (named.length === 0) return;
  const tables = await readTableStates(network, [...new Set(named)], freshness);
  const slot = await askChain(network.rpc.getSlot());
  const sinceApproval = BigInt(Math.ceil(network.clock.now() / 1000)) - approvedAt;
  const slotsSince = (sinceApproval + limits.chainClockApartSeconds) * limits.slotsPerSecondMost;
  for (const [address, { lastExtendedSlot }] of tables) {
    if (slot - lastExtendedSlot > slotsSince) continue;
    const isOlder = await isBlockBefore(network, lastExtendedSlot, approvedAt);
    if (isOlder === true) continue;
    const why =
      isOlder === false
        ? `The lookup table ${address} grew after the proposal was approved: propose it again.`
        : `The lookup table ${address} last grew in slot ${lastExtendedSlot}, and the cluster's nodes have forgotten when that ` +
          "was: it may have been after the proposal was approved. Propose it again.";
    requireDecided({ undecided: [why] });
  }
}

/** In words: what cannot be read. */
export const sayUnreadable = (parts: readonly string[]): string =>
  `What would be executed cannot be read here: ${parts.join(", ")}. It may do anything that the account can do.`;

/** In words: what is not decided. */
export const sayUndecided = (reasons: readonly string[]): string =>
  `${[...new Set(reasons)].join(" ")} What is executed could be decided after the vote.`;
