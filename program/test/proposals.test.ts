import { beforeEach, describe, expect, test } from "vitest";
import { decodeEvent } from "./support/decoding.js";
import { activateProposal } from "./support/instructions.js";
import { named, PROGRAM } from "./support/keys.js";
import { eventBytes, FEE_PAYER, type Meta } from "./support/ledger.js";
import { A, ALL, B, C, D, EXECUTE, INITIATE, type Terms, VOTE } from "./support/members.js";
import { transferMessage } from "./support/messages.js";
import { r, w, ws } from "./support/metas.js";
import { expectError, expectRuntimeError, expectSuccess } from "./support/outcomes.js";
import { action, executeSettingsSync } from "./support/settings-instructions.js";
import { openAccount } from "./support/smart-account.js";
import { useSmartAccount } from "./support/use-smart-account.js";

const { ledger, account } = useSmartAccount(() => TERMS);

describe("create_proposal", () => {
  test.each([
    [true, "Draft"],
    [false, "Active"],
  ] as const)("draft %s opens it as %s and logs event 9", async (draft, name) => {
    await stored();
    const outcome = expectSuccess(ledger.send(await account.propose(F, 1, { draft })));
    const proposal = await account.proposal(1);
    expect(proposal).toEqual({
      consensus: account.settings,
      transactionIndex: 1n,
      rentCollector: FEE_PAYER,
      status: { name, since: ledger.now() },
      bump: expect.any(Number),
      approved: [],
      rejected: [],
      cancelled: [],
    });
    const events = eventBytes(outcome);
    expect(events.length).toBe(1);
    expect(decodeEvent(events[0], 9)).toEqual({
      consensus: account.settings,
      type: 0,
      step: 0,
      proposalKey: await account.proposalKey(1),
      index: 1n,
      signer: F,
      memo: undefined,
      proposal,
    });
    expect(ledger.account(await account.proposalKey(1))?.data.length).toBe(102 + 96 * 5);
  });

  test("voters may open one, strangers (6006) and mere executors (6005) may not", async () => {
    await stored();
    expectError(ledger.send(await account.propose(D, 1)), 6006);
    expectError(ledger.send(await account.propose(E, 1)), 6005);
    expectSuccess(ledger.send(await account.propose(C, 1)));
  });

  test("not for an index that was not issued (6010), a stale one or zero (6008)", async () => {
    expectError(ledger.send(await account.propose(A, 1)), 6010);
    expectError(ledger.send(await account.propose(A, 0)), 6008);
    await stored();
    makeStale();
    expectError(ledger.send(await account.propose(A, 1)), 6008);
  });

  test("not twice: system error 0", async () => {
    await open();
    expectError(ledger.send(await account.propose(B, 1)), 0);
  });

  test("wrong accounts: 2006, escalation, 3010, 3008, 102", async () => {
    await stored();
    const good = await account.propose(A, 1);
    const replaced = (position: number, meta: Meta) =>
      ledger.send({ ...good, accounts: good.accounts.map((present, i) => (i === position ? meta : present)) });
    expectError(replaced(1, w(await account.proposalKey(2))), 2006);
    expectRuntimeError(replaced(1, r(await account.proposalKey(1))), "PrivilegeEscalation");
    expectError(replaced(2, r(A)), 3010);
    expectError(replaced(3, w(D)), 3010);
    expectError(replaced(4, r(D)), 3008);
    expectError(replaced(5, r(D)), 3008);
    const data = new Uint8Array(good.data);
    data[16] = 2;
    expectError(ledger.send({ ...good, data }), 102);
  });
});

describe("activate_proposal", () => {
  const activate = async (signer: Uint8Array) =>
    ledger.send(activateProposal(account.settings, signer, await account.proposalKey(1)));

  test("turns a draft into an open vote and logs nothing", async () => {
    await stored();
    expectSuccess(ledger.send(await account.propose(A, 1, { draft: true })));
    expectError(await send("approve", A), 6009);
    ledger.setTime(ledger.now() + 5n);
    const outcome = expectSuccess(await activate(F));
    expect(outcome.inner).toEqual([]);
    expect((await account.proposal(1)).status).toEqual({ name: "Active", since: ledger.now() });
    expectSuccess(await send("approve", A));
  });

  test("needs a member (6006) with Initiate (6005), a draft (6009) that is not stale (6008)", async () => {
    await stored();
    expectSuccess(ledger.send(await account.propose(A, 1, { draft: true })));
    expectError(await activate(D), 6006);
    expectError(await activate(C), 6005);
    makeStale();
    expectError(await activate(A), 6008);
  });

  test("an active proposal cannot be activated: 6009", async () => {
    await open();
    expectError(await activate(A), 6009);
  });

  test("wrong accounts: 3010, 2000, 3002, 3012", async () => {
    await open();
    const good = activateProposal(account.settings, A, await account.proposalKey(1));
    const replaced = (position: number, meta: Meta) =>
      ledger.send({ ...good, accounts: good.accounts.map((present, i) => (i === position ? meta : present)) });
    expectError(replaced(1, r(A)), 3010);
    expectError(replaced(2, r(await account.proposalKey(1))), 2000);
    expectError(replaced(2, w(account.settings)), 3002);
    expectError(replaced(2, w(await account.proposalKey(9))), 3012);
  });
});

