import { type Address, getBase64Decoder, type Instruction } from "@solana/kit";
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from "@solana-program/compute-budget";
import {
  deriveBatchTransactionAddress,
  deriveTransactionAddress,
  messageInstructions,
  parseTransactionSync,
  type WrappedMessage,
} from "@trellis/program-client";
import type { ProposalContent } from "@trellis/program-client/proposal-content.js";
import {
  describeStoredActions,
  readSettingsChange,
  type SettingsAction,
} from "@trellis/program-client/settings-change.js";
import { readMemo } from "@trellis/solana/memo.js";
import type { LookupTables } from "@trellis/solana/read-message.js";
import { type BufferCall, isBufferCall } from "./buffer-call.js";
import { summariseBufferCall } from "./buffer-summary.js";
import { unbatch } from "./coin-bytes.js";
import { coinEffect, type KnownTokenAccount, type KnownTokenAccounts } from "./coin-effects.js";
import { readLimitUse } from "./limit-use.js";
import { type ProposalCall, readProposalCall } from "./proposal-call.js";
import { messagesOf } from "./stored-proposal.js";
import type { Effect, SummaryItem } from "./summary-item.js";
import { readTokenAccountOpening } from "./token-account-opening.js";

/** A proposal that instructions refer to by its address alone. */
export interface KnownProposal {
  readonly settings: Address;
  readonly transactionIndex: bigint;
  /** Undefined where what is voted on cannot be read. */
  readonly content: ProposalContent | undefined;
  /** The content of the lookup tables it names, as far as they exist. */
  readonly lookupTables: LookupTables;
}

/** What the chain was asked for beside the bytes. */
export interface SummaryFacts {
  readonly owners?: KnownTokenAccounts;
  /** By proposal address. */
  readonly proposals?: ReadonlyMap<Address, KnownProposal>;
  /** Of messages that are stored by these very instructions. */
  readonly lookupTables?: LookupTables;
}

/**
 * What these top-level instructions do, in order, those inside a smart account's call included. Read from the bytes
 * alone, never from what a caller asked for; what is not understood is displayed as it is.
 */
export function summarise(instructions: readonly Instruction[], facts: SummaryFacts = {}): SummaryItem[] {
  const owners = new Map(facts.owners);
  const stored = new Map<Address, ProposalContent>();
  return instructions.flatMap((instruction): SummaryItem[] => {
    if (instruction.programAddress === COMPUTE_BUDGET_PROGRAM_ADDRESS) return [];
    const call = parseTransactionSync(instruction);
    if (call) return call.instructions.flatMap((inner) => summariseOne(inner, owners));
    const about = readProposalCall(instruction);
    if (about?.kind === "store") {
      stored.set(about.transaction, about.content);
      return [];
    }
    if (about?.kind === "batch") {
      stored.set(about.transaction, emptyContent);
      return [];
    }
    if (about && isBufferCall(about)) return summariseBufferCall(about);
    const item =
      (about && summariseProposalCall(about, stored, facts)) ??
      summariseSettingsChange(instruction) ??
      summariseLimitUse(instruction);
    return item === undefined ? summariseOne(instruction, owners) : [item];
  });
}

function summariseProposalCall(
  call: Exclude<ProposalCall, BufferCall>,
  stored: ReadonlyMap<Address, ProposalContent>,
  facts: SummaryFacts,
): SummaryItem | undefined {
  if (call.kind === "open") {
    const { settings, proposal, transactionIndex, signer } = call;
    const known = facts.proposals?.get(proposal);
    const content = stored.get(deriveTransactionAddress(settings, transactionIndex)) ?? known?.content;
    if (!content) return undefined;
    const lookupTables = facts.lookupTables ?? known?.lookupTables ?? {};
    return {
      type: "create_proposal",
      proposal,
      transaction_index: Number(transactionIndex),
      creator: signer,
      ...toFacts(describeContent({ settings, content, lookupTables }, [signer], facts.owners)),
    };
  }
  if (call.kind === "store" || call.kind === "batch" || call.kind === "close") return undefined;
  const known = facts.proposals?.get(call.proposal);
  if (!known) return undefined;
  const { proposal, signer } = call;
  const about = { proposal, transaction_index: Number(known.transactionIndex) };
  if (call.kind === "activate") return { type: "activate_proposal", ...about, signer };
  if (call.kind === "vote") return { type: "vote", ...about, action: call.action, signer };
  const part = call.kind === "add" || call.of === "batch" ? partOf(known, call) : undefined;
  const described = toFacts(describeContent(part ? { ...known, ...part } : known, [signer], facts.owners));
  const named = { ...about, ...(part ? { batch_transaction: part.number } : {}) };
  if (call.kind === "add") return { type: "add_to_batch", ...named, creator: signer, ...described };
  return { type: "execute_proposal", ...named, signer, ...described };
}

const emptyContent: ProposalContent = { kind: "batch", accountIndex: 0, executed: 0, transactions: [] };

