import type { Address } from "@solana/addresses";
import { assertBatchHolds } from "./begun-earlier.js";
import type { ExpectedProposalCreation } from "./expected-proposal-creation.js";
import type { ProposalCall } from "./inspect/proposal-call.js";
import { deriveBatchTransactionAddress } from "./program-address.js";
import { assertMessageIs, type BatchContent, partsOf } from "./proposal-content.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";

type ExpectedBatch = Pick<
  ExpectedProposalCreation,
  "account" | "creators" | "transactionIndex" | "begunTransactions" | "heldAccounts"
>;

/**
 * Makes sure that these calls begin a batch, put exactly these transactions into it, in this order, and open the vote on
 * it, all by one of the creators; or that they do the rest of it, where the first `begunTransactions` were put in earlier.
 * Gives what follows them: approvals. Throws `TransactionMismatchError`.
 */
export function assertBatchIsMade(
  calls: readonly ProposalCall[],
  content: BatchContent,
  expected: ExpectedBatch,
): readonly ProposalCall[] {
  const index = BigInt(expected.transactionIndex);
  const stored = expected.begunTransactions ?? 0;
  const [first] = calls;
  if (first === undefined) throw missing("no batch is made", first);
  const isBegun = stored > 0 && first.type !== "create_batch";
  const creator = first.type === "activate_proposal" ? first.signer : "creator" in first ? first.creator : undefined;
  if (creator === undefined || !expected.creators.includes(creator)) {
    throw new TransactionMismatchError("signers", "another address proposes", {
      expected: expected.creators.join(" or "),
      actual: creator,
    });
  }
  const rest = isBegun ? calls : assertBegun(calls, index, creator);
  const from = isBegun ? stored : 0;
  const { account, heldAccounts } = expected;
  if (heldAccounts !== undefined) {
    const { settings } = first;
    const batch = { account, settings, transactionIndex: index, creator, content, stored: from, isBegun };
    assertBatchHolds(heldAccounts, batch);
  }
  const wanted = partsOf(content).slice(from);
  for (const [at, part] of wanted.entries()) {
    const call = rest[at];
    if (call?.type !== "add_to_batch") throw missing(`transaction ${from + at + 1} is not put into the batch`, call);
    requireCreator(call.creator, creator);
    requireNumber(call, index, from + at + 1);
    if (call.ephemeralSigners !== 0) {
      throw new TransactionMismatchError("signers", "throw-away signers are added", { actual: call.ephemeralSigners });
    }
    assertMessageIs(call.message, part, account, [], []);
  }
  const activation = rest[wanted.length];
  if (activation?.type !== "activate_proposal") throw missing("the vote is not opened behind the last one", activation);
  requireCreator(activation.signer, creator);
  return rest.slice(wanted.length + 1);
}

/** Makes sure that a batch is begun, with a vote on it that is not open yet; gives what follows that. */
function assertBegun(calls: readonly ProposalCall[], index: bigint, creator: Address): readonly ProposalCall[] {
  const [begun, opened, ...rest] = calls;
  if (begun?.type !== "create_batch") throw missing("no batch is begun", begun);
  if (begun.accountIndex !== 0) {
    throw new TransactionMismatchError("vault_index", "another vault acts", {
      expected: 0,
      actual: begun.accountIndex,
    });
  }
  if (opened?.type !== "create_proposal") throw missing("no vote is made for it", opened);
  if (opened.transactionIndex !== index || !opened.isDraft) {
    throw new TransactionMismatchError("proposal", "the vote is not a draft on this batch", {
      expected: index,
      actual: opened.transactionIndex,
    });
  }
  requireCreator(opened.creator, creator);
  return rest;
}

/**
 * Makes sure that executions are of one batch's transactions, one behind the other, by one signer; gives the first one's
 * number. Throws `TransactionMismatchError`.
 */
export function assertNextOfBatch(
  executions: readonly Extract<ProposalCall, { readonly type: "execute_batch_transaction" }>[],
  transactionIndex: bigint,
): number {
  const [first] = executions;
  if (first === undefined) throw missing("nothing is executed", first);
  let number = 1;
  while (deriveBatchTransactionAddress(first.settings, transactionIndex, number) !== first.stored) {
    number += 1;
    if (number > numbersMax) {
      throw new TransactionMismatchError("proposal", "a transaction of another batch is executed", {
        actual: first.stored,
      });
    }
  }
  for (const [at, execution] of executions.entries()) {
    requireNumber(execution, transactionIndex, number + at);
    if (execution.signer !== first.signer) {
      throw new TransactionMismatchError("signers", "another address executes", {
        expected: first.signer,
        actual: execution.signer,
      });
    }
  }
  return number;
}

/** So many transactions of a batch the service reads. */
const numbersMax = 100;

function requireNumber(
  { settings, stored }: { readonly settings: Address; readonly stored: Address },
  transactionIndex: bigint,
  number: number,
): void {
  const expected = deriveBatchTransactionAddress(settings, transactionIndex, number);
  if (stored === expected) return;
  throw new TransactionMismatchError("proposal", "a transaction has another place in the batch", {
    expected,
    actual: stored,
  });
}

function requireCreator(actual: Address, expected: Address): void {
  if (actual === expected) return;
  throw new TransactionMismatchError("signers", "another address fills or opens the batch", { expected, actual });
}

function missing(message: string, call: ProposalCall | undefined): TransactionMismatchError {
  return new TransactionMismatchError("missing_instruction", message, { actual: call?.type });
}
