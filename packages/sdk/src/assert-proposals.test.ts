import {
  AccountRole,
  type Address,
  address,
  createNoopSigner,
  getAddressDecoder,
  getAddressEncoder,
  type Instruction,
} from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { getCreateAssociatedTokenIdempotentInstruction, getTransferCheckedInstruction } from "@solana-program/token";
import {
  activateProposalInstruction,
  compileWrappedMessage,
  createProposalInstruction,
  createSettingsTransactionInstruction,
  createTransactionInstruction,
  executeSettingsTransactionInstruction,
  executeTransactionInstruction,
  type SettingsActionArgs,
  voteInstruction,
} from "@trellis/program-client";
import { getBatchEncoder, getBatchTransactionEncoder } from "@trellis/program-client/generated/accounts/index.js";
import { describe, expect, it } from "vitest";
import { buildSyncInstruction, buildTransaction } from "../../../test/vectors/build-sync-transaction.js";
import { smartAccountVector } from "../../../test/vectors/smart-account.js";
import { assertExecutionMatches, type ExpectedExecution } from "./assert-execution.js";
import { assertProposalCreationMatches } from "./assert-proposal-creation.js";
import { assertStoredContentMatches, decodeStoredTransaction } from "./assert-stored-content.js";
import { assertSummaryIs } from "./assert-summary.js";
import { assertVotesMatch, type ExpectedVotes } from "./assert-votes.js";
import type { ExpectedProposalCreation } from "./expected-proposal-creation.js";
import { decodeTransaction } from "./inspect/decode-transaction.js";
import {
  deriveAssociatedTokenAddress,
  deriveBatchTransactionAddress,
  deriveProposalAddress,
  deriveSmartAccountAddress,
  deriveSpendingLimitAddress,
  deriveTransactionAddress,
  tokenProgramAddress,
} from "./program-address.js";
import type { ProposalContent } from "./proposal-content.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { ProposedAction } from "./wire.js";

const keyOf = (fill: number): Address => getAddressDecoder().decode(new Uint8Array(32).fill(fill));
const settings: Address = address(smartAccountVector.settings);
const account: Address = address(smartAccountVector.vault0);
const [feePayer, a, b, c, recipient, attacker, mint] = [
  keyOf(2),
  keyOf(3),
  keyOf(4),
  keyOf(5),
  keyOf(6),
  keyOf(7),
  keyOf(8),
];
const transactionIndex = 7n;

const pay = (amount = 5_000n, to = recipient, from = account): Instruction =>
  getTransferSolInstruction({ source: createNoopSigner(from), destination: to, amount });
const tokenAccountOf = (owner: Address) => deriveAssociatedTokenAddress(owner, mint, tokenProgramAddress);
const payToken = (amount = 5_000n, to = recipient): Instruction =>
  getTransferCheckedInstruction({
    source: tokenAccountOf(account),
    mint,
    destination: tokenAccountOf(to),
    authority: createNoopSigner(account),
    amount,
    decimals: 6,
  });
const openFor = (owner: Address, payer: Address): Instruction =>
  getCreateAssociatedTokenIdempotentInstruction({
    payer: createNoopSigner(payer),
    ata: tokenAccountOf(owner),
    owner,
    mint,
    tokenProgram: tokenProgramAddress,
  });

const written = (inside: readonly Instruction[], opening: Opening = {}) =>
  createTransactionInstruction({
    settings: opening.of ?? settings,
    transactionIndex: opening.index ?? transactionIndex,
    creator: opening.creator ?? a,
    rentPayer: opening.rentPayer ?? feePayer,
    message: compileWrappedMessage(account, inside),
    accountIndex: opening.accountIndex ?? 0,
    ephemeralSigners: opening.ephemeralSigners ?? 0,
  });
const writtenActions = (actions: readonly SettingsActionArgs[]) =>
  createSettingsTransactionInstruction({ settings, transactionIndex, creator: a, rentPayer: feePayer, actions });
const opened = (opening: Opening = {}) =>
  createProposalInstruction({
    settings: opening.of ?? settings,
    transactionIndex: opening.voteOn ?? opening.index ?? transactionIndex,
    creator: opening.creator ?? a,
    rentPayer: opening.rentPayer ?? feePayer,
    draft: opening.draft ?? false,
  });