describe("approve_proposal and reject_proposal", () => {
  test("approval at the threshold; lists stay sorted; event 9 carries memo and state", async () => {
    await open();
    expectSuccess(await send("approve", C));
    ledger.setTime(ledger.now() + 7n);
    const outcome = expectSuccess(await send("approve", A, { memo: "fine" }));
    const proposal = await account.proposal(1);
    expect(proposal.approved).toEqual([A, C]);
    expect(proposal.status).toEqual({ name: "Approved", since: ledger.now() });
    expect(decodeEvent(eventBytes(outcome)[0], 9)).toEqual({
      consensus: account.settings,
      type: 0,
      step: 1,
      proposalKey: await account.proposalKey(1),
      index: 1n,
      signer: A,
      memo: "fine",
      proposal,
    });
  });

  test("rejection once approval has become impossible", async () => {
    await open();
    expectSuccess(await send("reject", C));
    expect((await account.proposal(1)).status.name).toBe("Active");
    const outcome = expectSuccess(await send("reject", B));
    const proposal = await account.proposal(1);
    expect(proposal.rejected).toEqual([B, C]);
    expect(proposal.status).toEqual({ name: "Rejected", since: ledger.now() });
    expect(decodeEvent(eventBytes(outcome)[0], 9)).toMatchObject({ step: 2, signer: B, proposal });
  });

  test("a change of mind moves the vote", async () => {
    await open();
    expectSuccess(await send("reject", A));
    expectSuccess(await send("approve", A));
    expect(await account.proposal(1)).toMatchObject({ approved: [A], rejected: [] });
    expectSuccess(await send("reject", A));
    expect(await account.proposal(1)).toMatchObject({ approved: [], rejected: [A] });
  });

  test("the same vote twice: 6011, 6012", async () => {
    await open();
    expectSuccess(await send("approve", A));
    expectError(await send("approve", A), 6011);
    expectSuccess(await send("reject", A));
    expectError(await send("reject", A), 6012);
  });

  test.each(["approve", "reject"] as const)(
    "%s needs a member (6006) with Vote (6005), an open vote (6009) that is not stale (6008)",
    async (kind) => {
      await open();
      expectError(await send(kind, D), 6006);
      expectError(await send(kind, E), 6005);
      makeStale();
      expectError(await send(kind, A), 6008);
    },
  );

  test.each(["approve", "reject"] as const)(
    "%s after the decision, even in the same transaction: 6009",
    async (kind) => {
      await open();
      const votes = [await account.vote("approve", A, 1), await account.vote("approve", B, 1)];
      expectError(ledger.send(...votes, await account.vote(kind, C, 1)), 6009, 2);
      expectSuccess(ledger.send(...votes));
      expectError(await send(kind, C), 6009);
    },
  );

  test("wrong accounts: 3010, 2000, 3008, 2006, 102", async () => {
    await open();
    expectSuccess(ledger.send(await account.createTransaction(A, transferMessage(account.vault, D, 1))));
    const good = await account.vote("approve", A, 1);
    const replaced = (position: number, meta: Meta) =>
      ledger.send({ ...good, accounts: good.accounts.map((present, i) => (i === position ? meta : present)) });
    expectError(replaced(1, w(A)), 3010);
    expectError(replaced(2, r(await account.proposalKey(1))), 2000);
    expectError(replaced(3, r(D)), 3008);
    expectError(replaced(4, r(D)), 3008);
    expectError(ledger.send({ ...good, data: good.data.slice(0, 8) }), 102);
    expectError(ledger.send({ ...good, data: Uint8Array.from([...good.data.slice(0, 8), 1, 1, 0, 0, 0, 0xff]) }), 102);
    const content = ledger.account(await account.proposalKey(1));
    if (content === undefined) throw new Error("no proposal");
    ledger.set(named("elsewhere"), content);
    expectError(replaced(2, w(named("elsewhere"))), 2006);
  });

  test("another account's proposal: 2006", async () => {
    await open();
    const other = await openAccount(ledger, TERMS);
    const good = await other.vote("approve", A, 1);
    const accounts = [...good.accounts];
    accounts[2] = w(await account.proposalKey(1));
    expectError(ledger.send({ ...good, accounts }), 2006);
  });
});

