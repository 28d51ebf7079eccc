import { describe, expect, test } from "vitest";
import { decodeEvent } from "./support/decoding.js";
import { close as closeInstruction } from "./support/instructions.js";
import { named, PROGRAM } from "./support/keys.js";
import { eventBytes, FEE_PAYER, type Meta } from "./support/ledger.js";
import { A, B, D, TWO_OF_TWO } from "./support/members.js";
import { transferMessage } from "./support/messages.js";
import { r, w } from "./support/metas.js";
import { expectError, expectSuccess } from "./support/outcomes.js";
import { action, executeSettings, executeSettingsSync } from "./support/settings-instructions.js";
import { openAccount } from "./support/smart-account.js";
import { useSmartAccount } from "./support/use-smart-account.js";

const { ledger, account } = useSmartAccount();

const close = async (kind: Kind, index: bigint, more = {}) => ledger.send(await build(kind, index, more));

test("a closed index is not issued again", async () => {
  const index = await store("close_transaction");
  makeStale();
  expectSuccess(await close("close_transaction", index));
  expect(await store("close_transaction")).toBe(index + 1n);
});

const KINDS = ["close_transaction", "close_settings_transaction"] as const;

const propose = async (index: bigint, more = {}) => expectSuccess(ledger.send(await account.propose(A, index, more)));
const votes = async (kind: "approve" | "reject" | "cancel", index: bigint, voters = [A, B]) => {
  for (const voter of voters) expectSuccess(ledger.send(await account.vote(kind, voter, index)));
};