const vote = (signer: Address, action: "approve" | "reject" | "cancel" = "approve", index = transactionIndex) =>
  voteInstruction({ action, settings, transactionIndex: index, signer });
const proposed = (inside: readonly Instruction[], opening: Opening = {}) => [written(inside, opening), opened(opening)];

const payment: ProposalContent = { type: "transfer", to: recipient, mint: null, amount: 5_000n };
const tokenPayment = { type: "transfer", to: recipient, mint, amount: 5_000n } as const;
const own: ProposalContent = {
  type: "custom",
  transaction: buildTransaction(account, [pay(), payToken()]),
};
const actions: readonly ProposedAction[] = [
  { type: "AddSigner", newSigner: { address: c, permissions: ["CAN_VOTE", "CAN_INITIATE"] } },
  { type: "RemoveSigner", oldSigner: b },
  { type: "ChangeThreshold", newThreshold: 2 },
  { type: "SetTimeLock", newTimeLock: 60 },
  {
    type: "AddSpendingLimit",
    mint: null,
    amount: "1000",
    period: "week",
    signers: [a],
    destinations: [recipient],
    expiration: 2_000_000_000,
  },
  { type: "RemoveSpendingLimit", spendingLimit: keyOf(9) },
  { type: "PolicyRemove", policy: keyOf(11) },
];
const storedActions: readonly SettingsActionArgs[] = [
  { __kind: "AddSigner", newSigner: { key: c, permissions: 3 } },
  { __kind: "RemoveSigner", oldSigner: b },
  { __kind: "ChangeThreshold", newThreshold: 2 },
  { __kind: "SetTimeLock", newTimeLock: 60 },
  {
    __kind: "AddSpendingLimit",
    seed: keyOf(10),
    accountIndex: 0,
    mint: address("11111111111111111111111111111111"),
    amount: 1_000n,
    period: 2,
    signers: [a],
    destinations: [recipient],
    expiration: 2_000_000_000n,
  },
  { __kind: "RemoveSpendingLimit", spendingLimit: keyOf(9) },
  { __kind: "PolicyRemove", policy: keyOf(11) },
];
const change: ProposalContent = { type: "settings", actions };

describe("the creation of a proposal is accepted", () => {
  it.each<[string, readonly Instruction[], Creation]>([
    ["for SOL", proposed([pay()]), {}],
    [
      "with the proposer's approval",
      [...proposed([pay()]), vote(a)],
      { approvers: [a], mustApprove: [a], settings, feePayer },
    ],
    ["for tokens", proposed([payToken()]), { content: tokenPayment }],
    [
      "for tokens, into an account the vault opens",
      proposed([openFor(recipient, account), payToken()]),
      { content: tokenPayment },
    ],
    [
      "for tokens, into an account the fee payer opens",
      [openFor(recipient, feePayer), ...proposed([payToken()])],
      { content: tokenPayment },
    ],
    ["for instructions of the caller's own", proposed([pay(), payToken()]), { content: own }],
    ["for a change of the settings", [writtenActions(storedActions), opened()], { content: change }],
    [
      "for a change towards a policy",
      [writtenActions(storedActions.slice(2, 4)), opened(), vote(b)],
      {
        content: { type: "policy", changes: { threshold: 2, time_lock: 60 } },
        approvers: [a, b],
      },
    ],
  ])("%s", (_what, instructions, expected) => {
    expect(judgeCreation(instructions, expected)).toBe("none");
  });

  it("also in two transactions", () => {
    const parts = [read([written([pay()])]), read([opened(), vote(a)])];
    const expected = { account, proposal, transactionIndex, content: payment, creators: [a], approvers: [a] };
    expect(differenceOf(() => assertProposalCreationMatches(parts, expected))).toBe("none");
    expect(differenceOf(() => assertProposalCreationMatches([...parts].reverse(), expected))).toBe(
      "missing_instruction",
    );
  });
});

