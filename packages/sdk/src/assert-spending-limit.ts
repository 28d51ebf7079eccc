import type { Address } from "@solana/addresses";
import { assertSettingsFrame, type ExpectedSettingsFrame } from "./assert-settings-change.js";
import { assertFee, assertTokenAccountCreation, type FeeCaps } from "./assert-transfer.js";
import type { AssociatedTokenCreation, DecodedInstruction } from "./inspect/decode-instruction.js";
import { decodeSpendingLimitUse, type SpendingLimitUse } from "./inspect/decode-limit-use.js";
import type { SettingsChangeAction } from "./inspect/decode-settings-change.js";
import type { DecodedTransaction } from "./inspect/decode-transaction.js";
import {
  deriveAssociatedTokenAddress,
  deriveSmartAccountAddress,
  token2022ProgramAddress,
  tokenProgramAddress,
} from "./program-address.js";
import { readSettingsCalls } from "./read-settings-calls.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { SpendingLimitPeriod } from "./wire.js";

/** What a spending limit is to allow. */
export type SpendingLimitTerms = {
  /** Null is SOL. */
  readonly mint: Address | null;
  /** Base units per period. */
  readonly amount: bigint;
  readonly period: SpendingLimitPeriod;
  /** Who may use it; in any order. */
  readonly signers: readonly string[];
  /** Owners that may be paid; empty: anybody. */
  readonly destinations: readonly string[];
  /** Unix seconds; null: never. */
  readonly expiration: number | null;
};

/** The change of spending limits the caller asked for, and what may surround it. */
export type ExpectedLimitChange = ExpectedSettingsFrame & {
  /** The limit that is made, at this address. */
  readonly add?: SpendingLimitTerms & { readonly spendingLimit: Address };
  /** The limit that is removed. */
  readonly remove?: Address;
};

/**
 * Makes sure that signing a transaction makes this limit, removes that one, or does both, and does nothing else; returns
 * those who sign for it. Throws `TransactionMismatchError`.
 *
 * The rent of a new limit may be paid, and that of a removed one received, by the fee payer or by one who signs.
 */
export function assertLimitChangeMatches(
  transaction: DecodedTransaction,
  expected: ExpectedLimitChange,
): readonly Address[] {
  const calls = readSettingsCalls(transaction);
  assertSettingsFrame(transaction, calls, expected, { signersMayPayRent: true });
  assertFee(transaction, expected);
  const actions = calls.flatMap((call) => call.actions);
  const wanted = [
    ...(expected.add === undefined ? [] : ["add_spending_limit"]),
    ...(expected.remove === undefined ? [] : ["remove_spending_limit"]),
  ];
  assertEqual("other changes are made", wanted.join(), actions.map(({ type }) => type).join());
  for (const action of actions) {
    if (action.type === "add_spending_limit" && expected.add !== undefined) assertTerms(action, expected.add);
    if (action.type === "remove_spending_limit") {
      assertEqual("another spending limit is removed", expected.remove, action.spendingLimit);
    }
  }
  return [...new Set(calls.flatMap(({ signers }) => signers))];
}

function assertTerms(
  action: Extract<SettingsChangeAction, { type: "add_spending_limit" }>,
  wanted: NonNullable<ExpectedLimitChange["add"]>,
): void {
  if (action.accountIndex !== 0) {
    throw new TransactionMismatchError("vault_index", "a spending limit is granted on another vault", {
      expected: 0,
      actual: action.accountIndex,
    });
  }
  const sorted = (addresses: readonly string[]) => [...addresses].sort().join();
  assertEqual("the spending limit has another address", wanted.spendingLimit, action.spendingLimit);
  assertEqual("the spending limit is of another mint", wanted.mint ?? "SOL", action.mint ?? "SOL");
  assertEqual("the spending limit allows another amount", wanted.amount, action.amount);
  assertEqual("the spending limit has another period", wanted.period, action.period);
  assertEqual("others may use the spending limit", sorted(wanted.signers), sorted(action.signers));
  assertEqual("the spending limit lets others be paid", sorted(wanted.destinations), sorted(action.destinations));
  const end = wanted.expiration === null ? "never" : BigInt(wanted.expiration);
  assertEqual("the spending limit ends at another time", end, action.expiration ?? "never");
}

function assertEqual(message: string, expected: unknown, actual: unknown): void {
  if (expected === actual) return;
  throw new TransactionMismatchError("settings_change", message, { expected, actual });
}

/** The payment out of a limit the caller asked for, and what may surround it. */
export type ExpectedLimitPayment = FeeCaps & {
  /** The smart account (vault) the money leaves. */
  readonly account: Address;
  readonly spendingLimit: Address;
  /** Who pays by it, and alone signs. */
  readonly signer: Address;
  /** The owner who is paid. */
  readonly to: Address;
  /** Null is SOL. */
  readonly mint: Address | null;
  /** Base units. */
  readonly amount: bigint;
  /** Decimals of the mint, when the caller knows them. */
  readonly decimals?: number;
  /** The settings account, when the caller knows it; it is proven by derivation in any case. */
  readonly settings?: Address;
  /** The only address that may pay the fee; absent: any, except the account itself and the signer. */
  readonly feePayer?: Address;
};

