import type { Address } from "@solana/addresses";
import { assertNextOfBatch } from "./assert-batch.js";
import { assertVotes } from "./assert-votes.js";
import { unexpectedInstruction } from "./content-mismatch.js";
import type { DecodedInstruction } from "./inspect/decode-instruction.js";
import type { DecodedTransaction } from "./inspect/decode-transaction.js";
import type {
  ExecuteBatchTransactionCall,
  ExecuteSettingsTransactionCall,
  ExecuteTransactionCall,
  ProposalCall,
} from "./inspect/proposal-call.js";
import { isKey } from "./program-address.js";
import {
  accountsOf,
  isMessageContent,
  type MessageContent,
  type ProposalContent,
  partsOf,
} from "./proposal-content.js";
import {
  assertRentPayer,
  assertTargets,
  assertWhoSigns,
  type ExpectedProposal,
  memberOf,
  readProposalCalls,
} from "./proposal-frame.js";
import { assertFunding } from "./read-settings-calls.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { ProposedAction } from "./wire.js";

/** The execution the caller asked for. */
export type ExpectedExecution = ExpectedProposal & {
  /** One of them executes. */
  readonly signers: readonly Address[];
  /** True: the signers approve first. Default: no signer votes. */
  readonly withVotes?: boolean;
  /**
   * What the caller thinks will be executed. With it, an execution is refused that names other accounts than this can
   * need; see the README for what that proves.
   */
  readonly content?: ProposalContent;
};

/**
 * Makes sure that signing these transactions executes this proposal, and does nothing else; returns the members who sign.
 * Throws `TransactionMismatchError`.
 *
 * What is executed was written down on the chain before and is not in these bytes. What can be proven here is which
 * accounts it may touch, because the chain takes an execution only with exactly the accounts of what is stored.
 *
 * @example
 * assertExecutionMatches([decodeTransaction(prepared.transactions[0])], { account, proposal, transactionIndex: 7, signers: [me] });
 */
export function assertExecutionMatches(
  transactions: readonly DecodedTransaction[],
  expected: ExpectedExecution,
): readonly Address[] {
  const read = transactions.map((transaction) => readProposalCalls(transaction));
  for (const [at, { calls: own, others }] of read.entries()) {
    const payer = transactions[at]?.feePayer;
    for (const funding of others.filter((one) => one.type === "system_transfer")) {
      const last = own[own.length - 1];
      if (last?.type !== "execute_settings_transaction") throw unexpectedInstruction(funding);
      // The payer of the change pays this too, and is judged where that is.
      assertFunding(funding, last.rentPayer ?? payer, last.settings);
    }
    assertOpenings(
      others.filter((one) => one.type !== "system_transfer"),
      payer,
      expected,
    );
  }
  const calls = read.flatMap((part) => part.calls);
  assertTargets(calls, expected);
  const executions = calls.filter(isBatched);
  const execution = calls[calls.length - 1];
  if (!isExecution(execution)) {
    throw new TransactionMismatchError("missing_instruction", "nothing is executed", { actual: execution?.type });
  }
  if (!expected.signers.includes(execution.signer)) {
    throw new TransactionMismatchError("signers", "another address executes", {
      expected: expected.signers.join(" or "),
      actual: execution.signer,
    });
  }
  assertBefore(calls.slice(0, -Math.max(1, executions.length)), expected);
  if (executions.length > 0) assertBatch(executions, execution, expected);
  if (execution.type === "execute_settings_transaction" && !isPaidBySigner(execution, expected)) {
    const payers = transactions.map(({ feePayer }) => feePayer);
    for (const feePayer of payers.slice(-1)) assertRentPayer(execution.rentPayer, feePayer);
  }
  if (expected.content !== undefined && execution.type !== "execute_batch_transaction") {
    assertTouches(execution, expected.content, expected.account);
  }
  const members = transactions.map((transaction, at) => {
    const own = new Set((read[at]?.calls ?? []).map(memberOf));
    assertWhoSigns(transaction, own, expected);
    return [...own];
  });
  return [...new Set(members.flat())];
}

const isBatched = (call: ProposalCall): call is ExecuteBatchTransactionCall =>
  call.type === "execute_batch_transaction";

/** Of a batch the next transactions are executed, one behind the other; each may touch what its own content names. */
function assertBatch(
  executions: readonly ExecuteBatchTransactionCall[],
  last: ProposalCall,
  { content, account, transactionIndex }: ExpectedExecution,
): void {
  if (!isBatched(last)) throw differs("something else is executed beside a batch");
  const first = assertNextOfBatch(executions, BigInt(transactionIndex));
  if (content === undefined) return;
  if (content.type !== "batch") throw differs("a batch is executed, which was not asked for");
  const parts = partsOf(content);
  for (const [at, execution] of executions.entries()) {
    const part = parts[first - 1 + at];
    if (part === undefined) throw differs("the batch holds more than was asked for", parts.length, first + at);
    assertTouchesOnly(execution.accounts, part, account);
  }
}