describe("the creation of another proposal is refused", () => {
  const sync = buildSyncInstruction({ settings, members: [a], instructions: [pay()] });
  const granted = (more: object): SettingsActionArgs[] =>
    storedActions.map((action) => (action.__kind === "AddSpendingLimit" ? { ...action, ...more } : action));
  it.each<[string, string, readonly Instruction[], Creation]>([
    ["another amount", "amount", proposed([pay(5_001n)]), {}],
    ["another recipient", "destination", proposed([pay(5_000n, attacker)]), {}],
    ["money of somebody else's", "content", proposed([pay(5_000n, recipient, a)]), {}],
    ["a second payment", "unexpected_instruction", proposed([pay(), pay(1n, attacker)]), {}],
    ["tokens in place of SOL", "mint", proposed([payToken()]), {}],
    ["SOL in place of tokens", "mint", proposed([pay()]), { content: tokenPayment }],
    [
      "tokens to somebody else's account",
      "destination",
      proposed([payToken(5_000n, attacker)]),
      { content: tokenPayment },
    ],
    [
      "a token account for somebody else",
      "token_account_creation",
      proposed([openFor(attacker, account), payToken()]),
      { content: tokenPayment },
    ],
    ["rent from a member", "content", proposed([openFor(recipient, b), payToken()]), { content: tokenPayment }],
    [
      "the fee payer's key inside",
      "content",
      proposed([openFor(recipient, feePayer), payToken()]),
      { content: tokenPayment },
    ],
    ["a change of settings", "content", [writtenActions(storedActions), opened()], {}],
    ["a payment in place of a change", "content", proposed([pay()]), { content: change }],
    ["fewer actions", "settings_change", [writtenActions(storedActions.slice(1)), opened()], { content: change }],
    [
      "actions in another order",
      "settings_change",
      [writtenActions([...storedActions].reverse()), opened()],
      { content: change },
    ],
    ["another limit", "settings_change", [writtenActions(granted({ amount: 1_001n })), opened()], { content: change }],
    [
      "a limit for anybody",
      "settings_change",
      [writtenActions(granted({ destinations: [] })), opened()],
      { content: change },
    ],
    [
      "a limit without end",
      "settings_change",
      [writtenActions(granted({ expiration: 2n ** 63n - 1n })), opened()],
      { content: change },
    ],
    [
      "a limit of another vault",
      "vault_index",
      [writtenActions(granted({ accountIndex: 1 })), opened()],
      { content: change },
    ],
    ["an instruction of the caller's left out", "content", proposed([pay()]), { content: own }],
    ["an instruction added to the caller's", "content", proposed([pay(), payToken(), pay(1n)]), { content: own }],
    [
      "more rights than in the caller's",
      "content",
      proposed([
        pay(),
        { ...payToken(), accounts: payToken().accounts?.map((m) => ({ ...m, role: AccountRole.WRITABLE })) ?? [] },
      ]),
      { content: own },
    ],
    [
      "a signature of somebody else's inside",
      "content",
      proposed([
        pay(),
        {
          ...payToken(),
          accounts: [...(payToken().accounts ?? []), { address: b, role: AccountRole.READONLY_SIGNER }],
        },
      ]),
      { content: own },
    ],
    ["another vault", "vault_index", proposed([pay()], { accountIndex: 1 }), {}],
    ["throw-away signers", "signers", proposed([pay()], { ephemeralSigners: 1 }), {}],
    ["a draft", "proposal", proposed([pay()], { draft: true }), {}],
    ["another index than announced", "proposal", proposed([pay()], { index: 8n }), {}],
    ["a vote on an older transaction", "proposal", proposed([pay()], { voteOn: 6n }), {}],
    ["an index that does not lead to the address", "proposal", proposed([pay()]), { transactionIndex: 8n }],
    ["another account", "settings_account", proposed([pay()], { of: address(smartAccountVector.otherSettings) }), {}],
    ["another settings account than demanded", "settings_account", proposed([pay()]), { settings: attacker }],
    ["another proposer", "signers", proposed([pay()], { creator: b }), {}],
    ["rent from the proposer", "fee_payer", proposed([pay()], { rentPayer: a }), {}],
    ["a fee payer other than demanded", "fee_payer", proposed([pay()]), { feePayer: b }],
    ["an approval nobody asked for", "vote", [...proposed([pay()]), vote(a)], {}],
    ["an approval by another", "vote", [...proposed([pay()]), vote(b)], { approvers: [a] }],
    ["an approval of another proposal", "proposal", [...proposed([pay()]), vote(a, "approve", 6n)], { approvers: [a] }],
    ["a rejection", "unexpected_instruction", [...proposed([pay()]), vote(a, "reject")], { approvers: [a] }],
    ["no approval", "vote", proposed([pay()]), { approvers: [a], mustApprove: [a] }],
    ["no vote", "missing_instruction", [written([pay()])], {}],
    ["nothing written down", "missing_instruction", [opened()], {}],
    ["a payment at once beside it", "unexpected_instruction", [...proposed([pay()]), sync], {}],
    ["a transfer beside it", "unexpected_instruction", [...proposed([pay()]), pay(1n, attacker, feePayer)], {}],
    [
      "a call of another program beside it",
      "unexpected_instruction",
      [...proposed([pay()]), { programAddress: keyOf(30), accounts: [], data: new Uint8Array(1) }],
      {},
    ],
  ])("%s: %s", (_what, difference, instructions, expected) => {
    expect(judgeCreation(instructions, expected)).toBe(difference);
  });

  it.each<[string, readonly Instruction[], Creation]>([
    ["a payment's", [...proposed([pay()]), vote(a)], { approvers: [a], mustApprove: [a] }],
    ["a token payment's", proposed([payToken()]), { content: { ...tokenPayment, decimals: 6 } }],
    ["a change's", [writtenActions(storedActions), opened()], { content: change }],
  ])("whichever byte of it was altered: %s", (_what, instructions, expected) => {
    expect(judgeCreation(instructions, expected)).toBe("none");
    const accepted = instructions.flatMap((instruction, at) =>
      Array.from(instruction.data ?? [], (_, byte) => byte)
        .filter((byte) => judgeCreation(altered(instructions, at, byte), expected) === "none")
        .map((byte) => `${at}:${byte}`),
    );
    // The seed of a new limit is the service's choice: it only decides the limit's address.
    const seed = expected.content === change ? seedBytes(instructions[0]) : [];
    expect(accepted.filter((place) => !seed.includes(place))).toEqual([]);
  });
});

