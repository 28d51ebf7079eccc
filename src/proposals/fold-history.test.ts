import { base58 } from "@scure/base";
import { type Address, getBase58Decoder } from "@solana/kit";
import {
  addTransactionToBatchInstruction,
  ConsensusAccountType,
  createBatchInstruction,
  deriveProposalAddress,
  deriveSettingsAddress,
  deriveTransactionAddress,
  executeBatchTransactionInstruction,
  type PlainInstruction,
  ProposalEventType,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TransactionEventType,
  type WrappedMessage,
} from "@trellis/program-client";
import {
  getSmartAccountEventEncoder,
  type SmartAccountEventArgs,
} from "@trellis/program-client/generated/types/index.js";
import { describe, expect, it } from "vitest";
import { foldTransaction } from "./fold-history.js";
import { emptyHistory, type HistoryTransaction, type ProposalHistory, type ProposalPlace } from "./proposal-history.js";
import { historyOf, toRow } from "./proposal-row.js";

const key = (fill: number): Address => getBase58Decoder().decode(new Uint8Array(32).fill(fill)) as Address;
const settingsAddress = deriveSettingsAddress(1n);
const place: ProposalPlace = {
  settingsAddress,
  transactionIndex: 1n,
  proposalAddress: deriveProposalAddress(settingsAddress, 1n),
  transactionAddress: deriveTransactionAddress(settingsAddress, 1n),
};
const [member, payer] = [key(1), key(2)];

const call = (data: readonly number[], accounts: readonly Address[] = []): Call => ({
  program: SMART_ACCOUNT_PROGRAM_ADDRESS,
  accounts,
  data: Uint8Array.from(data),
});

const someCall = call([1, 2, 3, 4, 5, 6, 7, 8], [settingsAddress, place.proposalAddress, place.transactionAddress]);

const fold = (transaction: HistoryTransaction, before = emptyHistory) =>
  foldTransaction(before, place, "signature-1", transaction);

