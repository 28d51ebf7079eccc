import type { Address } from "@solana/addresses";
import { assertBaseUnits } from "./base-units.js";
import type {
  AssociatedTokenCreation,
  DecodedInstruction,
  Memo,
  TokenTransferChecked,
} from "./inspect/decode-instruction.js";
import type { SyncCall } from "./inspect/decode-sync-call.js";
import type { DecodedTransaction } from "./inspect/decode-transaction.js";
import { deriveAssociatedTokenAddress, memoProgramAddress } from "./program-address.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";

/** Lamports the chain takes for each signature. */
const lamportsPerSignature = 5_000n;
/** What a transaction may use at most, and gets priced at when it names no limit. */
const largestUnitLimit = 1_400_000;
const microLamportsPerLamport = 1_000_000n;

const defaultMaxUnitPriceMicroLamports = 5_000_000n;
const defaultMaxFeeLamports = 10_000_000n;

/** What a transaction may cost. */
export type FeeCaps = {
  /** Micro-lamports per compute unit, default 5,000,000. */
  readonly maxUnitPriceMicroLamports?: bigint;
  /** Signature and priority fee together, default 10,000,000 (0.01 SOL). */
  readonly maxFeeLamports?: bigint;
};

/** The transfer the caller asked for, and what may surround it. */
export type ExpectedTransfer = FeeCaps & {
  /** The smart account (vault) the money leaves. */
  readonly from: Address;
  /** The recipient: an owner, or the token account itself when `toIsTokenAccount` is set. */
  readonly to: Address;
  /** Null is SOL. */
  readonly mint: Address | null;
  /** Base units: lamports, or the smallest unit of the mint. */
  readonly amount: bigint;
  /** Decimals of the mint, when the caller knows them. */
  readonly decimals?: number;
  /** The settings account, when the caller knows it; it is proven by derivation in any case. */
  readonly settings?: Address;
  /** `to` is a token account and is paid as it is; no account may be created. */
  readonly toIsTokenAccount?: boolean;
  /** What the payee is to read with it, exactly. Absent: there may be no memo. */
  readonly memo?: string;
  /** The only address that may pay the fee; absent: any, except the account itself and its members. */
  readonly feePayer?: Address;
};

/**
 * Makes sure that signing a transaction does the transfer the caller asked for and nothing else. Throws
 * `TransactionMismatchError`, whose `difference` names the first thing that differs.
 *
 * Accepted: compute-budget settings within the caps; one `execute_transaction_sync_v2` on vault 0 of the settings
 * account from which `from` derives; in it exactly one transfer of exactly `amount`; the creation of exactly the
 * recipient's associated token account, inside (paid by the account or the fee payer) or outside (paid by the fee
 * payer); exactly the `memo` that was asked for, once, inside or outside, with no signature of its own. Everything else is refused, also what would be harmless.
 *
 * @example
 * assertTransferMatches(decodeTransaction(prepared.transaction), { from, to, mint: usdc, amount: 5_000_000n });
 */
export function assertTransferMatches(transaction: DecodedTransaction, expected: ExpectedTransfer): void {
  const call = soleSyncCall(transaction, expected);
  assertParticipants(transaction, call, expected);
  assertFee(transaction, expected);
  assertTransferInstructions(transaction.otherInstructions, call.instructions, expected, {
    outside: [transaction.feePayer],
    inside: [transaction.feePayer, expected.from],
  });
}

/** The transfer alone, without what surrounds it. */
export type TransferTerms = Pick<
  ExpectedTransfer,
  "from" | "to" | "mint" | "amount" | "decimals" | "toIsTokenAccount" | "memo"
>;

/**
 * Makes sure that the instructions which `from` is to execute are one transfer as asked for, and that beside it nothing
 * happens but the creation of the recipient's token account, by one of the payers. Throws `TransactionMismatchError`,
 * and a `TypeError` when the expected amount is not a bigint.
 */