function altered(instructions: readonly Instruction[], at: number, byte: number): readonly Instruction[] {
  return instructions.map((instruction, i) => {
    const data = Uint8Array.from(instruction.data ?? []);
    if (i === at) data[byte] = (data[byte] ?? 0) ^ 1;
    return { ...instruction, data };
  });
}

function seedBytes(instruction: Instruction | undefined): readonly string[] {
  const start = Array.from(instruction?.data ?? [])
    .join()
    .indexOf(new Array(32).fill(10).join());
  const from =
    Array.from(instruction?.data ?? [])
      .join()
      .slice(0, start)
      .split(",").length - 1;
  return Array.from({ length: 32 }, (_, i) => `0:${from + i}`);
}

type Votes = Partial<ExpectedVotes>;
const judgeVotes = (instructions: readonly Instruction[], expected: Votes = {}) =>
  differenceOf(() =>
    assertVotesMatch(read(instructions), {
      account,
      proposal,
      transactionIndex,
      action: "approve",
      signers: [a, b],
      ...expected,
    }),
  );
const growth = (to: Address, amount = 700_000n) => pay(amount, to, feePayer);

describe("votes", () => {
  it.each<[string, readonly Instruction[], Votes]>([
    ["of all", [vote(a), vote(b)], {}],
    ["of some: the others had voted", [vote(b)], {}],
    [
      "on a draft, which a voter opens",
      [activateProposalInstruction({ settings, transactionIndex, signer: b }), vote(b)],
      {},
    ],
    [
      "on a draft, opened by one whose vote is not needed",
      [activateProposalInstruction({ settings, transactionIndex, signer: a }), vote(b)],
      {},
    ],
    ["against", [vote(a, "reject")], { action: "reject" }],
    ["that cancel, with the rent for the growth", [growth(proposal), vote(a, "cancel")], { action: "cancel" }],
    ["that cancel, with that rent through a voter", [growth(a), vote(a, "cancel")], { action: "cancel" }],
    [
      "that cancel, with as much rent as the caller allows its own key to pay",
      [growth(proposal), vote(a, "cancel")],
      { action: "cancel", feePayer, maxGrowthLamports: 700_000n },
    ],
  ])("%s are accepted", (_what, instructions, expected) => {
    expect(judgeVotes(instructions, expected)).toBe("none");
  });

  it.each<[string, string, readonly Instruction[], Votes]>([
    ["the opposite", "vote", [vote(a, "reject")], {}],
    ["a cancellation", "vote", [vote(a, "cancel")], {}],
    ["somebody else's", "vote", [vote(a), vote(c)], {}],
    ["the same twice", "vote", [vote(a), vote(a)], {}],
    ["on another proposal", "proposal", [vote(a, "approve", 6n)], {}],
    ["on two proposals", "proposal", [vote(a), vote(b, "approve", 6n)], {}],
    ["for another account", "settings_account", [vote(a)], { account: attacker }],
    ["nobody's", "missing_instruction", [], {}],
    ["an execution after them", "unexpected_instruction", [vote(a), executed()], {}],
    ["a payment beside them", "unexpected_instruction", [vote(a), pay(1n, attacker, feePayer)], {}],
    ["a payment by a voter", "unexpected_instruction", [pay(1n, b, a), vote(a, "cancel")], { action: "cancel" }],
    ["growth for somebody else", "unexpected_instruction", [growth(c), vote(a, "cancel")], { action: "cancel" }],
    [
      "growth for one who may vote, and does not",
      "unexpected_instruction",
      [growth(b), vote(a, "cancel")],
      { action: "cancel" },
    ],
    ["growth of an approval", "unexpected_instruction", [growth(proposal), vote(a)], {}],
    ["growth of an approval, through its voter", "unexpected_instruction", [growth(a), vote(a)], {}],
    ["growth without end", "amount", [growth(proposal, 10_000_001n), vote(a, "cancel")], { action: "cancel" }],
    [
      "growth without end, through a voter",
      "amount",
      [growth(a, 10_000_001n), vote(a, "cancel")],
      { action: "cancel" },
    ],
    [
      "growth without end, in two parts",
      "amount",
      [growth(proposal, 5_000_001n), growth(a, 5_000_000n), vote(a, "cancel")],
      { action: "cancel" },
    ],
    [
      "growth by a key of the caller's own",
      "amount",
      [growth(proposal, 1n), vote(a, "cancel")],
      { action: "cancel", feePayer },
    ],
    ["the same through a voter", "amount", [growth(a, 1n), vote(a, "cancel")], { action: "cancel", feePayer }],
    [
      "a draft opened by somebody else",
      "signers",
      [activateProposalInstruction({ settings, transactionIndex, signer: c }), vote(a)],
      {},
    ],
    [
      "a memo",
      "unreadable",
      [voteInstruction({ action: "approve", settings, transactionIndex, signer: a, memo: "x" })],
      {},
    ],
  ])("are refused when they are %s: %s", (_what, difference, instructions, expected) => {
    expect(judgeVotes(instructions, expected)).toBe(difference);
  });
});

