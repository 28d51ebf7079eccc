import { type Address, address, createNoopSigner, getAddressDecoder, type Instruction } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import {
  activateProposalInstruction,
  addTransactionToBatchInstruction,
  compileWrappedMessage,
  createBatchInstruction,
  createProposalInstruction,
  executeBatchTransactionInstruction,
  executeTransactionInstruction,
  voteInstruction,
} from "@trellis/program-client";
import { describe, expect, it } from "vitest";
import { buildTransaction } from "../../../test/vectors/build-sync-transaction.js";
import { smartAccountVector } from "../../../test/vectors/smart-account.js";
import { assertExecutionMatches, type ExpectedExecution } from "./assert-execution.js";
import { assertProposalCreationMatches } from "./assert-proposal-creation.js";
import { assertSummaryIs } from "./assert-summary.js";
import type { ExpectedProposalCreation } from "./expected-proposal-creation.js";
import { decodeTransaction } from "./inspect/decode-transaction.js";
import { deriveProposalAddress, deriveTransactionAddress } from "./program-address.js";
import type { ProposalContent } from "./proposal-content.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";

const keyOf = (fill: number): Address => getAddressDecoder().decode(new Uint8Array(32).fill(fill));
const settings: Address = address(smartAccountVector.settings);
const account: Address = address(smartAccountVector.vault0);
const [feePayer, a, b, recipient, attacker] = [keyOf(2), keyOf(3), keyOf(4), keyOf(6), keyOf(7)];
const index = 7n;
const place = { settings, batchIndex: index };
const voted = { settings, transactionIndex: index };

const pay = (amount: bigint, to = recipient): Instruction =>
  getTransferSolInstruction({ source: createNoopSigner(account), destination: to, amount });
const wrapped = (...inside: Instruction[]) => compileWrappedMessage(account, inside);
const content: ProposalContent = {
  type: "batch",
  transactions: [pay(1n), pay(2n), pay(3n)].map((one) => buildTransaction(account, [one])),
};

const begin = (more: object = {}) => createBatchInstruction({ ...place, creator: a, rentPayer: feePayer, ...more });
const draft = (more: object = {}) =>
  createProposalInstruction({ ...voted, creator: a, rentPayer: feePayer, draft: true, ...more });
const add = (number: number, amount: bigint, to = recipient, more: object = {}) =>
  addTransactionToBatchInstruction({
    ...place,
    number,
    signer: a,
    rentPayer: feePayer,
    message: wrapped(pay(amount, to)),
    ...more,
  });
const activate = (signer = a) => activateProposalInstruction({ ...voted, signer });
const approve = (signer = a) => voteInstruction({ action: "approve", ...voted, signer });
const filled = () => [add(1, 1n), add(2, 2n), add(3, 3n)];

describe("a batch that was begun earlier", () => {
  const rest = [add(2, 2n), add(3, 3n), activate()];
  it("is continued where the service says how much of it exists", () => {
    expect(judge([rest], { begunTransactions: 1 })).toBe("none");
    expect(judge([[activate()]], { begunTransactions: 3 })).toBe("none");
    expect(judge([[begin(), draft(), ...filled(), activate()]], { begunTransactions: 1 })).toBe("none");
  });

  it.each<[string, string, readonly Instruction[], Partial<ExpectedProposalCreation>]>([
    ["where the service does not say so", "missing_instruction", rest, {}],
    ["with more of it there than it says", "proposal", [add(3, 3n), activate()], { begunTransactions: 1 }],
    ["with less of it there than it says", "proposal", rest, { begunTransactions: 2 }],
    ["at another place", "proposal", [add(1, 2n), add(2, 3n), activate()], { begunTransactions: 1 }],
    ["with another transaction", "content", [add(2, 2n, attacker), add(3, 3n), activate()], { begunTransactions: 1 }],
    ["by somebody else", "signers", [activate(b)], { begunTransactions: 3 }],
    ["with more than was asked for", "unexpected_instruction", [activate(), add(4, 4n)], { begunTransactions: 3 }],
    ["without a word from the node that was asked", "content", rest, { begunTransactions: 1, heldAccounts: new Map() }],
  ])("is not continued %s: %s", (_what, difference, instructions, expected) => {
    expect(judge([instructions], expected)).toBe(difference);
  });

  it("is not begun where something stands under its index, for a node of the caller's own", () => {
    const whole = [[begin(), draft(), ...filled(), activate()]];
    const place = deriveTransactionAddress(settings, index);
    expect(judge(whole, { heldAccounts: new Map([[place, null]]) })).toBe("none");
    expect(judge(whole, { heldAccounts: new Map([[place, new Uint8Array(9)]]) })).toBe("content");
  });
});