export function assertTransferInstructions(
  outside: readonly DecodedInstruction[],
  inside: readonly DecodedInstruction[],
  expected: TransferTerms,
  payers: { readonly outside: readonly Address[]; readonly inside: readonly Address[] },
): void {
  assertBaseUnits(expected.amount);
  assertMemo([...outside, ...inside].filter(isMemo), expected.memo);
  const creationsOutside = outside.filter((instruction) => !isMemo(instruction)).map(requireTokenAccountCreation);
  const creationsInside = inside.filter(isTokenAccountCreation);
  const [transfer, ...further] = inside.filter(
    (instruction) => !isTokenAccountCreation(instruction) && !isMemo(instruction),
  );
  if (transfer === undefined)
    throw new TransactionMismatchError("missing_instruction", "the transaction transfers nothing");
  const [extra] = further;
  if (extra !== undefined) throw unexpected(extra);
  const tokenProgram = assertTransfer(transfer, expected);
  if (creationsOutside.length + creationsInside.length > 1) {
    throw new TransactionMismatchError("token_account_creation", "the transaction creates more than one token account");
  }
  for (const creation of creationsOutside) assertTokenAccountCreation(creation, expected, tokenProgram, payers.outside);
  for (const creation of creationsInside) assertTokenAccountCreation(creation, expected, tokenProgram, payers.inside);
  if (creationsInside.length > 0 && inside.find((instruction) => !isMemo(instruction)) === transfer) {
    throw new TransactionMismatchError("token_account_creation", "the token account is created after the transfer");
  }
}

/** The memo that was asked for, once; none where none was. */
function assertMemo(memos: readonly Memo[], expected: string | undefined): void {
  const [memo, second] = memos;
  if (memo === undefined) {
    if (expected === undefined) return;
    throw new TransactionMismatchError("memo", "the transaction has no memo", { expected });
  }
  if (second !== undefined) {
    throw new TransactionMismatchError("memo", "the transaction has more than one memo", { actual: second.text });
  }
  if (expected === undefined) {
    throw new TransactionMismatchError("memo", "the transaction has a memo that was not asked for", {
      actual: memo.text,
    });
  }
  assertSame("memo", "the memo is another one", expected, memo.text);
  const [signer] = memo.accounts;
  if (signer !== undefined || memo.programAddress !== memoProgramAddress) {
    throw new TransactionMismatchError("memo", "the memo is written in another way", {
      actual: signer ?? memo.programAddress,
    });
  }
}

const isMemo = (instruction: DecodedInstruction): instruction is Memo => instruction.type === "memo";

function soleSyncCall(transaction: DecodedTransaction, expected: ExpectedTransfer): SyncCall {
  const [call, second] = transaction.syncCalls;
  if (call === undefined) {
    throw new TransactionMismatchError(
      "missing_instruction",
      "the transaction does not call the smart account program",
    );
  }
  if (second !== undefined) {
    throw new TransactionMismatchError(
      "unexpected_instruction",
      "the transaction calls the smart account program twice",
    );
  }
  if (expected.settings !== undefined && call.settings !== expected.settings) {
    throw new TransactionMismatchError("settings_account", "another settings account is used", {
      expected: expected.settings,
      actual: call.settings,
    });
  }
  if (call.accountIndex !== 0) {
    throw new TransactionMismatchError("vault_index", "another vault acts", { expected: 0, actual: call.accountIndex });
  }
  if (call.vault !== expected.from) {
    throw new TransactionMismatchError("settings_account", "the settings account does not belong to the account", {
      expected: expected.from,
      actual: call.vault,
    });
  }
  return call;
}

function assertParticipants(transaction: DecodedTransaction, call: SyncCall, expected: ExpectedTransfer): void {
  const { feePayer } = transaction;
  if (expected.feePayer !== undefined) {
    if (feePayer !== expected.feePayer) {
      throw new TransactionMismatchError("fee_payer", "another address pays the fee", {
        expected: expected.feePayer,
        actual: feePayer,
      });
    }
  } else if (feePayer === call.vault || call.members.includes(feePayer)) {
    throw new TransactionMismatchError("fee_payer", "the fee is charged to the account or one of its members", {
      actual: feePayer,
    });
  }
  if (call.members.length === 0) throw new TransactionMismatchError("signers", "no member is named");
  const known = new Set<Address>([feePayer, ...call.members]);
  const stranger = transaction.requiredSigners.find((signer) => !known.has(signer));
  if (stranger !== undefined) {
    throw new TransactionMismatchError("signers", "another address has to sign", { actual: stranger });
  }
  const silent = call.members.find((member) => !transaction.requiredSigners.includes(member));
  if (silent !== undefined) {
    throw new TransactionMismatchError("signers", "a member is named that does not sign", { actual: silent });
  }
}