describe("cancel_proposal", () => {
  beforeEach(async () => {
    await open();
    expectSuccess(ledger.send(await account.vote("approve", A, 1), await account.vote("approve", B, 1)));
  });

  test("cancels an approved proposal at the threshold, logging event 9", async () => {
    expectSuccess(await send("cancel", C));
    expect((await account.proposal(1)).status.name).toBe("Approved");
    const outcome = expectSuccess(await send("cancel", B));
    const proposal = await account.proposal(1);
    expect(proposal.cancelled).toEqual([B, C]);
    expect(proposal.status).toEqual({ name: "Cancelled", since: ledger.now() });
    expect(decodeEvent(eventBytes(outcome)[0], 9)).toMatchObject({ step: 3, signer: B, proposal });
    expectError(ledger.send(await account.executeTransfer(A, 1, D)), 6009);
  });

  test("needs a member (6006) with Vote (6005), the system program (6024); not twice (6013)", async () => {
    expectError(await send("cancel", D), 6006);
    expectError(await send("cancel", E), 6005);
    expectError(await send("cancel", A, { system: false }), 6024);
    expectSuccess(await send("cancel", A));
    expectError(await send("cancel", A), 6013);
  });

  test("only what is approved: 6009", async () => {
    expectSuccess(ledger.send(await account.executeTransfer(A, 1, D)));
    expectError(await send("cancel", A), 6009);
  });

  test("works on a stale proposal and forgets members who left", async () => {
    expectSuccess(await send("cancel", C));
    expectSuccess(
      ledger.send(
        executeSettingsSync({ settings: account.settings, members: [A, B], actions: [action.removeSigner(C)] }),
      ),
    );
    expectSuccess(await send("cancel", A));
    const proposal = await account.proposal(1);
    expect(proposal.cancelled).toEqual([A]);
    expect(proposal.status.name).toBe("Approved");
    expectSuccess(await send("cancel", B));
    expect((await account.proposal(1)).status.name).toBe("Cancelled");
  });

  test("grows the account for members who joined, at the voter's expense", async () => {
    expectSuccess(
      ledger.send(
        executeSettingsSync({
          settings: account.settings,
          members: [A, B],
          actions: [1, 2].map((i) => action.addSigner({ key: named(`late ${i}`), mask: VOTE })),
          payer: FEE_PAYER,
        }),
      ),
    );
    const before = ledger.balance(A);
    expectSuccess(await send("cancel", A));
    const proposal = ledger.account(await account.proposalKey(1));
    expect(proposal?.data.length).toBe(102 + 96 * 7);
    expect(before - ledger.balance(A)).toBe(ledger.rent(102 + 96 * 7) - ledger.rent(102 + 96 * 5));
    expect(proposal?.lamports).toBe(ledger.rent(102 + 96 * 7));
  });

  test("growing needs a voter with money: system error 1", async () => {
    expectSuccess(
      ledger.send(
        executeSettingsSync({
          settings: account.settings,
          members: [A, B],
          actions: [action.addSigner({ key: named("late"), mask: VOTE })],
          payer: FEE_PAYER,
        }),
      ),
    );
    ledger.set(A, { lamports: 0n });
    expectError(await send("cancel", A), 1);
  });
});

test("a voter removed and a lowered threshold count from then on", async () => {
  await open();
  expectSuccess(await send("approve", A));
  makeStale(1);
  expectError(await send("approve", B), 6008);
  expectSuccess(
    ledger.send(await account.createTransaction(A, transferMessage(account.vault, D, 1_000_000), { index: 2n })),
  );
  expectSuccess(ledger.send(await account.propose(A, 2), await account.vote("approve", C, 2)));
  expect((await account.proposal(2)).status.name).toBe("Approved");
});

test("optional accounts are absent when they are the program itself", async () => {
  await open();
  const good = await account.vote("approve", A, 1);
  expect(good.accounts[3]).toEqual(r(PROGRAM));
  expect(good.accounts[1]).toEqual(ws(A));
  expectSuccess(ledger.send(good));
});

/** Three voters, two needed, so two rejections also decide; E executes only, F initiates only. */
const E = named("executor");
const F = named("initiator");
const TERMS: Terms = {
  threshold: 2,
  members: [
    { key: A, mask: ALL },
    { key: B, mask: ALL },
    { key: C, mask: VOTE },
    { key: E, mask: EXECUTE },
    { key: F, mask: INITIATE },
  ],
};

/** A stored transfer at index 1. */
async function stored(): Promise<void> {
  expectSuccess(ledger.send(await account.createTransaction(A, transferMessage(account.vault, D, 1_000_000))));
}

/** A stored transfer at index 1 with an open vote. */
async function open(): Promise<void> {
  await stored();
  expectSuccess(ledger.send(await account.propose(A, 1)));
}

const send = async (kind: "approve" | "reject" | "cancel", signer: Uint8Array, more = {}) =>
  ledger.send(await account.vote(kind, signer, 1, more));

/** Changes the threshold with A and B signing, which makes everything so far stale. */
const makeStale = (threshold = 2) =>
  expectSuccess(
    ledger.send(
      executeSettingsSync({
        settings: account.settings,
        members: [A, B],
        actions: [action.changeThreshold(threshold)],
      }),
    ),
  );