function executed(inside: readonly Instruction[] = [pay()], index = transactionIndex, signer = a) {
  const message = compileWrappedMessage(account, inside);
  return executeTransactionInstruction({ settings, transactionIndex: index, signer, message });
}
const applied = (stored: readonly SettingsActionArgs[], rentPayer = feePayer) =>
  executeSettingsTransactionInstruction({ settings, transactionIndex, signer: a, rentPayer, actions: stored });

type Execution = Partial<ExpectedExecution>;
const judgeExecution = (instructions: readonly Instruction[], expected: Execution = {}) =>
  differenceOf(() =>
    assertExecutionMatches([read(instructions)], { account, proposal, transactionIndex, signers: [a], ...expected }),
  );

describe("an execution", () => {
  it.each<[string, readonly Instruction[], Execution]>([
    ["of a payment", [executed()], { content: payment }],
    ["of tokens", [executed([payToken()])], { content: tokenPayment }],
    ["of tokens into a new account", [executed([openFor(recipient, account), payToken()])], { content: tokenPayment }],
    [
      "of tokens into a new account that the fee payer opens",
      [openFor(recipient, feePayer), executed([openFor(recipient, account), payToken()])],
      { content: tokenPayment },
    ],
    ["of the caller's own", [executed([pay(), payToken()])], { content: own }],
    ["of a change", [applied(storedActions)], { content: change }],
    ["of a change with a limit, whose rent the executor pays", [applied(storedActions, a)], { content: change }],
    ["of something nobody was told about", [executed([pay(1n, attacker)])], {}],
    ["after approvals", [vote(b), vote(a), executed()], { withVotes: true, signers: [a, b] }],
    ["without approvals, where none is needed", [executed()], { withVotes: true, signers: [a, b] }],
  ])("%s is accepted", (_what, instructions, expected) => {
    expect(judgeExecution(instructions, expected)).toBe("none");
  });

  it.each<[string, string, readonly Instruction[], Execution]>([
    ["of another proposal", "proposal", [executed([pay()], 6n)], {}],
    ["by somebody else", "signers", [executed([pay()], transactionIndex, b)], {}],
    ["for another account", "settings_account", [executed()], { account: attacker }],
    ["that may touch another account", "content", [executed([pay(5_000n, attacker)])], { content: payment }],
    ["of a change in place of a payment", "content", [applied(storedActions)], { content: payment }],
    ["of a payment in place of a change", "content", [executed()], { content: change }],
    ["that misses what the caller wanted", "content", [executed([pay()])], { content: own }],
    [
      "that grants a limit nobody asked for",
      "content",
      [applied(storedActions)],
      { content: { type: "settings", actions: actions.slice(0, 4) } },
    ],
    ["that pays its rent from a member", "fee_payer", [applied(storedActions, a)], {}],
    ["that pays its rent from another member", "fee_payer", [applied(storedActions, b)], { content: change }],
    [
      "that pays rent from a member where no limit was asked for",
      "fee_payer",
      [applied(storedActions, a)],
      { content: { type: "settings", actions: actions.slice(0, 4) } },
    ],
    [
      "that pays rent from a member beside the caller's payer",
      "fee_payer",
      [applied(storedActions, a)],
      { content: change, feePayer },
    ],
    ["with votes nobody asked for", "unexpected_instruction", [vote(a), executed()], {}],
    ["with somebody else's vote", "vote", [vote(c), executed()], { withVotes: true, signers: [a, b] }],
    ["with a vote on another proposal", "proposal", [vote(a, "approve", 6n), executed()], { withVotes: true }],
    ["without an execution", "missing_instruction", [vote(a)], { withVotes: true }],
    ["with a payment beside it", "unexpected_instruction", [pay(1n, attacker, feePayer), executed()], {}],
    ["with a token account at a member's cost", "token_account_creation", [openFor(recipient, a), executed()], {}],
    [
      "with a token account for somebody else",
      "unexpected_instruction",
      [openFor(attacker, feePayer), executed([payToken()])],
      { content: tokenPayment },
    ],
    [
      "with a token account that the caller would pay",
      "unexpected_instruction",
      [openFor(attacker, feePayer), executed()],
      { feePayer },
    ],
    [
      "that somebody else signs inside",
      "signers",
      [executed([{ ...payToken(), accounts: [{ address: b, role: AccountRole.READONLY_SIGNER }] }])],
      {},
    ],
  ])("%s is refused: %s", (_what, difference, instructions, expected) => {
    expect(judgeExecution(instructions, expected)).toBe(difference);
  });
});

