import type { Address } from "@solana/addresses";
import { assertFee, type FeeCaps } from "./assert-transfer.js";
import { unexpectedInstruction } from "./content-mismatch.js";
import type { DecodedInstruction } from "./inspect/decode-instruction.js";
import { decodeProposalCall } from "./inspect/decode-proposal-call.js";
import type { DecodedTransaction } from "./inspect/decode-transaction.js";
import type { LookupTables } from "./inspect/decode-wrapped-message.js";
import type { ProposalCall } from "./inspect/proposal-call.js";
import { deriveProposalAddress, deriveSmartAccountAddress, deriveTransactionAddress } from "./program-address.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";

/** Which proposal a transaction is about, and who pays for it. */
export type ExpectedProposal = FeeCaps & {
  /** The smart account (vault). */
  readonly account: Address;
  readonly proposal: Address;
  /** As the service reports it; with the account it has to lead to `proposal`. */
  readonly transactionIndex: bigint | number;
  /** The settings account, when the caller knows it; it is proven by derivation in any case. */
  readonly settings?: Address;
  /** The only address that may pay the fee; absent: any, except the account itself and those who sign for it. */
  readonly feePayer?: Address;
};

/** Further demands on a transaction about a proposal; see `ExpectedProposal`. */
export type ProposalLimits = FeeCaps & Pick<ExpectedProposal, "settings" | "feePayer">;

/** The instructions of a transaction about a proposal. */
export type ProposalCalls = {
  /** In order. */
  readonly calls: readonly ProposalCall[];
  /** What stands beside them: transfers and new token accounts of the fee payer's. */
  readonly others: readonly DecodedInstruction[];
};

/** Reads them. Throws `TransactionMismatchError` for a synchronous call of the program, and for what cannot be read. */
export function readProposalCalls(transaction: DecodedTransaction, lookupTables: LookupTables = {}): ProposalCalls {
  if (transaction.syncCalls.length > 0) {
    throw new TransactionMismatchError("unexpected_instruction", "the account acts at once, without a vote");
  }
  const calls: ProposalCall[] = [];
  const others: DecodedInstruction[] = [];
  for (const instruction of transaction.otherInstructions) {
    const call = instruction.type === "unknown" ? readCall(instruction, lookupTables) : undefined;
    if (call !== undefined) calls.push(call);
    else if (instruction.type === "unknown") throw unexpectedInstruction(instruction);
    else others.push(instruction);
  }
  return { calls, others };
}

function readCall(instruction: DecodedInstruction & { type: "unknown" }, lookupTables: LookupTables) {
  try {
    return decodeProposalCall(instruction, lookupTables);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new TransactionMismatchError("unreadable", "a call of the program cannot be read", { cause });
  }
}

/** Makes sure that calls are about this account and, as far as they name them, this proposal and its transaction. */
export function assertTargets(calls: readonly ProposalCall[], expected: ExpectedProposal): void {
  for (const settings of new Set(calls.map((call) => call.settings))) {
    assertSettings(settings, expected);
    const own = calls.filter((call) => call.settings === settings);
    assertAddresses(own, settings, expected);
  }
}

function assertSettings(settings: Address, expected: ExpectedProposal): void {
  if (expected.settings !== undefined && settings !== expected.settings) {
    throw new TransactionMismatchError("settings_account", "another settings account is used", {
      expected: expected.settings,
      actual: settings,
    });
  }
  const account = deriveSmartAccountAddress(settings);
  if (account !== expected.account) {
    throw new TransactionMismatchError("settings_account", "the settings account does not belong to the account", {
      expected: expected.account,
      actual: account,
    });
  }
}

function assertAddresses(calls: readonly ProposalCall[], settings: Address, expected: ExpectedProposal): void {
  const index = BigInt(expected.transactionIndex);
  const proposal = deriveProposalAddress(settings, index);
  const transaction = deriveTransactionAddress(settings, index);
  if (proposal !== expected.proposal) {
    throw new TransactionMismatchError("proposal", "the transaction index does not lead to the proposal", {
      expected: expected.proposal,
      actual: proposal,
    });
  }
  for (const call of calls) {
    if ("proposal" in call && call.proposal !== proposal) {
      throw new TransactionMismatchError("proposal", "a call is about another proposal", {
        expected: proposal,
        actual: call.proposal,
      });
    }
    if ("transaction" in call && call.transaction !== transaction) {
      throw new TransactionMismatchError("proposal", "a call is about another transaction", {
        expected: transaction,
        actual: call.transaction,
      });
    }
  }
}

/** Makes sure that these members sign, and no other key but the fee payer, which is neither of them nor the account. */
export function assertWhoSigns(
  transaction: DecodedTransaction,
  members: ReadonlySet<Address>,
  expected: ExpectedProposal,
): void {
  const { feePayer, requiredSigners } = transaction;
  if (expected.feePayer !== undefined && feePayer !== expected.feePayer) {
    throw new TransactionMismatchError("fee_payer", "another address pays the fee", {
      expected: expected.feePayer,
      actual: feePayer,
    });
  }
  if (expected.feePayer === undefined && (feePayer === expected.account || members.has(feePayer))) {
    throw new TransactionMismatchError("fee_payer", "the fee is charged to the account or one who signs for it", {
      actual: feePayer,
    });
  }
  const stranger = requiredSigners.find((signer) => signer !== feePayer && !members.has(signer));
  if (stranger !== undefined) {
    throw new TransactionMismatchError("signers", "another address has to sign", { actual: stranger });
  }
  const silent = [...members].find((member) => !requiredSigners.includes(member));
  if (silent !== undefined) {
    throw new TransactionMismatchError("signers", "an address is named that does not sign", { actual: silent });
  }
  assertFee(transaction, expected);
}

/** Makes sure that rent is paid by the fee payer, who then gets it back. */
export function assertRentPayer(rentPayer: Address | null, feePayer: Address): void {
  if (rentPayer === null || rentPayer === feePayer) return;
  throw new TransactionMismatchError("fee_payer", "another address pays or receives rent", {
    expected: feePayer,
    actual: rentPayer,
  });
}

/** The member who answers for a call. */
export function memberOf(call: ProposalCall): Address {
  return "creator" in call ? call.creator : call.signer;
}
