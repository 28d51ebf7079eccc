import type { Address } from "@solana/addresses";
import canonicalize from "canonicalize";
import { assertActionsReach, type ExpectedPolicy } from "./assert-settings-change.js";
import { assertTransferInstructions, type ExpectedTransfer, type TransferTerms } from "./assert-transfer.js";
import { decodeBase64, encodeBase64 } from "./encoding.js";
import { type DecodedInstruction, decodeInstruction, type RawInstruction } from "./inspect/decode-instruction.js";
import type { SettingsChangeAction } from "./inspect/decode-settings-change.js";
import type { LookupTables, WrappedMessage } from "./inspect/decode-wrapped-message.js";
import { readEffects, type ToldEffect } from "./inspect/read-effects.js";
import { type RawTransaction, readTransaction } from "./inspect/read-transaction.js";
import {
  associatedTokenProgramAddress,
  computeBudgetProgramAddress,
  deriveAssociatedTokenAddress,
  memoProgramAddress,
  systemProgramAddress,
  token2022ProgramAddress,
  tokenProgramAddress,
} from "./program-address.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { ProposedAction, SummaryEntry } from "./wire.js";

/** What a proposal is to do once it is approved and executed. */
export type ProposalContent =
  | ({ readonly type: "transfer" } & Pick<
      ExpectedTransfer,
      "to" | "mint" | "amount" | "decimals" | "toIsTokenAccount" | "memo"
    >)
  /** Exactly these changes of the settings, in this order. */
  | { readonly type: "settings"; readonly actions: readonly ProposedAction[] }
  /** Whatever changes lead to this policy; see `accounts.update`. */
  | ({ readonly type: "policy" } & ExpectedPolicy)
  /** The caller's own instructions; `lookupTables` where the transaction uses some. */
  | CustomContent
  /** Several of the caller's own, voted on together and executed one after the other. */
  | BatchContent;

type CustomContent = {
  readonly type: "custom";
  readonly transaction: string;
  readonly lookupTables?: LookupTables;
};

export type BatchContent = {
  readonly type: "batch";
  readonly transactions: readonly string[];
  readonly lookupTables?: LookupTables;
};

/** A batch's transactions, each as a content of its own. */
export function partsOf({ transactions, lookupTables }: BatchContent): readonly CustomContent[] {
  return transactions.map((transaction) => ({
    type: "custom",
    transaction,
    ...(lookupTables === undefined ? {} : { lookupTables }),
  }));
}

/** The lookup tables that a caller's own transactions use. */
export function tablesOf(content: ProposalContent): LookupTables | undefined {
  return content.type === "custom" || content.type === "batch" ? content.lookupTables : undefined;
}

/** A content that consists of instructions. */
export type MessageContent = Extract<ProposalContent, { type: "transfer" | "custom" }>;

export function isMessageContent(content: ProposalContent): content is MessageContent {
  return content.type === "transfer" || content.type === "custom";
}

/**
 * Makes sure that a message which `account` is to execute does exactly what was asked for, with nobody's signature but
 * the account's where none was asked for. `outside` are instructions beside it, paid by `payer`. Throws
 * `TransactionMismatchError`.
 */
export function assertMessageIs(
  message: WrappedMessage,
  content: ProposalContent,
  account: Address,
  outside: readonly DecodedInstruction[],
  payer: readonly Address[],
): void {
  if (!isMessageContent(content)) throw differs("the account pays or calls, which was not asked for");
  assertKeys(message, account);
  if (content.type === "transfer") {
    assertSigners(message, [account]);
    const payers = { outside: payer, inside: [account] };
    const inside = message.instructions.map(decodeInstruction);
    assertTransferInstructions(outside, inside, { ...content, from: account }, payers);
    const targets = transferTargets(message, content);
    assertWritable(message, { allowed: targets, needed: targets });
    return;
  }
  const [further] = outside;
  if (further !== undefined) throw unexpectedInstruction(further);
  const wanted = readTransaction(content.transaction, content.lookupTables);
  assertSigners(message, [account, ...wanted.requiredSigners]);
  assertWritable(message, {
    allowed: [account, ...wanted.writable],
    needed: wanted.writable.filter((key) => instructionsOf(wanted).some((one) => one.accounts.includes(key))),
  });
  assertSame(
    "content",
    instructionsOf(wanted).map(canonicalInstruction),
    message.instructions.map(canonicalInstruction),
  );
}