describe("what the service says of a content", () => {
  const said = { type: "transfer", from: account, to: recipient, mint: null, amount: "5000" };
  const saidToken = {
    ...said,
    mint,
    from_token_account: tokenAccountOf(account),
    to_token_account: tokenAccountOf(recipient),
  };
  const openedAccount = {
    type: "create_token_account",
    owner: recipient,
    mint,
    token_account: tokenAccountOf(recipient),
    payer: account,
  };
  const saidActions = [
    { type: "add_signer", address: c, permissions: ["CAN_INITIATE", "CAN_VOTE"] },
    { type: "remove_signer", address: b },
    { type: "change_threshold", threshold: 2 },
    { type: "set_time_lock", time_lock: 60 },
    {
      type: "add_spending_limit",
      spending_limit: deriveSpendingLimitAddress(settings, keyOf(10)),
      mint: null,
      amount: "1000",
      period: "week",
      signers: [a],
      destinations: [recipient],
      expires_at: 2_000_000_000,
    },
    { type: "remove_spending_limit", spending_limit: keyOf(9) },
    { type: "remove_policy", policy: keyOf(11) },
  ];
  const change_ = { type: "settings_change", settings, by: [], actions: saidActions };

  it.each<[string, readonly (typeof said | object)[], ProposalContent]>([
    ["a payment", [said], payment],
    ["a payment of tokens", [openedAccount, saidToken], tokenPayment],
    ["instructions", [said, saidToken], own],
    ["a change", [change_], change],
  ])("is accepted when it is the same: %s", (_what, summary, content) => {
    expect(differenceOf(() => assertSummaryIs(summary as never, content, account))).toBe("none");
  });

  it.each<[string, readonly object[], ProposalContent]>([
    ["nothing", [], payment],
    ["another amount", [{ ...said, amount: "5001" }], payment],
    ["another recipient", [{ ...said, to: attacker }], payment],
    ["another payer", [{ ...said, from: attacker }], payment],
    ["another mint", [{ ...said, mint }], payment],
    ["two payments", [said, said], payment],
    ["another token account", [{ ...saidToken, to_token_account: tokenAccountOf(attacker) }], tokenPayment],
    ["less than the caller's own", [said], own],
    ["another change", [{ ...change_, actions: saidActions.slice(1) }], change],
    ["a payment in place of a change", [said], change],
    ["more than a change", [change_, said], change],
  ])("is refused when it is %s", (_what, summary, content) => {
    expect(differenceOf(() => assertSummaryIs(summary as never, content, account))).toBe("content");
  });
});

