import type { Address } from "@solana/addresses";
import { assertBatchIsMade } from "./assert-batch.js";
import { assembleFromBuffer, usesBuffer } from "./assert-buffer.js";
import { unexpectedInstruction } from "./content-mismatch.js";
import type { ExpectedProposalCreation } from "./expected-proposal-creation.js";
import type { DecodedTransaction } from "./inspect/decode-transaction.js";
import type {
  CreateProposalCall,
  CreateSettingsTransactionCall,
  CreateTransactionCall,
  ProposalCall,
} from "./inspect/proposal-call.js";
import { assertActionsAre, assertMessageIs, tablesOf } from "./proposal-content.js";
import { assertRentPayer, assertTargets, assertWhoSigns, memberOf, readProposalCalls } from "./proposal-frame.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";

/**
 * Makes sure that signing these transactions puts to a vote exactly what the caller asked for, under the announced
 * address and index, and does nothing else. Throws `TransactionMismatchError`.
 *
 * Accepted, in this order: the content written down for vault 0 of the account, without throw-away signers; the vote on
 * it opened, not as a draft; approvals. Rent is paid by the fee payer. Beside them only the recipient's token account
 * may be created, by the fee payer. A batch is begun as a draft, filled with exactly these transactions in this order, and
 * then opened; of one that was begun earlier, the rest is put in. What does not fit one transaction is put together in a buffer of the creator's first (gap 110): its parts
 * add up to the message, and what the message says is checked like any other.
 *
 * @example
 * assertProposalCreationMatches([decodeTransaction(prepared.transactions[0])], {
 *   account, proposal, transactionIndex: 7, creators: [creator], content: { type: "transfer", to, mint, amount: 5_000_000n },
 * });
 */
export function assertProposalCreationMatches(
  transactions: readonly DecodedTransaction[],
  expected: ExpectedProposalCreation,
): void {
  const { content } = expected;
  const read = transactions.map((transaction) => readProposalCalls(transaction, tablesOf(content)));
  const others = read.flatMap((part) => part.others);
  const all = read.flatMap(({ calls }) => calls);
  if (content.type === "batch") {
    const [further] = others;
    if (further !== undefined) throw unexpectedInstruction(further);
    assertApprovals(assertBatchIsMade(all, content, expected), expected);
  } else {
    const { heldAccounts, account, transactionIndex } = expected;
    const held = heldAccounts && { accounts: heldAccounts, account, transactionIndex, content };
    const [written, opened, ...approvals] = usesBuffer(all)
      ? assembleFromBuffer(all, expected.bufferMessage, tablesOf(content) ?? {}, held)
      : all;
    const creator = assertWritten(written, others, transactions, expected);
    assertOpened(opened, creator, expected);
    assertApprovals(approvals, expected);
  }
  assertTargets(
    read.flatMap(({ calls }) => calls),
    expected,
  );
  for (const [at, transaction] of transactions.entries()) {
    const calls = read[at]?.calls ?? [];
    if (calls.length === 0) throw new TransactionMismatchError("missing_instruction", "a transaction does nothing");
    for (const call of calls) {
      // A buffer's rent goes to its creator, who may pay it.
      if (call.type === "create_buffer" && call.rentPayer === call.creator) continue;
      if ("rentPayer" in call) assertRentPayer(call.rentPayer, transaction.feePayer);
    }
    assertWhoSigns(transaction, new Set(calls.map(memberOf)), expected);
  }
}

function assertWritten(
  call: ProposalCall | undefined,
  others: Parameters<typeof assertMessageIs>[3],
  transactions: readonly DecodedTransaction[],
  expected: ExpectedProposalCreation,
): Address {
  const { content, account } = expected;
  if (!isWritten(call)) {
    throw new TransactionMismatchError("missing_instruction", "nothing is written down to be voted on", {
      actual: call?.type,
    });
  }
  if (!expected.creators.includes(call.creator)) {
    throw new TransactionMismatchError("signers", "another address proposes", {
      expected: expected.creators.join(" or "),
      actual: call.creator,
    });
  }
  if (call.type === "create_settings_transaction") {
    const [further] = others;
    if (further !== undefined) throw unexpectedInstruction(further);
    assertActionsAre(call.actions, content);
    return call.creator;
  }
  if (call.accountIndex !== 0) {
    throw new TransactionMismatchError("vault_index", "another vault acts", { expected: 0, actual: call.accountIndex });
  }
  if (call.ephemeralSigners !== 0) {
    throw new TransactionMismatchError("signers", "throw-away signers are added", { actual: call.ephemeralSigners });
  }
  const payers = [...new Set(transactions.map(({ feePayer }) => feePayer))];
  assertMessageIs(call.message, content, account, others, payers);
  return call.creator;
}

function isWritten(call: ProposalCall | undefined): call is CreateTransactionCall | CreateSettingsTransactionCall {
  return call?.type === "create_transaction" || call?.type === "create_settings_transaction";
}

function assertOpened(call: ProposalCall | undefined, creator: Address, expected: ExpectedProposalCreation): void {
  if (call?.type !== "create_proposal") {
    throw new TransactionMismatchError("missing_instruction", "no vote is opened", { actual: call?.type });
  }
  assertVoteOpening(call, creator, BigInt(expected.transactionIndex));
}

function assertVoteOpening(call: CreateProposalCall, creator: Address, transactionIndex: bigint): void {
  if (call.transactionIndex !== transactionIndex) {
    throw new TransactionMismatchError("proposal", "the vote is opened on another transaction", {
      expected: transactionIndex,
      actual: call.transactionIndex,
    });
  }
  if (call.isDraft) throw new TransactionMismatchError("proposal", "a draft is made, on which no vote is possible");
  if (call.creator !== creator) {
    throw new TransactionMismatchError("signers", "another address opens the vote", {
      expected: creator,
      actual: call.creator,
    });
  }
}

function assertApprovals(calls: readonly ProposalCall[], expected: ExpectedProposalCreation): void {
  const left = new Set(expected.approvers ?? []);
  const missing = new Set(expected.mustApprove ?? []);
  for (const call of calls) {
    if (call.type !== "vote" || call.action !== "approve") {
      throw new TransactionMismatchError("unexpected_instruction", "the transaction holds an instruction too many", {
        actual: call.type === "vote" ? call.action : call.type,
      });
    }
    if (!left.delete(call.signer)) {
      throw new TransactionMismatchError("vote", "an address approves that was not asked to", { actual: call.signer });
    }
    missing.delete(call.signer);
  }
  const [silent] = missing;
  if (silent !== undefined) {
    throw new TransactionMismatchError("vote", "an approval is missing", { expected: silent });
  }
}
