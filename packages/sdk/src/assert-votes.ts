import type { Address } from "@solana/addresses";
import { unexpectedInstruction } from "./content-mismatch.js";
import type { DecodedInstruction } from "./inspect/decode-instruction.js";
import type { DecodedTransaction } from "./inspect/decode-transaction.js";
import type { ProposalCall } from "./inspect/proposal-call.js";
import { assertTargets, assertWhoSigns, type ExpectedProposal, memberOf, readProposalCalls } from "./proposal-frame.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { VoteAction } from "./wire.js";

const defaultMaxGrowthLamports = 10_000_000n;

/** The votes the caller asked for. */
export type ExpectedVotes = ExpectedProposal & {
  readonly action: VoteAction;
  /** Who may vote in it; those who have voted so already are left out by the service. */
  readonly signers: readonly Address[];
  /**
   * Lamports that may go from the fee payer to the proposal, for its growth: 668,160 for each signer that joined the account
   * since. They return to those who paid the proposal's rent. Default: 10,000,000 (0.01 SOL), and none where `feePayer` is
   * given: a fee payer that is a key of the caller's own is to be named there.
   */
  readonly maxGrowthLamports?: bigint;
};

/**
 * Makes sure that signing a transaction casts exactly these votes on this proposal, and does nothing else; returns the
 * members who sign. Throws `TransactionMismatchError`.
 *
 * Accepted: one vote of the action for each of some of the signers; in front of them, where the proposal is a draft, its
 * opening by one of them; with `cancel`, lamports from the fee payer to the proposal for its growth, or to a voter, from
 * whom the program takes them for it: services of earlier builds prepare it so. The next release takes the first alone.
 *
 * @example
 * assertVotesMatch(decodeTransaction(prepared.transaction), { account, proposal, transactionIndex: 7, action: "approve", signers: [me] });
 */
export function assertVotesMatch(transaction: DecodedTransaction, expected: ExpectedVotes): readonly Address[] {
  const { calls, others } = readProposalCalls(transaction);
  assertTargets(calls, expected);
  const voters = assertVotes(calls, expected);
  assertGrowth(others, transaction.feePayer, voters, expected);
  const members = new Set(calls.map(memberOf));
  assertWhoSigns(transaction, members, expected);
  return [...members];
}

/** Makes sure that these are votes of the action by some of the signers; gives the voters. */
export function assertVotes(
  calls: readonly ProposalCall[],
  expected: Pick<ExpectedVotes, "action" | "signers">,
): readonly Address[] {
  const left = new Set(expected.signers);
  const [first] = calls;
  const votes = first?.type === "activate_proposal" ? calls.slice(1) : calls;
  const voters = votes.map((call): Address => {
    if (call.type !== "vote") {
      throw new TransactionMismatchError("unexpected_instruction", "the transaction holds an instruction too many", {
        actual: call.type,
      });
    }
    if (call.action !== expected.action) {
      throw new TransactionMismatchError("vote", "another vote is cast", {
        expected: expected.action,
        actual: call.action,
      });
    }
    if (!left.delete(call.signer)) {
      throw new TransactionMismatchError("vote", "an address votes that was not asked to", { actual: call.signer });
    }
    return call.signer;
  });
  if (voters.length === 0) throw new TransactionMismatchError("missing_instruction", "there is no vote");
  if (first?.type === "activate_proposal" && !expected.signers.includes(first.signer)) {
    throw new TransactionMismatchError("signers", "another address opens the vote", { actual: first.signer });
  }
  return voters;
}

function assertGrowth(
  others: readonly DecodedInstruction[],
  feePayer: Address,
  voters: readonly Address[],
  expected: ExpectedVotes,
): void {
  let moved = 0n;
  for (const instruction of others) {
    if (instruction.type !== "system_transfer" || expected.action !== "cancel")
      throw unexpectedInstruction(instruction);
    const isForGrowth = instruction.to === expected.proposal || voters.includes(instruction.to);
    if (instruction.from !== feePayer || !isForGrowth) {
      throw new TransactionMismatchError(
        "unexpected_instruction",
        "money moves that is not for the proposal's growth",
        {
          expected: `from ${feePayer} to ${expected.proposal}`,
          actual: `from ${instruction.from} to ${instruction.to}`,
        },
      );
    }
    moved += instruction.lamports;
  }
  const most = expected.maxGrowthLamports ?? (expected.feePayer === undefined ? defaultMaxGrowthLamports : 0n);
  if (moved > most) {
    throw new TransactionMismatchError("amount", "more money moves than the proposal's growth may cost", {
      expected: `at most ${most}`,
      actual: moved,
    });
  }
}