describe("what a node of the caller's own holds", () => {
  /** The account as create_transaction leaves it: one SOL transfer (program specification, 3.6). */
  const stored = (more: { index?: number; amount?: number; vault?: number } = {}): Uint8Array => {
    const bytes = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    const key = (text: Address) => getAddressEncoder().encode(text);
    return concat([
      bytes("0b18ae81cb75f217"),
      key(settings),
      key(a),
      key(feePayer),
      u64(more.index ?? 7),
      [0, more.vault ?? 0, 0, 0, 0, 0],
      [1, 1, 1],
      [3, 0, 0, 0],
      key(account),
      key(recipient),
      new Uint8Array(32),
      [1, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 12, 0, 0, 0, 2, 0, 0, 0],
      u64(more.amount ?? 5_000),
      [0, 0, 0, 0],
      [0, 0],
    ]);
  };
  const judge = (data: Uint8Array) =>
    differenceOf(() => assertStoredContentMatches(data, { account, transactionIndex, content: payment }));

  it("is compared with what the caller thinks it is", () => {
    expect(judge(stored())).toBe("none");
    expect(judge(stored({ amount: 5_001 }))).toBe("amount");
    expect(judge(stored({ index: 8 }))).toBe("proposal");
    expect(judge(stored({ vault: 1 }))).toBe("vault_index");
    expect(judge(new Uint8Array(8))).toBe("unreadable");
    expect(judge(stored().subarray(0, 200))).toBe("unreadable");
  });

  it("is compared for a batch with all that was put into it, each at its place", () => {
    const { batch, put } = storedBatch;
    const parts = [buildTransaction(account, [pay(1n)]), buildTransaction(account, [pay(2n)])];
    const content = { type: "batch", transactions: parts } as const;
    type Held = readonly { readonly address: Address; readonly data: Uint8Array }[];
    const both = [put(1, [pay(1n)]), put(2, [pay(2n)])];
    const judgeBatch = (data: Uint8Array, batchTransactions: Held | undefined, wanted: ProposalContent = content) =>
      differenceOf(() =>
        assertStoredContentMatches(data, {
          account,
          transactionIndex,
          content: wanted,
          ...(batchTransactions === undefined ? {} : { batchTransactions }),
        }),
      );
    expect(judgeBatch(batch(), both)).toBe("none");
    expect(decodeStoredTransaction(batch()).content).toEqual({ kind: "batch", accountIndex: 0, size: 2, executed: 0 });
    expect(judgeBatch(batch(), undefined)).toBe("content");
    expect(judgeBatch(batch(), both.slice(0, 1))).toBe("content");
    expect(judgeBatch(batch({ size: 3 }), [...both, put(3, [pay(9n, attacker)])])).toBe("content");
    expect(judgeBatch(batch({ size: 1 }), both.slice(0, 1))).toBe("content");
    expect(judgeBatch(batch(), [put(1, [pay(1n)]), put(2, [pay(3n)])])).toBe("content");
    expect(judgeBatch(batch(), [put(1, [pay(1n)]), put(2, [pay(2n, attacker)])])).toBe("content");
    expect(judgeBatch(batch(), [...both].reverse())).toBe("proposal");
    expect(judgeBatch(batch({ index: 8 }), both)).toBe("proposal");
    expect(judgeBatch(batch({ vault: 1 }), both)).toBe("vault_index");
    expect(judgeBatch(batch(), [put(1, [pay(1n)]), put(2, [pay(2n)], 1)])).toBe("signers");
    expect(judgeBatch(batch(), both, payment)).toBe("content");
    expect(judgeBatch(stored(), both)).toBe("content");
    const [first, second] = both as [(typeof both)[0], (typeof both)[0]];
    expect(judgeBatch(batch(), [first, { ...second, data: second.data.subarray(0, 90) }])).toBe("unreadable");
    expect(judgeBatch(batch(), [first, { ...second, data: batch() }])).toBe("unreadable");
    expect(judgeBatch(batch().subarray(0, 120), both)).toBe("unreadable");
  });
});

