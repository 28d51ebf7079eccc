import type { Address } from "@solana/addresses";
import { assertActionsReach, type ExpectedPolicy } from "./assert-settings-change.js";
import { assertTransferInstructions, type ExpectedTransfer } from "./assert-transfer.js";
import { assertSame, canonical, differs, unexpectedInstruction } from "./content-mismatch.js";
import { encodeBase64 } from "./encoding.js";
import { type DecodedInstruction, decodeInstruction, type RawInstruction } from "./inspect/decode-instruction.js";
import type { SettingsChangeAction } from "./inspect/decode-settings-change.js";
import type { LookupTables, WrappedMessage } from "./inspect/decode-wrapped-message.js";
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
import { itemOfAction, itemOfProposed, removalsLast } from "./settings-items.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { ProposedAction } from "./wire.js";

/** What a proposal is to do once it is approved and executed. */
export type ProposalContent =
  | TransferContent
  /** Exactly these changes of the settings, in this order. */
  | { readonly type: "settings"; readonly actions: readonly ProposedAction[] }
  /** Whatever changes lead to this policy; see `accounts.update`. */
  | ({ readonly type: "policy" } & ExpectedPolicy)
  /** The caller's own instructions; `lookupTables` where the transaction uses some. */
  | CustomContent
  /** Several transactions, voted on together and executed one after the other. */
  | BatchContent;

type TransferContent = { readonly type: "transfer" } & Pick<
  ExpectedTransfer,
  "to" | "mint" | "amount" | "decimals" | "toIsTokenAccount" | "memo"
>;

type CustomContent = {
  readonly type: "custom";
  readonly transaction: string;
  readonly lookupTables?: LookupTables;
};

export type BatchContent =
  | { readonly type: "batch"; readonly transactions: readonly string[]; readonly lookupTables?: LookupTables }
  /** Of transfers, which the service composes. */
  | { readonly type: "batch"; readonly transfers: readonly TransferContent[] };

/** A batch's transactions, each as a content of its own. */
export function partsOf(content: BatchContent): readonly MessageContent[] {
  if ("transfers" in content) return content.transfers;
  const { transactions, lookupTables } = content;
  return transactions.map((transaction) => ({
    type: "custom",
    transaction,
    ...(lookupTables === undefined ? {} : { lookupTables }),
  }));
}

/** The same batch with its first transactions alone. */
export function beginningOf(content: BatchContent, size: number): BatchContent {
  return "transfers" in content
    ? { ...content, transfers: content.transfers.slice(0, size) }
    : { ...content, transactions: content.transactions.slice(0, size) };
}

/** The lookup tables that a caller's own transactions use. */
export function tablesOf(content: ProposalContent): LookupTables | undefined {
  return "lookupTables" in content ? content.lookupTables : undefined;
}

/** A content that consists of instructions. */
export type MessageContent = Extract<ProposalContent, { type: "transfer" | "custom" }>;

export function isMessageContent(content: ProposalContent): content is MessageContent {
  return content.type === "transfer" || content.type === "custom";
}

/**
 * Makes sure that a message which `account` is to execute does exactly what was asked for, with no signature but
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
  if (signer !== undefined) throw differs("another address has to sign inside", undefined, signer);
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
export function instructionsOf(transaction: RawTransaction): readonly RawInstruction[] {
  return transaction.instructions.filter(({ programAddress }) => programAddress !== computeBudgetProgramAddress);
}

function namedIn({ programAddress, accounts }: RawInstruction): readonly Address[] {
  return [programAddress, ...accounts];
}

function canonicalInstruction({ programAddress, accounts, data }: RawInstruction): string {
  return canonical({ program: programAddress, accounts, data: encodeBase64(data) });
}
