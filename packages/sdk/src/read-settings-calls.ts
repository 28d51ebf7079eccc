import type { Address } from "@solana/addresses";
import type { DecodedInstruction } from "./inspect/decode-instruction.js";
import { decodeSettingsCall, type SettingsCall, type SettingsChangeAction } from "./inspect/decode-settings-change.js";
import type { DecodedTransaction } from "./inspect/decode-transaction.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";

/** The calls that change settings. Throws `TransactionMismatchError` for a transaction that does anything else too. */

export function readSettingsCalls(transaction: DecodedTransaction): readonly SettingsCall[] {
  const [payment] = transaction.syncCalls;
  if (payment !== undefined) throw unexpected("a call that moves what the account holds");
  const fundings = transaction.otherInstructions.filter((instruction) => instruction.type === "system_transfer");
  const calls = transaction.otherInstructions
    .filter((instruction) => instruction.type !== "system_transfer")
    .map(requireSettingsCall);
  const [first, second] = calls;
  if (first === undefined) {
    throw new TransactionMismatchError("missing_instruction", "the transaction changes nothing");
  }
  if (second !== undefined && calls.some(({ by }) => by === "members")) {
    throw unexpected("a second change by the signers");
  }
  const handsOutRent = calls.some(({ actions }) => actions.some(({ type }) => removals.includes(type)));
  for (const funding of fundings) {
    if (!handsOutRent) throw unexpected(funding.type);
    assertFunding(funding, transaction.feePayer, first.settings);
  }
  if (fundings.length > 1) throw unexpected("a second transfer");
  return calls;
}

const removals: readonly SettingsChangeAction["type"][] = ["remove_spending_limit", "remove_policy"];

/** Rent of the ten signers that an account may have at most, at 6,960 lamports for each of a signer's 33 bytes. */
const largestFundingLamports = 10n * 33n * 6960n;

/**
 * Makes sure that a transfer beside a change of settings is the fee payer's own, and gives the settings no more than the
 * rent of new signers. Throws `TransactionMismatchError`.
 */

export function assertFunding(
  funding: Extract<DecodedInstruction, { type: "system_transfer" }>,
  feePayer: Address | undefined,
  settings: Address | undefined,
): void {
  const { from, to, lamports } = funding;
  if (from === feePayer && to === settings && lamports <= largestFundingLamports) return;
  throw unexpected("system_transfer");
}

function requireSettingsCall(instruction: DecodedInstruction): SettingsCall {
  if (instruction.type !== "unknown") throw unexpected(instruction.type);
  try {
    const call = decodeSettingsCall(instruction);
    if (call !== undefined) return call;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new TransactionMismatchError("unreadable", "a change of settings cannot be read", { cause });
  }
  throw unexpected(`a call of ${instruction.programAddress}`);
}

function unexpected(actual: string): TransactionMismatchError {
  return new TransactionMismatchError("unexpected_instruction", "the transaction holds an instruction too many", {
    actual,
  });
}