/** Makes sure that the fee stays below the caps. Throws `TransactionMismatchError`. */
export function assertFee(transaction: DecodedTransaction, expected: FeeCaps): void {
  const { unitLimit = largestUnitLimit, unitPriceMicroLamports = 0n } = transaction.computeBudget;
  const maxPrice = expected.maxUnitPriceMicroLamports ?? defaultMaxUnitPriceMicroLamports;
  if (unitPriceMicroLamports > maxPrice) {
    throw new TransactionMismatchError("compute_budget", "the price of a compute unit is above the cap", {
      expected: `at most ${maxPrice}`,
      actual: unitPriceMicroLamports,
    });
  }
  const priorityMicroLamports = unitPriceMicroLamports * BigInt(unitLimit);
  const priorityLamports = (priorityMicroLamports + microLamportsPerLamport - 1n) / microLamportsPerLamport;
  const fee = lamportsPerSignature * BigInt(transaction.requiredSigners.length) + priorityLamports;
  const maxFee = expected.maxFeeLamports ?? defaultMaxFeeLamports;
  if (fee > maxFee) {
    throw new TransactionMismatchError("fee", "the fee is above the cap", {
      expected: `at most ${maxFee}`,
      actual: fee,
    });
  }
}

function isTokenAccountCreation(instruction: DecodedInstruction): instruction is AssociatedTokenCreation {
  return instruction.type === "create_associated_token_account";
}

function requireTokenAccountCreation(instruction: DecodedInstruction): AssociatedTokenCreation {
  if (!isTokenAccountCreation(instruction)) throw unexpected(instruction);
  return instruction;
}

function unexpected(instruction: DecodedInstruction): TransactionMismatchError {
  const what = instruction.type === "unknown" ? `a call of ${instruction.programAddress}` : instruction.type;
  return new TransactionMismatchError("unexpected_instruction", "the transaction holds an instruction too many", {
    actual: what,
  });
}

/** Checks the one transfer; gives the token program it goes through, or null for SOL. */
function assertTransfer(transfer: DecodedInstruction, expected: TransferTerms): Address | null {
  if (transfer.type !== "system_transfer" && transfer.type !== "token_transfer_checked") throw unexpected(transfer);
  if (transfer.type === "system_transfer") {
    if (expected.mint !== null) {
      throw new TransactionMismatchError("mint", "SOL is transferred", { expected: expected.mint, actual: "SOL" });
    }
    assertSame("source", "the money leaves another address", expected.from, transfer.from);
    assertSame("destination", "the money goes to another address", expected.to, transfer.to);
    assertSame("amount", "another amount is transferred", expected.amount, transfer.lamports);
    return null;
  }
  if (expected.mint === null) {
    throw new TransactionMismatchError("mint", "a token is transferred", { expected: "SOL", actual: transfer.mint });
  }
  assertTokenTransfer(transfer, expected, expected.mint);
  return transfer.tokenProgram;
}

function assertTokenTransfer(transfer: TokenTransferChecked, expected: TransferTerms, mint: Address): void {
  assertSame("mint", "another token is transferred", mint, transfer.mint);
  const source = deriveAssociatedTokenAddress(expected.from, mint, transfer.tokenProgram);
  assertSame("source", "the money leaves another token account", source, transfer.source);
  assertSame("authority", "another address moves the tokens", expected.from, transfer.authority);
  const destination =
    expected.toIsTokenAccount === true
      ? expected.to
      : deriveAssociatedTokenAddress(expected.to, mint, transfer.tokenProgram);
  assertSame("destination", "the money goes to another token account", destination, transfer.destination);
  assertSame("amount", "another amount is transferred", expected.amount, transfer.amount);
  if (expected.decimals !== undefined) {
    assertSame("decimals", "the token has other decimals", expected.decimals, transfer.decimals);
  }
}

/** Makes sure that a token account is the one a transfer needs, at one of the payers' expense. */
export function assertTokenAccountCreation(
  creation: AssociatedTokenCreation,
  expected: TransferTerms,
  tokenProgram: Address | null,
  payers: readonly Address[],
): void {
  if (expected.mint === null || tokenProgram === null || expected.toIsTokenAccount === true) throw unexpected(creation);
  const what = "token_account_creation";
  assertSame(what, "a token account is created for another owner", expected.to, creation.owner);
  assertSame(what, "a token account of another mint is created", expected.mint, creation.mint);
  assertSame(what, "a token account of another program is created", tokenProgram, creation.tokenProgram);
  const associatedToken = deriveAssociatedTokenAddress(creation.owner, creation.mint, creation.tokenProgram);
  assertSame(what, "another token account is created", associatedToken, creation.associatedToken);
  if (!payers.includes(creation.payer)) {
    throw new TransactionMismatchError(what, "another address pays for the token account", {
      expected: payers.join(" or "),
      actual: creation.payer,
    });
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