describe("the history of a proposal", () => {
  const opened = fold(transactionOf([someCall], [recorded(proposalEvent(ProposalEventType.Create))]));

  it("takes state, votes and times from what the program recorded", () => {
    const voted = fold(
      transactionOf([someCall], [recorded(proposalEvent(ProposalEventType.Approve, [member]))]),
      opened,
    );
    expect(voted).toMatchObject({
      stand: { status: "active", statusTimestamp: 900n, approved: [member], rentCollector: payer },
      votes: [{ signer: member, action: "approve", at: 1_000, signature: "signature-1" }],
      openedAt: 1_000n,
      lastModified: { signature: "signature-1", at: 1_000n },
      closed: false,
      usesDurableNonce: false,
    });
  });

  it("counts nothing that other settings recorded, nor another program", () => {
    const vote = proposalEvent(ProposalEventType.Approve, [member]);
    const foreign = transactionOf([someCall], [recorded(vote, otherSettings), recorded(vote, settingsAddress, key(9))]);
    expect(fold(foreign, opened)).toEqual(opened);
  });

  it("lists a transaction that lives by a durable nonce, and only one that changed the proposal", () => {
    const advance: Call = { program: SYSTEM_PROGRAM_ADDRESS, accounts: [key(3)], data: Uint8Array.of(4, 0, 0, 0) };
    const vote = recorded(proposalEvent(ProposalEventType.Approve, [member]));
    expect(fold(transactionOf([advance, someCall], [vote]), opened).usesDurableNonce).toBe(true);
    expect(fold(transactionOf([advance, someCall]), opened).usesDurableNonce).toBe(false);
    expect(fold(transactionOf([someCall, advance], [vote]), opened).usesDurableNonce).toBe(false);
  });

  it("lists what closing gave back, and keeps the earlier entries", () => {
    const closing = transactionOf(
      [someCall],
      [recorded(proposalEvent(ProposalEventType.Close))],
      new Map([
        [place.proposalAddress, [30n, 0n]],
        [place.transactionAddress, [12n, 0n]],
      ]),
    );
    expect(fold(closing, opened)).toMatchObject({ closed: true, reclaimedLamports: 42n, stand: opened.stand });
  });

  it("stays over where a vote is opened on what was closed, and begins anew with something stored there", () => {
    const vote = fold(
      transactionOf([someCall], [recorded(proposalEvent(ProposalEventType.Approve, [member]))]),
      opened,
    );
    const closed = fold(transactionOf([someCall], [recorded(proposalEvent(ProposalEventType.Close))]), vote);
    const create = recorded(proposalEvent(ProposalEventType.Create));
    const again = recorded(proposalEvent(ProposalEventType.Approve, [member]));
    const activate = call(
      [0x5a, 0xba, 0xcb, 0xea, 0x46, 0xb9, 0xbf, 0x15],
      [settingsAddress, member, place.proposalAddress],
    );
    const close = recorded(proposalEvent(ProposalEventType.Close));
    expect(fold(transactionOf([someCall], [create, activate, again, close]), closed)).toEqual(closed);
    const store = recorded({
      __kind: "Transaction",
      consensusAccount: settingsAddress,
      consensusAccountType: ConsensusAccountType.Settings,
      eventType: TransactionEventType.Create,
      transactionAddress: place.transactionAddress,
      transactionIndex: 1n,
      signer: member,
      memo: null,
      content: null,
    } as SmartAccountEventArgs);
    expect(fold(transactionOf([someCall], [store, create]), closed)).toEqual(opened);
  });

  it("sees a draft opened by its instruction, wherever it stands", () => {
    const activate = call(
      [0x5a, 0xba, 0xcb, 0xea, 0x46, 0xb9, 0xbf, 0x15],
      [settingsAddress, member, place.proposalAddress],
    );
    const draft = { ...opened, stand: opened.stand && ({ ...opened.stand, status: "draft" } as const) };
    for (const transaction of [transactionOf([activate]), transactionOf([someCall], [activate])]) {
      expect(fold(transaction, draft).stand).toMatchObject({ status: "active", statusTimestamp: 1_000n });
    }
    const elsewhere = { ...activate, accounts: [otherSettings, member, place.proposalAddress] };
    expect(fold(transactionOf([elsewhere]), draft).stand).toEqual(draft.stand);
  });

  it("knows a batch by its instruction, and does not guess at what it cannot read", () => {
    const batch = call(
      [0x9f, 0xc6, 0xf8, 0x2b, 0xf8, 0x1f, 0xeb, 0x56],
      [settingsAddress, place.transactionAddress, member, payer],
    );
    expect(fold(transactionOf([batch])).facts).toEqual({
      kind: "batch",
      creator: member,
      rentCollector: payer,
      content: null,
    });
    const close: SmartAccountEventArgs = {
      __kind: "Transaction",
      consensusAccount: settingsAddress,
      consensusAccountType: ConsensusAccountType.Settings,
      eventType: TransactionEventType.Close,
      transactionAddress: place.transactionAddress,
      transactionIndex: 1n,
      signer: null,
      memo: null,
      content: null,
    };
    expect(fold(transactionOf([someCall], [recorded(close)])).facts).toBeUndefined();
  });

  describe("counts the transactions of a batch by their numbers", () => {
    const empty: WrappedMessage = {
      numSigners: 1,
      numWritableSigners: 1,
      numWritableNonSigners: 0,
      accountKeys: [member],
      instructions: [],
      addressTableLookups: [],
    };
    const where = { settings: settingsAddress, batchIndex: 1n, signer: member, message: empty };
    const callOf = ({ accounts, data }: PlainInstruction): Call =>
      call(
        [...data],
        accounts.map(({ address }) => address),
      );
    const added = (number: number) =>
      transactionOf([callOf(addTransactionToBatchInstruction({ ...where, number, rentPayer: payer }))]);
    const executed = (number: number) =>
      transactionOf([callOf(executeBatchTransactionInstruction({ ...where, number }))]);
    const begun = transactionOf([
      callOf(createBatchInstruction({ settings: settingsAddress, batchIndex: 1n, creator: member, rentPayer: payer })),
    ]);
    const foldAll = (history: ProposalHistory, transactions: readonly HistoryTransaction[]) =>
      transactions.reduce((before, transaction) => fold(transaction, before), history);
    const counts = ({ batch }: ProposalHistory) => [batch?.size, batch?.executed, batch?.transactions.length];
    /** What the next look goes on from, once the account showed more than its transactions told. */
    const seenAhead = (history: ProposalHistory, size: number, done: number): ProposalHistory => {
      const batch = { accountIndex: 0, size, executed: done };
      const facts = { kind: "batch", creator: member, rentCollector: payer, content: null, batch } as const;
      return historyOf(toRow("devnet", place, { stand: history.stand, facts, slot: 1n }, history));
    };

    it("once, where the account was seen before the transaction could be read", () => {
      const two = foldAll(emptyHistory, [begun, added(1), added(2)]);
      const three = fold(added(3), seenAhead(two, 3, 0));
      expect(counts(three)).toEqual([3, 0, 3]);
      const one = fold(executed(1), three);
      expect(counts(foldAll(seenAhead(one, 3, 3), [executed(2), executed(3)]))).toEqual([3, 3, 3]);
    });

    it("once, where a node repeats what it reported", () => {
      const all = [begun, added(1), added(2), executed(1), executed(2)];
      expect(counts(foldAll(foldAll(emptyHistory, all), all))).toEqual([2, 2, 2]);
    });

    it("with those that a node has forgotten, whose content is then unknown", () => {
      expect(counts(foldAll(emptyHistory, [begun, added(3), added(4), executed(2)]))).toEqual([4, 2, 0]);
      const far = foldAll(emptyHistory, [begun, added(90), added(91)]);
      expect(far.batch?.size).toBeGreaterThan(0);
      expect(far.batch?.transactions).toEqual([]);
    });
  });
});