/** Nothing may be named but the account itself and what instructions use. */
function assertKeys(message: WrappedMessage, account: Address): void {
  if (message.signers[0] !== account) throw differs("another address acts", account, message.signers[0]);
  const used = new Set(message.instructions.flatMap(namedIn));
  const idle = message.accountKeys.find((key) => key !== account && !used.has(key));
  if (idle !== undefined) throw differs("an address is named that nothing uses", undefined, idle);
}

function assertSigners(message: WrappedMessage, allowed: readonly Address[]): void {
  const signer = message.signers.find((key) => !allowed.includes(key));
  if (signer !== undefined) throw differs("somebody else has to sign inside", undefined, signer);
}

function assertWritable(
  message: WrappedMessage,
  { allowed, needed }: { readonly allowed: readonly Address[]; readonly needed: readonly Address[] },
): void {
  const writable = message.writable.find((key) => !allowed.includes(key));
  if (writable !== undefined) throw differs("an account may be changed that was only to be read", undefined, writable);
  const locked = needed.find((key) => !message.writable.includes(key));
  if (locked !== undefined) throw differs("an account may only be read that is to be changed", locked);
}

/** Between which accounts a transfer moves: without the right to change them it would fail after the vote. */
function transferTargets({ instructions, signers }: WrappedMessage, { mint }: { mint: Address | null }) {
  const transfer = instructions[instructions.length - 1]?.accounts ?? [];
  return [...signers, ...(mint === null ? transfer.slice(0, 2) : [transfer[0], transfer[2]])].filter(
    (key) => key !== undefined,
  );
}

/** Makes sure that the actions are the ones asked for. Throws `TransactionMismatchError`. */
export function assertActionsAre(actions: readonly SettingsChangeAction[], content: ProposalContent): void {
  if (content.type === "policy") {
    assertActionsReach(actions, content);
    return;
  }
  if (content.type !== "settings") throw differs("the settings are changed, which was not asked for");
  for (const action of actions) {
    if (action.type === "add_spending_limit" && action.accountIndex !== 0) {
      throw new TransactionMismatchError("vault_index", "a spending limit is granted on another vault", {
        expected: 0,
        actual: action.accountIndex,
      });
    }
  }
  assertSame(
    "settings_change",
    removalsLast(content.actions.map(itemOfProposed)).map(canonical),
    removalsLast(actions.map(itemOfAction)).map(canonical),
  );
}

/**
 * Makes sure that a summary of the service says what was asked for. It compares what the service says with what the
 * caller thinks; whether the service says the truth it cannot know. Throws `TransactionMismatchError` with `content`.
 */
export function assertSummaryIs(summary: readonly SummaryEntry[], content: ProposalContent, account: Address): void {
  switch (content.type) {
    case "transfer":
      assertTransferSummary(summary, { ...content, from: account });
      return;
    case "batch":
    case "custom":
      assertEffects(
        summary,
        (content.type === "batch" ? partsOf(content) : [content])
          .flatMap((part) => instructionsOf(readTransaction(part.transaction, part.lookupTables)))
          .flatMap(readEffects),
      );
      return;
    case "settings":
      assertSame(
        "content",
        removalsLast(content.actions.map(itemOfProposed)).map(canonical),
        removalsLast(actionsOf(summary).map(plainItem)).map(canonical),
      );
      return;
    case "policy":
      throw new TypeError("a policy is compared with bytes, not with a summary: name the actions");
  }
}

const tokenAccountMembers = ["from_token_account", "to_token_account"];

function assertTransferSummary(summary: readonly SummaryEntry[], terms: TransferTerms): void {
  const { from, to, mint, amount } = terms;
  const isOpening = (item: SummaryEntry) =>
    item.type === "create_token_account" && item.owner === to && item.mint === mint && item.payer === from;
  const memos = summary.filter(({ type }) => type === "memo");
  const wantedMemos = terms.memo === undefined ? [] : [terms.memo];
  assertSame(
    "memo",
    wantedMemos,
    memos.map(({ text }) => String(text)),
  );
  const [transfer, ...further] = summary.filter((item) => !isOpening(item) && !memos.includes(item));
  if (transfer === undefined || further.length > 0) {
    throw differs(
      "the service does not say one transfer",
      "transfer",
      summary.map(({ type }) => type).join() || "nothing",
    );
  }
  const targets: readonly unknown[] =
    mint === null || terms.toIsTokenAccount === true
      ? [to]
      : [tokenProgramAddress, token2022ProgramAddress].map((program) =>
          deriveAssociatedTokenAddress(to, mint, program),
        );
  const target = mint === null ? transfer.to : transfer.to_token_account;
  // A transfer of another kind says so in members of its own: it closes an account, opens one, or pays a fee.
  const plain = ["type", "from", "to", "mint", "amount", ...(mint === null ? [] : tokenAccountMembers)];
  const isSame =
    transfer.type === "transfer" &&
    Object.keys(transfer).every((name) => plain.includes(name)) &&
    transfer.from === from &&
    transfer.mint === mint &&
    transfer.amount === amount.toString() &&
    targets.includes(target);
  if (!isSame) {
    const wanted = { type: "transfer", from, to, mint, amount: amount.toString() };
    throw differs("the service says another transfer", canonical(wanted), canonical(transfer));
  }
}