/** Which of a batch's messages an instruction is about, with that message alone; undefined where nothing is known of it. */
function partOf(
  { settings, transactionIndex, content }: KnownProposal,
  call: Extract<ProposalCall, { kind: "add" | "execute" }>,
): { readonly number: number; readonly content: ProposalContent } | undefined {
  if (content?.kind !== "batch") return undefined;
  const number =
    1 +
    content.transactions.findIndex(
      (_, i) => deriveBatchTransactionAddress(settings, transactionIndex, i + 1) === call.transaction,
    );
  const one = content.transactions[number - 1];
  return one && { number, content: { ...content, transactions: [one] } };
}

/** The part of a description that summaries show. */
function toFacts({ effects, actions }: ReturnType<typeof describeContent>) {
  return actions === undefined ? { effects } : { effects, actions };
}

/** What a proposal does once it is executed; `by` is who answers for a change of settings. */
export function describeContent(
  { settings, content, lookupTables }: Pick<KnownProposal, "settings" | "content" | "lookupTables">,
  by: readonly string[],
  owners: KnownTokenAccounts = new Map(),
): { effects: Effect[]; actions?: SettingsAction[]; batched?: Effect[][] } {
  if (content === undefined) return { effects: [] };
  if (content.kind === "settings") {
    const actions = describeStoredActions(settings, content);
    return { effects: [{ type: "settings_change", settings, by: [...by], actions }], actions };
  }
  const known = new Map(owners);
  const effects = messagesOf(content).map(({ message }) =>
    readableInstructions(message, lookupTables).flatMap((instruction) =>
      isUndecided(instruction) ? [showUndecided(instruction)] : summariseOne(instruction, known),
    ),
  );
  return content.kind === "batch" ? { effects: effects.flat(), batched: effects } : { effects: effects.flat() };
}

/**
 * The instructions of a message. A lookup table can be removed by the time a proposal is read; where it stood, its own
 * address with the place in it is displayed, which no other address can be mistaken for.
 */
function readableInstructions(message: WrappedMessage, lookupTables: LookupTables): Instruction[] {
  const tables: LookupTables = {};
  for (const { accountKey, writableIndexes, readonlyIndexes } of message.addressTableLookups) {
    const entries = [...(lookupTables[accountKey] ?? [])];
    for (const index of [...writableIndexes, ...readonlyIndexes]) {
      entries[index] ??= `${accountKey}[${index}]` as Address;
    }
    tables[accountKey] = entries;
  }
  return messageInstructions(message, tables);
}

/** Whether an instruction names a place of a lookup table instead of an address. */
function isUndecided({ programAddress, accounts = [] }: Instruction): boolean {
  return [programAddress, ...accounts.map(({ address }) => address)].some((name) => name.includes("["));
}

function showUndecided(instruction: Instruction): Effect {
  const { programAddress, accounts, data } = complete(instruction);
  return {
    type: "undecided",
    program: programAddress,
    accounts: accounts.map(({ address }) => address),
    data: getBase64Decoder().decode(data),
  };
}

function summariseSettingsChange(instruction: Instruction): Effect | undefined {
  const change = readSettingsChange(instruction);
  if (!change) return undefined;
  const by = change.by.kind === "members" ? change.by.members : [change.by.admin];
  return { type: "settings_change", settings: change.settings, by: [...by], actions: [...change.actions] };
}

function summariseLimitUse(instruction: Instruction): Effect | undefined {
  const use = readLimitUse(instruction);
  if (!use) return undefined;
  const { spendingLimit, signer, from, to, mint, amountBaseUnits, tokenAccounts } = use;
  return {
    type: "use_spending_limit",
    spending_limit: spendingLimit,
    signer,
    from,
    to,
    mint,
    amount: amountBaseUnits.toString(),
    ...(tokenAccounts === null ? {} : { from_token_account: tokenAccounts.from, to_token_account: tokenAccounts.to }),
  };
}

function summariseOne(instruction: Instruction, known: Map<Address, KnownTokenAccount>): Effect[] {
  return unbatch(instruction).map(
    (one) => coinEffect(one, known) ?? summariseTokenAccount(one, known) ?? summariseMemo(one) ?? showAsIs(one),
  );
}

function summariseTokenAccount(instruction: Instruction, known: Map<Address, KnownTokenAccount>): Effect | undefined {
  const opening = readTokenAccountOpening(instruction);
  if (!opening) return undefined;
  const { owner, mint, tokenAccount, payer } = opening;
  known.set(tokenAccount, { ...known.get(tokenAccount), owner, mint });
  return { type: "create_token_account", owner, mint, token_account: tokenAccount, payer };
}

function summariseMemo(instruction: Instruction): Effect | undefined {
  const text = readMemo(instruction);
  return text === undefined ? undefined : { ...showAsIs(instruction), type: "memo", text };
}

function showAsIs(instruction: Instruction): Extract<Effect, { type: "instruction" }> {
  const { programAddress, accounts, data } = complete(instruction);
  return {
    type: "instruction",
    program: programAddress,
    accounts: accounts.map(({ address }) => address),
    data: getBase64Decoder().decode(data),
  };
}

function complete(instruction: Instruction) {
  return { ...instruction, accounts: instruction.accounts ?? [], data: instruction.data ?? new Uint8Array(0) };
}
