import type { Address } from "@solana/addresses";
import type { TransferTerms } from "./assert-transfer.js";
import { assertSame, canonical, differs } from "./content-mismatch.js";
import { decodeBase64 } from "./encoding.js";
import type { RawInstruction } from "./inspect/decode-instruction.js";
import type { SettingsChangeAction } from "./inspect/decode-settings-change.js";
import { type ReportedEffect, readEffects } from "./inspect/read-effects.js";
import { readTransaction } from "./inspect/read-transaction.js";
import { deriveAssociatedTokenAddress, token2022ProgramAddress, tokenProgramAddress } from "./program-address.js";
import { instructionsOf, type MessageContent, type ProposalContent, partsOf } from "./proposal-content.js";
import { itemOfAction, itemOfProposed, plainItem, removalsLast } from "./settings-items.js";
import type { SummaryEntry } from "./wire.js";

/**
 * Makes sure that a summary of the service says what was asked for. It compares what the service says with what the
 * caller thinks; whether the service says the truth it cannot know. Throws `TransactionMismatchError` with `content`.
 */

export function assertSummaryIs(summary: readonly SummaryEntry[], content: ProposalContent, account: Address): void {
  switch (content.type) {
    case "transfer":
      assertTransferSummary(summary, { ...content, from: account });
      return;
    case "batch": {
      if ("transfers" in content) {
        assertTransferSummaries(summary, content.transfers, account);
        return;
      }
      assertEffects(summary, partsOf(content).flatMap(effectsOf));
      return;
    }
    case "custom":
      assertEffects(summary, effectsOf(content));
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

function effectsOf(content: MessageContent): readonly ReportedEffect[] {
  if (content.type === "transfer") throw new TypeError("a transfer is compared with its terms");
  return instructionsOf(readTransaction(content.transaction, content.lookupTables)).flatMap(readEffects);
}

/** One after the other: what belongs to a transfer stands in front of it. */
function assertTransferSummaries(
  summary: readonly SummaryEntry[],
  transfers: readonly Omit<TransferTerms, "from">[],
  from: Address,
): void {
  const ends = summary.flatMap(({ type }, at) => (type === "transfer" ? [at + 1] : []));
  const last = ends.at(-1) ?? 0;
  if (ends.length !== transfers.length || last !== summary.length) {
    throw differs("the service says another number of transfers", transfers.length, ends.length);
  }
  for (const [at, terms] of transfers.entries()) {
    assertTransferSummary(summary.slice(ends[at - 1] ?? 0, ends[at]), { ...terms, from });
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

/** Makes sure that a summary says what these instructions do. Throws `TransactionMismatchError`. */

export function assertSummaryReports(summary: readonly SummaryEntry[], instructions: readonly RawInstruction[]): void {
  assertEffects(summary, instructions.flatMap(readEffects));
}

/** Makes sure that a summary says one change of settings, with exactly these actions. Throws `TransactionMismatchError`. */

export function assertSummaryReportsActions(
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

/** Holds a summary against what the bytes say. An instruction that the summary holds as it is is read here, too. */

export function assertEffects(summary: readonly SummaryEntry[], effects: readonly ReportedEffect[]): void {
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