const otherSettings = deriveSettingsAddress(2n);

interface Call {
  readonly program: Address;
  readonly accounts: readonly Address[];
  readonly data: Uint8Array;
}

/** A transaction of these top-level calls, with the inner calls of the last of them. */
function transactionOf(
  calls: readonly Call[],
  inner: readonly Call[] = [],
  balances: ReadonlyMap<Address, readonly [bigint, bigint]> = new Map(),
): HistoryTransaction {
  const keys = [...new Set([...calls, ...inner].flatMap(({ program, accounts }) => [program, ...accounts]))];
  const toIndexes = ({ program, accounts, data }: Call) => ({
    programIdIndex: keys.indexOf(program),
    accounts: accounts.map((account) => keys.indexOf(account)),
    data: base58.encode(data),
  });
  return {
    blockTime: 1_000n,
    meta: {
      innerInstructions: [{ index: calls.length - 1, instructions: inner.map(toIndexes) }],
      preBalances: keys.map((account) => balances.get(account)?.[0] ?? 0n),
      postBalances: keys.map((account) => balances.get(account)?.[1] ?? 0n),
    },
    transaction: { message: { accountKeys: keys, instructions: calls.map(toIndexes) } },
  };
}

function recorded(event: SmartAccountEventArgs, authority = settingsAddress, program?: Address): Call {
  const bytes = getSmartAccountEventEncoder().encode(event);
  const length = new Uint8Array(new Uint32Array([bytes.length]).buffer);
  const data = Uint8Array.of(0x05, 0x09, 0x5a, 0x8d, 0xdf, 0x86, 0x39, 0xd9, ...length, ...bytes);
  return { program: program ?? SMART_ACCOUNT_PROGRAM_ADDRESS, accounts: [authority], data };
}

function proposalEvent(eventType: ProposalEventType, approved: Address[] = []): SmartAccountEventArgs {
  const closed = eventType === ProposalEventType.Close;
  return {
    __kind: "Proposal",
    consensusAccount: settingsAddress,
    consensusAccountType: ConsensusAccountType.Settings,
    eventType,
    proposalAddress: place.proposalAddress,
    transactionIndex: 1n,
    signer: closed ? null : member,
    memo: null,
    proposal: closed
      ? null
      : {
          settings: settingsAddress,
          transactionIndex: 1n,
          rentCollector: payer,
          status: { __kind: "Active", timestamp: 900n },
          bump: 255,
          approved,
          rejected: [],
          cancelled: [],
        },
  };
}