describe.each(KINDS)("%s", (kind) => {
  const states: [string, (index: bigint) => Promise<unknown>, { current: boolean; stale: boolean }][] = [
    ["no proposal", async () => undefined, { current: false, stale: true }],
    ["a draft", (index) => propose(index, { draft: true }), { current: false, stale: true }],
    ["an open vote", (index) => propose(index), { current: false, stale: true }],
    [
      "an approved proposal",
      async (index) => {
        await propose(index);
        await votes("approve", index);
      },
      { current: false, stale: kind === "close_settings_transaction" },
    ],
    [
      "a rejected proposal",
      async (index) => {
        await propose(index);
        await votes("reject", index, [A]);
      },
      { current: true, stale: true },
    ],
    [
      "a cancelled proposal",
      async (index) => {
        await propose(index);
        await votes("approve", index);
        await votes("cancel", index);
      },
      { current: true, stale: true },
    ],
  ];

  describe.each(states)("with %s", (_, prepare, allowed) => {
    test(`current: ${allowed.current ? "closes" : "6009"}, stale: ${allowed.stale ? "closes" : "6009"}`, async () => {
      const index = await store(kind);
      await prepare(index);
      if (allowed.current) {
        expectSuccess(await close(kind, index));
        return;
      }
      expectError(await close(kind, index), 6009);
      makeStale();
      if (allowed.stale) expectSuccess(await close(kind, index));
      else expectError(await close(kind, index), 6009);
    });
  });

  test("after execution both rents go to those who paid them", async () => {
    const [payer1, payer2] = [named("payer 1"), named("payer 2")];
    ledger.fund(payer1, payer2);
    const start = ledger.balance(payer1);
    const index = await store(kind, payer1);
    await propose(index, { payer: payer2 });
    await votes("approve", index);
    await execute(kind, index);
    const [transaction, proposal] = [await account.transactionKey(index), await account.proposalKey(index)];
    const outcome = expectSuccess(
      await close(kind, index, { transactionCollector: payer1, proposalCollector: payer2 }),
    );
    expect([ledger.account(transaction), ledger.account(proposal)]).toEqual([undefined, undefined]);
    expect([ledger.balance(payer1), ledger.balance(payer2)]).toEqual([start, start]);

    const events = eventBytes(outcome);
    expect(decodeEvent(events[0], 9)).toEqual({
      consensus: account.settings,
      type: 0,
      step: 5,
      proposalKey: proposal,
      index,
      signer: undefined,
      memo: undefined,
      proposal: undefined,
    });
    if (kind === "close_settings_transaction") {
      expect(events.length).toBe(1);
      return;
    }
    expect(events.length).toBe(2);
    expect(decodeEvent(events[1], 8)).toEqual({
      consensus: account.settings,
      type: 0,
      step: 2,
      transactionKey: transaction,
      index,
      signer: undefined,
      memo: undefined,
      content: undefined,
    });
  });

  test("lamports sent to the address of a proposal that never was do not make one", async () => {
    const index = await store(kind);
    makeStale();
    ledger.set(await account.proposalKey(index), { lamports: 5_000_000n });
    const outcome = expectSuccess(await close(kind, index));
    expect(eventBytes(outcome).length).toBe(kind === "close_transaction" ? 1 : 0);
    expect(ledger.balance(await account.proposalKey(index))).toBe(5_000_000n);
  });

  test("an executing proposal, which no instruction writes any more, stays: 6009", async () => {
    const index = await store(kind);
    await propose(index);
    makeStale();
    const key = await account.proposalKey(index);
    const stored = ledger.account(key);
    if (stored === undefined) throw new Error("no proposal");
    const data = new Uint8Array(stored.data);
    data[80] = 4;
    data.copyWithin(81, 89);
    ledger.set(key, { ...stored, data });
    expectError(await close(kind, index), 6009);
  });

  test("only to the recorded rent payers: 6034", async () => {
    const index = await store(kind);
    await propose(index);
    makeStale();
    expectError(await close(kind, index, { transactionCollector: D }), 6034);
    expectError(await close(kind, index, { proposalCollector: D }), 6034);
    expectSuccess(await close(kind, index));
  });

  test("not of another account: 6036, with another index's proposal: 2006", async () => {
    const index = await store(kind);
    const second = await store(kind);
    makeStale();
    const other = await openAccount(ledger, TWO_OF_TWO);
    const good = await build(kind, index);
    const replaced = (...changes: [number, Meta][]) => {
      const accounts = [...good.accounts];
      for (const [position, meta] of changes) accounts[position] = meta;
      return ledger.send({ ...good, accounts });
    };
    expectError(replaced([0, r(other.settings)], [1, w(await other.proposalKey(index))]), 6036);
    expectError(replaced([1, w(await account.proposalKey(second))]), 2006);
    expectSuccess(ledger.send(good));
  });

  test("not as the other kind: 3002", async () => {
    const index = await store(kind);
    makeStale();
    const other = kind === "close_transaction" ? "close_settings_transaction" : "close_transaction";
    expectError(await close(other, index), 3002);
  });

  test("wrong accounts: 2000, 3008, 3012, 3005; settings elsewhere: 2003, or 2006 for a settings transaction", async () => {
    const index = await store(kind);
    makeStale();
    const good = await build(kind, index);
    const replaced = (position: number, meta: Meta) =>
      ledger.send({ ...good, accounts: good.accounts.map((present, i) => (i === position ? meta : present)) });
    for (const position of [1, 2, 3, 4]) {
      const meta = good.accounts[position];
      // The fee payer is writable in any case.
      if (meta !== undefined && position < 3) expectError(replaced(position, r(meta.key)), 2000);
    }
    expectError(replaced(3, r(D)), 2000);
    expectError(replaced(4, r(D)), 2000);
    expectError(replaced(5, r(PROGRAM)), 3008);
    expectError(replaced(6, r(D)), 3008);
    expectError(replaced(2, w(await account.transactionKey(77))), 3012);
    expectError(ledger.send({ ...good, accounts: good.accounts.slice(0, 6) }), 3005);
    const copy = ledger.account(account.settings);
    if (copy === undefined) throw new Error("no settings");
    ledger.set(named("elsewhere"), copy);
    expectError(replaced(0, r(named("elsewhere"))), kind === "close_transaction" ? 2003 : 2006);
  });

  test("a collector that is the closed account itself: 2011", async () => {
    const index = await store(kind);
    makeStale();
    const good = await build(kind, index);
    const transaction = await account.transactionKey(index);
    const accounts = good.accounts.map((meta, i) => (i === 4 ? w(transaction) : meta));
    expectError(ledger.send({ ...good, accounts }), 2011);
  });

  test("a closed transaction cannot be closed again: 3012", async () => {
    const index = await store(kind);
    makeStale();
    expectSuccess(await close(kind, index));
    expectError(await close(kind, index), 3012);
  });
});

type Kind = (typeof KINDS)[number];

async function build(
  kind: Kind,
  index: bigint,
  more: { proposalCollector?: Uint8Array; transactionCollector?: Uint8Array } = {},
) {
  return closeInstruction({
    kind,
    settings: account.settings,
    proposal: await account.proposalKey(index),
    transaction: await account.transactionKey(index),
    ...more,
  });
}

/** Stores a transaction of the kind that is being closed; returns its index. */
async function store(kind: Kind, payer = FEE_PAYER): Promise<bigint> {
  const index = account.nextIndex();
  const instruction =
    kind === "close_transaction"
      ? await account.createTransaction(A, transferMessage(account.vault, D, 1_000_000), { payer })
      : await account.createSettings(A, [action.changeThreshold(2)], { payer });
  expectSuccess(ledger.send(instruction));
  return index;
}

const execute = async (kind: Kind, index: bigint) =>
  expectSuccess(
    ledger.send(
      kind === "close_transaction"
        ? await account.executeTransfer(A, index, D)
        : executeSettings({
            settings: account.settings,
            signer: A,
            proposal: await account.proposalKey(index),
            transaction: await account.transactionKey(index),
          }),
    ),
  );

/** Makes everything so far stale. */
const makeStale = () =>
  expectSuccess(
    ledger.send(
      executeSettingsSync({ settings: account.settings, members: [A, B], actions: [action.changeThreshold(2)] }),
    ),
  );