/**
 * Makes sure that signing a transaction makes exactly this payment out of this limit, and nothing else. Throws
 * `TransactionMismatchError`.
 *
 * Accepted beside it: compute-budget settings within the caps, and the creation of exactly the recipient's associated
 * token account in front, paid by the fee payer or the signer.
 */
export function assertLimitPaymentMatches(transaction: DecodedTransaction, expected: ExpectedLimitPayment): void {
  if (transaction.syncCalls.length > 0) {
    throw new TransactionMismatchError("unexpected_instruction", "the account acts at once, without the limit");
  }
  const instructions = [...transaction.otherInstructions];
  const use = readUse(instructions.pop());
  assertUse(use, expected);
  const creations = instructions.map(requireCreation);
  if (creations.length > 1) {
    throw new TransactionMismatchError("token_account_creation", "the transaction creates more than one token account");
  }
  for (const creation of creations) {
    const terms = { from: expected.account, to: expected.to, mint: expected.mint, amount: expected.amount };
    const payers = [transaction.feePayer, expected.signer];
    assertTokenAccountCreation(creation, terms, use.token?.tokenProgram ?? null, payers);
  }
  assertWhoSigns(transaction, expected);
  assertFee(transaction, expected);
}

function readUse(instruction: DecodedInstruction | undefined): SpendingLimitUse {
  if (instruction === undefined) {
    throw new TransactionMismatchError("missing_instruction", "the transaction pays nothing");
  }
  if (instruction.type !== "unknown") throw unexpected(instruction);
  try {
    const use = decodeSpendingLimitUse(instruction);
    if (use !== undefined) return use;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new TransactionMismatchError("unreadable", "a payment out of a spending limit cannot be read", { cause });
  }
  throw unexpected(instruction);
}

function requireCreation(instruction: DecodedInstruction): AssociatedTokenCreation {
  if (instruction.type === "create_associated_token_account") return instruction;
  throw unexpected(instruction);
}

function unexpected(instruction: DecodedInstruction): TransactionMismatchError {
  const what = instruction.type === "unknown" ? `a call of ${instruction.programAddress}` : instruction.type;
  return new TransactionMismatchError("unexpected_instruction", "the transaction holds an instruction too many", {
    actual: what,
  });
}

const solDecimals = 9;

function assertUse(use: SpendingLimitUse, expected: ExpectedLimitPayment): void {
  const settingsAccount = deriveSmartAccountAddress(use.settings);
  if (settingsAccount !== expected.account || (expected.settings ?? use.settings) !== use.settings) {
    throw new TransactionMismatchError("settings_account", "the settings account does not belong to the account", {
      expected: expected.account,
      actual: settingsAccount,
    });
  }
  assertSame("source", "the money leaves another address", expected.account, use.from);
  assertSame("authority", "another spending limit is used", expected.spendingLimit, use.spendingLimit);
  assertSame("signers", "another address pays by the limit", expected.signer, use.signer);
  assertSame("destination", "the money goes to another address", expected.to, use.to);
  assertSame("amount", "another amount is paid", expected.amount, use.amount);
  assertSame("mint", "another currency is paid", expected.mint ?? "SOL", use.token?.mint ?? "SOL");
  if (expected.decimals !== undefined) {
    assertSame("decimals", "the token has other decimals", expected.decimals, use.decimals);
  }
  if (use.token === null) {
    assertSame("decimals", "SOL has other decimals", solDecimals, use.decimals);
    return;
  }
  const { mint, tokenProgram, source, destination } = use.token;
  if (tokenProgram !== tokenProgramAddress && tokenProgram !== token2022ProgramAddress) {
    throw new TransactionMismatchError("mint", "another program moves the tokens", { actual: tokenProgram });
  }
  const own = deriveAssociatedTokenAddress(expected.account, mint, tokenProgram);
  const theirs = deriveAssociatedTokenAddress(expected.to, mint, tokenProgram);
  assertSame("source", "the money leaves another token account", own, source);
  assertSame("destination", "the money goes to another token account", theirs, destination);
}

function assertWhoSigns(transaction: DecodedTransaction, { account, signer, ...expected }: ExpectedLimitPayment): void {
  const { feePayer, requiredSigners } = transaction;
  if (expected.feePayer !== undefined)
    assertSame("fee_payer", "another address pays the fee", expected.feePayer, feePayer);
  else if (feePayer === account || feePayer === signer) {
    throw new TransactionMismatchError("fee_payer", "the fee is charged to the account or the signer", {
      actual: feePayer,
    });
  }
  const stranger = requiredSigners.find((address) => address !== feePayer && address !== signer);
  if (stranger !== undefined) {
    throw new TransactionMismatchError("signers", "another address has to sign", { actual: stranger });
  }
  if (!requiredSigners.includes(signer)) {
    throw new TransactionMismatchError("signers", "the limit's signer does not sign", { actual: signer });
  }
}

function assertSame(
  difference: ConstructorParameters<typeof TransactionMismatchError>[0],
  message: string,
  expected: string | bigint | number,
  actual: string | bigint | number,
): void {
  if (expected !== actual) throw new TransactionMismatchError(difference, message, { expected, actual });
}