describe("a batch to be signed", () => {
  it.each<[string, readonly (readonly Instruction[])[], Partial<ExpectedProposalCreation>]>([
    ["in one transaction", [[begin(), draft(), ...filled(), activate()]], {}],
    ["in several", [[begin(), draft(), add(1, 1n)], [add(2, 2n), add(3, 3n)], [activate()]], {}],
    [
      "with the creator's approval",
      [
        [begin(), draft(), ...filled()],
        [activate(), approve()],
      ],
      { approvers: [a], mustApprove: [a] },
    ],
  ])("is accepted %s", (_what, parts, expected) => {
    expect(judge(parts, expected)).toBe("none");
  });

  it.each<[string, string, readonly Instruction[]]>([
    ["with another amount", "content", [begin(), draft(), add(1, 1n), add(2, 20n), add(3, 3n), activate()]],
    ["for somebody else", "content", [begin(), draft(), add(1, 1n), add(2, 2n), add(3, 3n, attacker), activate()]],
    ["in another order", "content", [begin(), draft(), add(1, 2n), add(2, 1n), add(3, 3n), activate()]],
    ["with one too many", "missing_instruction", [begin(), draft(), ...filled(), add(4, 9n, attacker), activate()]],
    ["with one too few", "missing_instruction", [begin(), draft(), add(1, 1n), add(2, 2n), activate()]],
    [
      "with one added behind the opening",
      "unexpected_instruction",
      [begin(), draft(), ...filled(), activate(), add(4, 9n)],
    ],
    ["at other places", "proposal", [begin(), draft(), add(1, 1n), add(3, 2n), add(2, 3n), activate()]],
    ["that is not opened", "missing_instruction", [begin(), draft(), ...filled()]],
    ["that can be voted on before it is full", "proposal", [begin(), draft({ draft: false }), ...filled(), activate()]],
    ["of another vault", "vault_index", [begin({ accountIndex: 1 }), draft(), ...filled(), activate()]],
    ["by somebody else", "signers", [begin({ creator: b }), draft(), ...filled(), activate()]],
    ["filled by somebody else", "signers", [begin(), draft(), add(1, 1n, recipient, { signer: b }), activate()]],
    ["opened by somebody else", "signers", [begin(), draft(), ...filled(), activate(b)]],
    [
      "with throw-away signers",
      "signers",
      [begin(), draft(), add(1, 1n, recipient, { ephemeralSigners: 1 }), add(2, 2n), add(3, 3n), activate()],
    ],
    ["under another index", "proposal", [begin({ batchIndex: 8n }), draft(), ...filled(), activate()]],
    [
      "at the creator's cost",
      "fee_payer",
      [begin(), draft(), add(1, 1n, recipient, { rentPayer: a }), add(2, 2n), add(3, 3n), activate()],
    ],
    ["with an approval nobody asked for", "vote", [begin(), draft(), ...filled(), activate(), approve()]],
    ["with a transfer beside it", "unexpected_instruction", [begin(), draft(), ...filled(), activate(), pay(1n)]],
  ])("is refused %s: %s", (_what, difference, instructions) => {
    // More than a packet holds goes in two.
    expect(judge([instructions.slice(0, 4), instructions.slice(4)].filter((part) => part.length > 0))).toBe(difference);
  });

  it("is held against what the service says of it, too", () => {
    const said = [1n, 2n, 3n].map((amount) => ({
      type: "transfer",
      from: account,
      to: recipient,
      mint: null,
      amount: amount.toString(),
    }));
    expect(differenceOf(() => assertSummaryIs(said, content, account))).toBe("none");
    expect(differenceOf(() => assertSummaryIs([...said].reverse(), content, account))).toBe("content");
  });
});

const execute = (number: number, amount: bigint, to = recipient, more: object = {}) =>
  executeBatchTransactionInstruction({ ...place, number, signer: a, message: wrapped(pay(amount, to)), ...more });
const judgeExecution = (instructions: readonly Instruction[], expected: Partial<ExpectedExecution> = {}) =>
  differenceOf(() =>
    assertExecutionMatches([read(instructions)], {
      account,
      proposal,
      transactionIndex: index,
      signers: [a],
      ...expected,
    }),
  );

describe("the execution of a batch", () => {
  it.each<[string, readonly Instruction[], Partial<ExpectedExecution>]>([
    ["of its first", [execute(1, 1n)], { content }],
    ["of the next ones", [execute(2, 2n), execute(3, 3n)], { content }],
    ["of something nobody was told about", [execute(1, 1n, attacker)], {}],
    ["after approvals", [approve(), execute(1, 1n), execute(2, 2n)], { content, withVotes: true }],
  ])("%s is accepted", (_what, instructions, expected) => {
    expect(judgeExecution(instructions, expected)).toBe("none");
  });

  it.each<[string, string, readonly Instruction[], Partial<ExpectedExecution>]>([
    ["of another batch", "proposal", [execute(1, 1n, recipient, { batchIndex: 6n })], {}],
    ["with a gap", "proposal", [execute(1, 1n), execute(3, 3n)], {}],
    ["by somebody else", "signers", [execute(1, 1n, recipient, { signer: b })], {}],
    ["by two", "signers", [execute(1, 1n, recipient, { signer: b }), execute(2, 2n)], { signers: [a, b] }],
    ["that may touch another account", "content", [execute(2, 2n, attacker)], { content }],
    ["of more than there was to be", "content", [execute(4, 4n)], { content }],
    [
      "in place of one transaction",
      "content",
      [execute(1, 1n)],
      { content: { type: "transfer", to: recipient, mint: null, amount: 1n } },
    ],
    [
      "replaced by one transaction",
      "content",
      [executeTransactionInstruction({ settings, transactionIndex: index, signer: a, message: wrapped(pay(1n)) })],
      { content },
    ],
    ["with votes nobody asked for", "unexpected_instruction", [approve(), execute(1, 1n)], {}],
  ])("%s is refused: %s", (_what, difference, instructions, expected) => {
    expect(judgeExecution(instructions, expected)).toBe(difference);
  });
});

const proposal = deriveProposalAddress(settings, index);

const read = (instructions: readonly Instruction[]) => decodeTransaction(buildTransaction(feePayer, instructions));

function differenceOf(check: () => unknown): string {
  try {
    check();
  } catch (error) {
    if (error instanceof TransactionMismatchError) return error.difference;
    throw error;
  }
  return "none";
}

const judge = (parts: readonly (readonly Instruction[])[], expected: Partial<ExpectedProposalCreation> = {}) =>
  differenceOf(() =>
    assertProposalCreationMatches(parts.map(read), {
      account,
      proposal,
      transactionIndex: index,
      content,
      creators: [a],
      ...expected,
    }),
  );