/** A batch of two and what was put into it, as the program leaves them. */
const storedBatch = {
  batch: (more: { index?: number; vault?: number; size?: number } = {}): Uint8Array =>
    Uint8Array.from(
      getBatchEncoder().encode({
        settings,
        creator: a,
        rentCollector: feePayer,
        index: more.index ?? 7,
        bump: 255,
        accountIndex: more.vault ?? 0,
        accountBump: 255,
        size: more.size ?? 2,
        executedTransactionIndex: 0,
      }),
    ),
  put: (number: number, inside: readonly Instruction[], ephemeralSigners = 0) => {
    const { addressTableLookups, ...message } = compileWrappedMessage(account, inside);
    const data = getBatchTransactionEncoder().encode({
      bump: 255,
      rentCollector: feePayer,
      ephemeralSignerBumps: new Uint8Array(ephemeralSigners),
      message: { ...message, addressTableLookups },
    } as never);
    return { address: deriveBatchTransactionAddress(settings, transactionIndex, number), data: Uint8Array.from(data) };
  },
};

describe("addresses", () => {
  it("are derived as the program does", () => {
    expect(deriveSmartAccountAddress(settings)).toBe(account);
    expect(deriveTransactionAddress(settings, 1n)).toBe("5GUmzesvqTGwixGKUE6KBo7PqdkDxufuAwdyxiTfoEoT");
    expect(deriveProposalAddress(settings, 2n)).toBe("8wvuzSwcZauFhHum5nW7jWkktHETQ6swSSRqDRBR9R62");
    expect(deriveSpendingLimitAddress(settings, keyOf(7))).toBe("Hk55rrA2jXQSHP7dkSb3FKf2nGauTkaAoMiPDy4sGnWJ");
  });
});

const proposal = deriveProposalAddress(settings, transactionIndex);

type Opening = {
  of?: Address;
  index?: bigint;
  voteOn?: bigint;
  creator?: Address;
  rentPayer?: Address;
  accountIndex?: number;
  ephemeralSigners?: number;
  draft?: boolean;
};

const read = (instructions: readonly Instruction[], payer = feePayer) =>
  decodeTransaction(buildTransaction(payer, instructions));

function differenceOf(check: () => unknown): string {
  try {
    check();
  } catch (error) {
    if (error instanceof TransactionMismatchError) return error.difference;
    throw error;
  }
  return "none";
}

type Creation = Partial<ExpectedProposalCreation>;

function u64(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true);
  return bytes;
}

function concat(parts: readonly ArrayLike<number>[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => Array.from(part)));
}

const judgeCreation = (instructions: readonly Instruction[], expected: Creation = {}, payer = feePayer) =>
  differenceOf(() =>
    assertProposalCreationMatches([read(instructions, payer)], {
      account,
      proposal,
      transactionIndex,
      content: payment,
      creators: [a],
      ...expected,
    }),
  );