/** Where the service does not pay the rent of new spending limits, the signer does who knows to execute them. */
function isPaidBySigner(execution: ExecuteSettingsTransactionCall, { content, feePayer }: ExpectedExecution): boolean {
  if (feePayer !== undefined || execution.rentPayer !== execution.signer) return false;
  return content?.type === "settings" && content.actions.some(({ type }) => type === "AddSpendingLimit");
}

/**
 * A recipient's token account may be opened in front, by the fee payer: at whose cost, the stored instructions cannot say.
 * Where the caller pays the fee, only the one that the content needs.
 */
function assertOpenings(
  others: readonly DecodedInstruction[],
  feePayer: Address | undefined,
  { content, feePayer: ownPayer }: ExpectedExecution,
): void {
  for (const instruction of others) {
    if (instruction.type !== "create_associated_token_account") throw unexpectedInstruction(instruction);
    if (instruction.payer !== feePayer) {
      throw new TransactionMismatchError("token_account_creation", "another address pays for the token account", {
        expected: feePayer,
        actual: instruction.payer,
      });
    }
    const isFree = content === undefined && ownPayer === undefined;
    const isCustom = (content?.type === "custom" || content?.type === "batch") && ownPayer === undefined;
    const isWanted =
      content?.type === "transfer" && content.to === instruction.owner && content.mint === instruction.mint;
    if (!isFree && !isCustom && !isWanted) throw unexpectedInstruction(instruction);
  }
}

function isExecution(
  call: ProposalCall | undefined,
): call is ExecuteTransactionCall | ExecuteSettingsTransactionCall | ExecuteBatchTransactionCall {
  return (
    call?.type === "execute_transaction" ||
    call?.type === "execute_settings_transaction" ||
    call?.type === "execute_batch_transaction"
  );
}

function assertBefore(calls: readonly ProposalCall[], { signers, withVotes }: ExpectedExecution): void {
  const [first] = calls;
  if (first === undefined) return;
  if (withVotes === true) {
    assertVotes(calls, { action: "approve", signers });
    return;
  }
  throw new TransactionMismatchError("unexpected_instruction", "the transaction holds an instruction too many", {
    actual: first.type === "vote" ? first.action : first.type,
  });
}

function assertTouches(
  execution: ExecuteTransactionCall | ExecuteSettingsTransactionCall,
  content: ProposalContent,
  account: Address,
): void {
  if (isMessageContent(content)) {
    if (execution.type !== "execute_transaction") throw differs("the settings are changed, which was not asked for");
    assertTouchesOnly(execution.accounts, content, account);
    return;
  }
  if (content.type === "batch") throw differs("something else than a batch is executed");
  if (execution.type !== "execute_settings_transaction") {
    throw differs("the account pays or calls, which was not asked for");
  }
  if (content.type !== "settings") return;
  assertChangeTouches(execution.touched, content.actions);
}

/**
 * What is executed may touch nothing but what these actions make and remove. Where new limits lie is not known before; and
 * who gets a policy's rent is written down in the policy: a key, where no limit and no policy can lie.
 */
function assertChangeTouches(touched: readonly Address[], actions: readonly ProposedAction[]): void {
  const limits = actions.flatMap((action) => (action.type === "RemoveSpendingLimit" ? [action.spendingLimit] : []));
  const policies = actions.flatMap((action) => (action.type === "PolicyRemove" ? [action.policy] : []));
  const removed = [...limits, ...policies];
  const granted = actions.filter(({ type }) => type === "AddSpendingLimit").length;
  const others = touched.filter((one) => !removed.includes(one));
  const made = others.filter((one) => !isKey(one));
  const missing = removed.find((one) => !touched.some((found) => found === one));
  if (made.length > granted || others.length - made.length > policies.length || missing !== undefined) {
    throw differs("other spending limits or policies may be made or removed", missing, others.join());
  }
}

function assertTouchesOnly(accounts: readonly Address[], content: MessageContent, account: Address): void {
  const allowed = accountsOf(content, account);
  const stranger = accounts.find((address) => !allowed.has(address));
  if (stranger !== undefined) throw differs("what is executed may touch another account", undefined, stranger);
  if (content.type !== "custom") return;
  const tables = Object.keys(content.lookupTables ?? {});
  const missing = [...allowed].find((one) => !accounts.includes(one) && !tables.includes(one));
  if (missing !== undefined) throw differs("what is executed does not touch an account it should", missing);
}

function differs(message: string, expected?: unknown, actual?: unknown): TransactionMismatchError {
  return new TransactionMismatchError("content", message, { expected, actual });
}