function actionsOf(summary: readonly SummaryEntry[]): readonly SummaryEntry[] {
  const [change, ...further] = summary;
  if (change === undefined || change.type !== "settings_change" || further.length > 0 || !isEntries(change.actions)) {
    throw differs("the service does not say one change of settings");
  }
  return change.actions;
}

function isEntries(value: unknown): value is readonly SummaryEntry[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "object" && entry !== null && "type" in entry);
}

/**
 * The only addresses that executing instructions of this content may name, lookup tables included. The chain refuses an
 * execution whose accounts are not those of the stored message; so whatever else is stored cannot be executed with them.
 */
export function accountsOf(content: MessageContent, account: Address): ReadonlySet<Address> {
  if (content.type === "custom") {
    const wanted = readTransaction(content.transaction, content.lookupTables);
    const tables = Object.keys(content.lookupTables ?? {}) as Address[];
    return new Set([account, ...tables, ...instructionsOf(wanted).flatMap(namedIn)]);
  }
  const { to, mint, toIsTokenAccount } = content;
  const memo = content.memo === undefined ? [] : [memoProgramAddress];
  if (mint === null) return new Set([account, to, systemProgramAddress, ...memo]);
  const programs = [tokenProgramAddress, token2022ProgramAddress];
  const owners = toIsTokenAccount === true ? [account] : [account, to];
  const tokenAccounts = owners.flatMap((owner) =>
    programs.map((program) => deriveAssociatedTokenAddress(owner, mint, program)),
  );
  return new Set([
    account,
    to,
    mint,
    ...programs,
    ...tokenAccounts,
    associatedTokenProgramAddress,
    systemProgramAddress,
    ...memo,
  ]);
}

/** The instructions of a caller's transaction; its compute budget is the service's business. */
function instructionsOf(transaction: RawTransaction): readonly RawInstruction[] {
  return transaction.instructions.filter(({ programAddress }) => programAddress !== computeBudgetProgramAddress);
}

function namedIn({ programAddress, accounts }: RawInstruction): readonly Address[] {
  return [programAddress, ...accounts];
}

function canonicalInstruction({ programAddress, accounts, data }: RawInstruction): string {
  return canonical({ program: programAddress, accounts, data: encodeBase64(data) });
}

/** Makes sure that a summary says what these instructions do. Throws `TransactionMismatchError`. */
export function assertSummaryTells(summary: readonly SummaryEntry[], instructions: readonly RawInstruction[]): void {
  assertEffects(summary, instructions.flatMap(readEffects));
}

/** Makes sure that a summary says one change of settings, with exactly these actions. Throws `TransactionMismatchError`. */
export function assertSummaryTellsActions(
  summary: readonly SummaryEntry[],
  actions: readonly SettingsChangeAction[],
): void {
  for (const action of actions) {
    if (action.type === "add_spending_limit" && action.accountIndex !== 0) {
      throw differs("a spending limit is granted on another vault", 0, action.accountIndex);
    }
  }
  const said = actionsOf(summary).map(({ irreversible: _, ...action }) => plainItem(action as SummaryEntry));
  assertSame("content", actions.map(itemOfAction).map(canonical), said.map(canonical));
}

/** Holds a summary against what the bytes tell. An instruction that is shown as it is is read here, too. */
function assertEffects(summary: readonly SummaryEntry[], effects: readonly ToldEffect[]): void {
  const said = summary.flatMap((item): readonly SummaryEntry[] => {
    const raw = rawOf(item);
    return raw === undefined ? [item] : readEffects(raw).map(({ entry }) => entry);
  });
  assertSame(
    "content",
    effects.map(({ entry }) => canonical(entry)),
    said.map((item, i) => canonical(without(item, effects[i]?.untold ?? []))),
  );
}

function rawOf({ type, program, accounts, data }: SummaryEntry): RawInstruction | undefined {
  if (type !== "instruction" || typeof program !== "string" || typeof data !== "string") return undefined;
  if (!Array.isArray(accounts) || !accounts.every((one) => typeof one === "string")) return undefined;
  try {
    return { programAddress: program as Address, accounts: accounts as Address[], data: decodeBase64(data) };
  } catch {
    // What is no base64 is no instruction, and differs from any.
    return undefined;
  }
}

function without({ type, ...members }: SummaryEntry, names: readonly string[]): SummaryEntry {
  return { ...Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name))), type };
}

/** The service moves removals to the end, where the chain can execute them; what happens is the same. */
function removalsLast(items: readonly SummaryEntry[]): readonly SummaryEntry[] {
  const isRemoval = ({ type }: SummaryEntry) => type === "remove_spending_limit" || type === "remove_policy";
  return [...items.filter((item) => !isRemoval(item)), ...items.filter(isRemoval)];
}

/** A decoded action in the words of a summary. */
function itemOfAction(action: SettingsChangeAction): SummaryEntry {
  switch (action.type) {
    case "set_time_lock":
      return { type: action.type, time_lock: action.seconds };
    case "set_admin":
      return { type: action.type, admin_address: action.admin };
    case "add_signer":
      return { ...action, permissions: [...action.permissions].sort() };
    case "remove_signer":
    case "change_threshold":
      return action;
    case "add_spending_limit":
      return {
        type: action.type,
        mint: action.mint,
        amount: action.amount.toString(),
        period: action.period,
        signers: [...action.signers].sort(),
        destinations: [...action.destinations].sort(),
        ...(action.expiration === null ? {} : { expires_at: Number(action.expiration) }),
      };
    case "remove_spending_limit":
      return { type: action.type, spending_limit: action.spendingLimit };
    case "remove_policy":
      return { type: action.type, policy: action.policy };
  }
}

/** An action that was asked for in the words of a summary. */
function itemOfProposed(action: ProposedAction): SummaryEntry {
  switch (action.type) {
    case "AddSigner": {
      const { address, permissions } = action.newSigner;
      return { type: "add_signer", address, permissions: [...new Set(permissions)].sort() };
    }
    case "RemoveSigner":
      return { type: "remove_signer", address: action.oldSigner };
    case "ChangeThreshold":
      return { type: "change_threshold", threshold: action.newThreshold };
    case "SetTimeLock":
      return { type: "set_time_lock", time_lock: action.newTimeLock };
    case "AddSpendingLimit":
      return {
        type: "add_spending_limit",
        mint: action.mint,
        amount: action.amount,
        period: action.period,
        signers: [...action.signers].sort(),
        destinations: [...(action.destinations ?? [])].sort(),
        ...(action.expiration === undefined ? {} : { expires_at: action.expiration }),
      };
    case "RemoveSpendingLimit":
      return { type: "remove_spending_limit", spending_limit: action.spendingLimit };
    case "PolicyRemove":
      return { type: "remove_policy", policy: action.policy };
  }
}

/** An action of the service's summary, without what follows from the rest and in a fixed order. */
function plainItem(action: SummaryEntry): SummaryEntry {
  const sorted = (value: unknown): unknown => (Array.isArray(value) ? [...value].sort() : value);
  const { spending_limit: limit, permissions, signers, destinations, ...rest } = action;
  return {
    ...rest,
    ...(permissions === undefined ? {} : { permissions: sorted(permissions) }),
    ...(signers === undefined ? {} : { signers: sorted(signers) }),
    ...(destinations === undefined ? {} : { destinations: sorted(destinations) }),
    ...(action.type === "add_spending_limit" || limit === undefined ? {} : { spending_limit: limit }),
  };
}

function canonical(value: unknown): string {
  return canonicalize(value) ?? "";
}

function assertSame(
  difference: "settings_change" | "content" | "memo",
  expected: readonly string[],
  actual: readonly string[],
): void {
  const at = expected.length === actual.length ? expected.findIndex((text, i) => text !== actual[i]) : expected.length;
  if (at === -1) return;
  throw new TransactionMismatchError(difference, "something else would be done than was asked for", {
    expected: expected[at] ?? expected.join(),
    actual: actual[at] ?? actual.join(),
  });
}

function differs(message: string, expected?: unknown, actual?: unknown): TransactionMismatchError {
  return new TransactionMismatchError("content", message, { expected, actual });
}

/** An instruction that was not asked for, for people. */
export function unexpectedInstruction(instruction: DecodedInstruction): TransactionMismatchError {
  const actual = instruction.type === "unknown" ? `a call of ${instruction.programAddress}` : instruction.type;
  return new TransactionMismatchError("unexpected_instruction", "the transaction holds an instruction too many", {
    actual,
  });
}
