import { describe, expect, test } from "vitest";
import { u32 } from "./support/bytes.js";
import { decodeEvent } from "./support/decoding.js";
import { named, PROGRAM, repeated, SYSTEM } from "./support/keys.js";
import { eventBytes, FEE_PAYER, type Instruction, type Ledger, type Meta } from "./support/ledger.js";
import { A, ALL, B, C, D, EXECUTE, INITIATE, TWO_OF_TWO, VOTE } from "./support/members.js";
import { transferMessage } from "./support/messages.js";
import { r, s, w } from "./support/metas.js";
import { expectError, expectRuntimeError, expectSuccess } from "./support/outcomes.js";
import { action, executeSettings, executeSettingsSync, type LimitTerms } from "./support/settings-instructions.js";
import { openAccount } from "./support/smart-account.js";
import { useSmartAccount } from "./support/use-smart-account.js";

const SEED = repeated(7);
const LIMIT: LimitTerms = { seed: SEED, amount: 1_000_000n, period: 1, signers: [B, A], destinations: [D] };

const { ledger, account, open } = useSmartAccount();

describe("create_settings_transaction", () => {
  test("stores every kind of action, raises the index, logs event 8 with settings and actions", async () => {
    const actions = [
      action.addSigner({ key: C, mask: VOTE }),
      action.removeSigner(B),
      action.changeThreshold(1),
      action.setTimeLock(60),
      action.addSpendingLimit(LIMIT),
      action.removeSpendingLimit(D),
    ];
    const outcome = expectSuccess(ledger.send(await account.createSettings(A, actions)));
    const stored = await account.settingsTransaction(1);
    expect(stored).toEqual({
      settings: account.settings,
      creator: A,
      rentCollector: FEE_PAYER,
      index: 1n,
      bump: expect.any(Number),
      actions: [
        { tag: 0, member: { key: C, mask: VOTE } },
        { tag: 1, key: B },
        { tag: 2, threshold: 1 },
        { tag: 3, seconds: 60 },
        {
          tag: 4,
          terms: {
            seed: SEED,
            accountIndex: 0,
            mint: SYSTEM,
            amount: 1_000_000n,
            period: 1,
            signers: [B, A],
            destinations: [D],
            expiration: 2n ** 63n - 1n,
          },
        },
        { tag: 5, key: D },
      ],
    });
    expect(size(await account.transactionKey(1))).toBe(117 + actions.reduce((sum, bytes) => sum + bytes.length, 0));
    expect(account.read().transactionIndex).toBe(1n);
    expect(account.read().staleTransactionIndex).toBe(0n);
    expect(decodeEvent(eventBytes(outcome)[0], 8)).toEqual({
      consensus: account.settings,
      type: 0,
      step: 0,
      transactionKey: await account.transactionKey(1),
      index: 1n,
      signer: A,
      memo: undefined,
      content: { settings: account.read(), settingsTransaction: stored, actions: stored.actions },
    });
  });

  test("is for autonomous accounts: 6021", async () => {
    await open({ ...TWO_OF_TWO, authority: C });
    expectError(ledger.send(await account.createSettings(A, [action.changeThreshold(1)])), 6021);
  });

  test("needs a member (6006) with Initiate (6005)", async () => {
    await open({
      threshold: 1,
      members: [
        { key: A, mask: ALL },
        { key: B, mask: VOTE },
      ],
    });
    expectError(ledger.send(await account.createSettings(D, [action.changeThreshold(1)])), 6006);
    expectError(ledger.send(await account.createSettings(B, [action.changeThreshold(1)])), 6005);
  });

  test.each<[string, () => Uint8Array[], number]>([
    ["no actions", () => [], 6023],
    ["a time lock above 90 days", () => [action.setTimeLock(7_776_001)], 6031],
    ["an expired limit", () => [action.addSpendingLimit({ ...LIMIT, expiration: 1_700_000_000n })], 6080],
    ["a policy", () => [action.removePolicy(D)], 6052],
    ["an unknown action", () => [Uint8Array.of(10)], 102],
    ["an unknown period", () => [action.addSpendingLimit({ ...LIMIT, period: 4 })], 102],
  ])("is refused with %s", async (_, actions, code) => {
    expectError(ledger.send(await account.createSettings(A, actions())), code);
  });

  test("accepts what only the execution can judge, and a limit that expires a second later", async () => {
    const actions = [
      action.changeThreshold(99),
      action.removeSigner(D),
      action.setArchivalAuthority(D),
      action.addSpendingLimit({ ...LIMIT, expiration: 1_700_000_001n }),
    ];
    expectSuccess(ledger.send(await account.createSettings(A, actions)));
  });

  test("claims more actions than it carries: 102", async () => {
    const good = await account.createSettings(A, [action.changeThreshold(1)]);
    const data = new Uint8Array(good.data);
    data.set(u32(4_000_000_000), 8);
    expectError(ledger.send({ ...good, data }), 102);
  });

  test("wrong accounts: 2006 for another index, 2000, 3010, 3008", async () => {
    const good = await account.createSettings(A, [action.changeThreshold(1)]);
    expectError(ledger.send(replaced(good, 1, w(await account.transactionKey(2)))), 2006);
    expectError(ledger.send(replaced(good, 0, r(account.settings))), 2000);
    expectError(ledger.send(replaced(good, 2, r(A))), 3010);
    expectError(ledger.send(replaced(good, 3, w(D))), 3010);
    expectError(ledger.send(replaced(good, 4, r(D))), 3008);
    expectError(ledger.send(replaced(good, 5, r(D))), 3008);
  });
});

/** Applies actions by vote or synchronously; both ways share their rules. */
type Way = (
  actions: readonly Uint8Array[],
  more?: { payer?: Uint8Array | undefined; system?: boolean; limits?: readonly Uint8Array[] },
) => Promise<ReturnType<Ledger["send"]>>;

const voted: Way = async (actions, more = { payer: FEE_PAYER }) => {
  const index = await account.approvedSettings(actions, [A, B]);
  return ledger.send(
    executeSettings({
      settings: account.settings,
      signer: A,
      proposal: await account.proposalKey(index),
      transaction: await account.transactionKey(index),
      ...more,
    }),
  );
};

const synchronous: Way = async (actions, more = { payer: FEE_PAYER }) =>
  ledger.send(executeSettingsSync({ settings: account.settings, members: [A, B], actions, ...more }));

describe.each([
  ["execute_settings_transaction", voted],
  ["execute_settings_transaction_sync", synchronous],
])("%s", (_, apply) => {
  test("adds a member in key order, grows the account, makes proposals stale", async () => {
    const key = repeated(1);
    key[31] = 2;
    expectSuccess(await apply([action.addSigner({ key, mask: EXECUTE })]));
    const settings = account.read();
    expect(settings.signers).toEqual([
      { key: A, mask: ALL },
      { key, mask: EXECUTE },
      { key: B, mask: ALL },
    ]);
    expect(settings.staleTransactionIndex).toBe(settings.transactionIndex);
    expect(size(account.settings)).toBe(135 + 33 * 3);
    expect(ledger.balance(account.settings)).toBe(ledger.rent(135 + 33 * 3));
  });

  test("removes a member without shrinking; adding again needs no payer", async () => {
    expectSuccess(await apply([action.removeSigner(B), action.changeThreshold(1)]));
    expect(account.read().signers).toEqual([{ key: A, mask: ALL }]);
    expect(size(account.settings)).toBe(135 + 33 * 2);
  });

  test("a swap may list additions and removals in any order", async () => {
    expectSuccess(
      await apply([
        action.changeThreshold(3),
        action.removeSigner(B),
        action.addSigner({ key: C, mask: ALL }),
        action.addSigner({ key: D, mask: VOTE }),
        action.changeThreshold(2),
        action.setTimeLock(7_776_000),
      ]),
    );
    expect(account.read()).toMatchObject({
      threshold: 2,
      timeLock: 7_776_000,
      signers: [
        { key: A, mask: ALL },
        { key: C, mask: ALL },
        { key: D, mask: VOTE },
      ],
    });
  });

  test.each<[string, () => Uint8Array[], number]>([
    ["a member who is there already", () => [action.addSigner({ key: A, mask: ALL })], 6001],
    ["an unknown permission", () => [action.addSigner({ key: C, mask: 8 })], 6029],
    ["the removal of a stranger", () => [action.removeSigner(C)], 6006],
    ["a threshold of zero", () => [action.changeThreshold(0)], 6004],
    ["a threshold above the voters", () => [action.changeThreshold(3)], 6004],
    ["too few voters for the threshold", () => [action.removeSigner(A)], 6004],
    ["nobody left", () => [action.removeSigner(A), action.removeSigner(B)], 6018],
    ["an archival authority", () => [action.setArchivalAuthority()], 6052],
    ["a limit of zero", () => [action.addSpendingLimit({ ...LIMIT, amount: 0n })], 6040],
    ["a limit without signers", () => [action.addSpendingLimit({ ...LIMIT, signers: [] })], 6002],
    ["a limit with a signer twice", () => [action.addSpendingLimit({ ...LIMIT, signers: [A, B, A] })], 6001],
  ])("is refused with %s", async (_name, actions, code) => {
    const before = account.read();
    expectError(await apply(actions(), { payer: FEE_PAYER, limits: [await account.limitKey(SEED)] }), code);
    expect(account.read()).toMatchObject({ signers: before.signers, threshold: 2, timeLock: 0 });
  });

  test("no initiator (6018), no executor (6019), no voter (6017) left", async () => {
    await open({
      threshold: 2,
      members: [
        { key: A, mask: ALL },
        { key: B, mask: ALL },
      ],
    });
    const reduce = (mask: number) => [
      action.removeSigner(A),
      action.removeSigner(B),
      action.addSigner({ key: A, mask }),
      action.addSigner({ key: B, mask }),
    ];
    expectError(await apply(reduce(VOTE | EXECUTE)), 6018);
    expectError(await apply(reduce(VOTE | INITIATE)), 6019);
    expectError(await apply(reduce(INITIATE | EXECUTE)), 6017);
  });

  test("growth needs a rent payer and the system program (6024), and the right one (3008)", async () => {
    const grow = [action.addSigner({ key: C, mask: VOTE })];
    expectError(await apply(grow, {}), 6024);
    expectError(await apply(grow, { payer: FEE_PAYER, system: false }), 6024);
    expectError(await apply(grow, { system: true }), 6024);
  });

  test("growth that is paid for already needs no payer", async () => {
    ledger.set(account.settings, {
      lamports: ledger.rent(1000),
      data: ledger.account(account.settings)?.data ?? new Uint8Array(),
      owner: PROGRAM,
    });
    expectSuccess(await apply([action.addSigner({ key: C, mask: VOTE })], {}));
    expect(size(account.settings)).toBe(135 + 33 * 3);
  });

  test("adds a spending limit: sorted signers, full amount, event 3; proposals stay current", async () => {
    const limit = await account.limitKey(SEED);
    const outcome = expectSuccess(await apply([action.addSpendingLimit(LIMIT)], { payer: FEE_PAYER, limits: [limit] }));
    const stored = await account.limit(SEED);
    expect(stored).toEqual({
      settings: account.settings,
      seed: SEED,
      accountIndex: 0,
      mint: SYSTEM,
      amount: 1_000_000n,
      period: 1,
      remaining: 1_000_000n,
      lastReset: ledger.now(),
      bump: expect.any(Number),
      signers: [A, B],
      destinations: [D],
      expiration: 2n ** 63n - 1n,
    });
    expect(size(limit)).toBe(147 + 64 + 32);
    expect(account.read().staleTransactionIndex).toBe(0n);
    expect(decodeEvent(eventBytes(outcome)[0], 3)).toEqual({
      settingsKey: account.settings,
      limitKey: limit,
      limit: stored,
    });
  });

  test("adding a limit needs its address, a payer and the system program: 6024; not twice: system error 0", async () => {
    const limit = await account.limitKey(SEED);
    const add = [action.addSpendingLimit(LIMIT)];
    expectError(await apply(add, { payer: FEE_PAYER }), 6024);
    expectError(await apply(add, { limits: [limit] }), 6024);
    expectError(await apply(add, { payer: FEE_PAYER, system: false, limits: [limit] }), 6024);
    expectSuccess(await apply(add, { payer: FEE_PAYER, limits: [limit] }));
    expectError(
      await apply([action.addSpendingLimit({ ...LIMIT, amount: 7n })], { payer: FEE_PAYER, limits: [limit] }),
      0,
    );
  });

  test("removes a spending limit, rent to the rent payer, event 4", async () => {
    const limit = await account.limitKey(SEED);
    expectSuccess(await apply([action.addSpendingLimit(LIMIT)], { payer: FEE_PAYER, limits: [limit] }));
    const rent = ledger.balance(limit);
    ledger.fund(D);
    const before = ledger.balance(D);
    const outcome = expectSuccess(await apply([action.removeSpendingLimit(limit)], { payer: D, limits: [limit] }));
    expect(ledger.account(limit)).toBeUndefined();
    expect(ledger.balance(D)).toBe(before + rent);
    expect(decodeEvent(eventBytes(outcome)[0], 4)).toEqual({ settingsKey: account.settings, limitKey: limit });
  });

  test("removing needs the account and a payer (6024), a limit (3007/3002), of these settings (6015), there (3012)", async () => {
    const limit = await account.limitKey(SEED);
    expectSuccess(await apply([action.addSpendingLimit(LIMIT)], { payer: FEE_PAYER, limits: [limit] }));
    const remove = (key: Uint8Array) => [action.removeSpendingLimit(key)];
    expectError(await apply(remove(limit), { payer: FEE_PAYER }), 6024);
    expectError(await apply(remove(limit), { limits: [limit] }), 6024);
    expectError(await apply(remove(FEE_PAYER), { payer: FEE_PAYER, limits: [FEE_PAYER] }), 3007);
    expectError(await apply(remove(account.settings), { payer: FEE_PAYER, limits: [account.settings] }), 3002);
    expectError(await apply(remove(named("nowhere")), { payer: FEE_PAYER, limits: [named("nowhere")] }), 3012);
    const twice = [...remove(limit), action.removeSpendingLimit(limit)];
    expectError(await apply(twice, { payer: FEE_PAYER, limits: [limit] }), 3012);
    const other = await openAccount(ledger, { threshold: 1, members: [{ key: A, mask: ALL }] });
    const foreign = await other.limitKey(SEED);
    expectSuccess(
      ledger.send(
        executeSettingsSync({
          settings: other.settings,
          members: [A],
          actions: [action.addSpendingLimit(LIMIT)],
          payer: FEE_PAYER,
          limits: [foreign],
        }),
      ),
    );
    expectError(await apply(remove(foreign), { payer: FEE_PAYER, limits: [foreign] }), 6015);
  });

  test("limits are added, removed and added again at the same address in one list; no lamport is lost or made", async () => {
    const [seed1, seed2] = [named("seed 1"), named("seed 2")];
    const [key1, key2] = [await account.limitKey(seed1), await account.limitKey(seed2)];
    const limits = [key2, key1];
    const signers = (count: number) => Array.from({ length: count }, (_, i) => named(`signer ${i}`));
    const add = (seed: Uint8Array, count: number) =>
      action.addSpendingLimit({ seed, amount: 10n, signers: signers(count) });
    ledger.fund(D);
    expectSuccess(await apply([add(seed1, 1), add(seed2, 3)], { payer: D, limits }));
    const total = () => [D, key1, key2].reduce((sum, key) => sum + ledger.balance(key), 0n);
    const before = total();
    // Limit 2 is removed and added again smaller, and limit 1 is removed for good.
    expectSuccess(
      await apply([action.removeSpendingLimit(key2), add(seed2, 1), action.removeSpendingLimit(key1)], {
        payer: D,
        limits,
      }),
    );
    expect(total()).toBe(before);
    expect(ledger.account(key1)).toBeUndefined();
    expect((await account.limit(seed2)).signers.length).toBe(1);
    expect(size(key2)).toBe(147 + 32);
  });

  test("what the payer pays for after a removal is refused by the runtime; before it, it is paid", async () => {
    const [seed1, seed2] = [named("seed 1"), named("seed 2")];
    const limits = [await account.limitKey(seed1), await account.limitKey(seed2)];
    const add = (seed: Uint8Array) => action.addSpendingLimit({ ...LIMIT, seed });
    const remove = async (seed: Uint8Array) => action.removeSpendingLimit(await account.limitKey(seed));
    const member = action.addSigner({ key: named("late"), mask: VOTE });
    const send = async (...actions: Uint8Array[]) => apply(actions, { payer: FEE_PAYER, limits });
    expectSuccess(await send(add(seed1)));
    expectRuntimeError(await send(await remove(seed1), add(seed2)), "UnbalancedInstruction");
    // The settings account grows last, wherever the member is in the list.
    expectRuntimeError(await send(await remove(seed1), member), "UnbalancedInstruction");
    expectRuntimeError(await send(member, await remove(seed1)), "UnbalancedInstruction");
    expectSuccess(await send(add(seed2), await remove(seed1)));
    // With the rent for the new member there already, nothing has to be paid.
    const now = ledger.account(account.settings);
    if (now === undefined) throw new Error("no settings");
    ledger.set(account.settings, { ...now, lamports: now.lamports + 1_000_000n });
    expectSuccess(await send(member, await remove(seed2)));
  });
});

describe("execute_settings_transaction", () => {
  const execute = async (index: bigint, more: { signer?: Uint8Array } = {}) =>
    ledger.send(
      executeSettings({
        settings: account.settings,
        signer: more.signer ?? A,
        proposal: await account.proposalKey(index),
        transaction: await account.transactionKey(index),
        payer: FEE_PAYER,
      }),
    );

  test("marks the proposal and logs events 8 and 9", async () => {
    const index = await account.approvedSettings([action.setTimeLock(60)], [A, B]);
    const outcome = expectSuccess(await execute(index));
    const proposal = await account.proposal(index);
    const settingsTransaction = await account.settingsTransaction(index);
    expect(proposal.status).toEqual({ name: "Executed", since: ledger.now() });
    const events = eventBytes(outcome);
    expect(events.length).toBe(2);
    expect(decodeEvent(events[0], 8)).toEqual({
      consensus: account.settings,
      type: 0,
      step: 1,
      transactionKey: await account.transactionKey(index),
      index,
      signer: A,
      memo: undefined,
      content: { settings: account.read(), settingsTransaction, actions: settingsTransaction.actions },
    });
    expect(decodeEvent(events[1], 9)).toEqual({
      consensus: account.settings,
      type: 0,
      step: 4,
      proposalKey: await account.proposalKey(index),
      index,
      signer: A,
      memo: undefined,
      proposal,
    });
  });

  test("needs a member (6006) with Execute (6005) and approval (6009), once", async () => {
    await open({
      threshold: 1,
      members: [
        { key: A, mask: ALL },
        { key: B, mask: VOTE },
      ],
    });
    const index = await account.approvedSettings([action.setTimeLock(60)], []);
    expectError(await execute(index), 6009);
    expectSuccess(ledger.send(await account.vote("approve", B, index)));
    expectError(await execute(index, { signer: D }), 6006);
    expectError(await execute(index, { signer: B }), 6005);
    expectSuccess(await execute(index));
    expectError(await execute(index), 6009);
  });

  test("waits for the time lock: 6022", async () => {
    await open({ ...TWO_OF_TWO, timeLock: 100 });
    const index = await account.approvedSettings([action.setTimeLock(0)], [A, B]);
    ledger.setTime(ledger.now() + 99n);
    expectError(await execute(index), 6022);
    ledger.setTime(ledger.now() + 1n);
    expectSuccess(await execute(index));
  });

  test("a stale one never runs: 6008", async () => {
    const first = await account.approvedSettings([action.setTimeLock(60)], [A, B]);
    const second = await account.approvedSettings([action.changeThreshold(1)], [A, B]);
    expectSuccess(await execute(second));
    expectError(await execute(first), 6008);
  });

  test("a limit that expired while waiting: 6080", async () => {
    const expiration = ledger.now() + 10n;
    const index = await account.approvedSettings([action.addSpendingLimit({ ...LIMIT, expiration })], [A, B]);
    ledger.setTime(expiration);
    expectError(await execute(index), 6080);
  });

  test("a payment at the index is another type: 3002; wrong accounts: 2006, 2000, 3010, 3008", async () => {
    const index = await account.approvedSettings([action.setTimeLock(60)], [A, B]);
    const payment = await account.approvedTransfer(D, 1_000_000n, [A, B]);
    expectError(await execute(payment), 3002);
    const good = executeSettings({
      settings: account.settings,
      signer: A,
      proposal: await account.proposalKey(index),
      transaction: await account.transactionKey(index),
      payer: FEE_PAYER,
    });
    expectError(ledger.send(replaced(good, 2, w(await account.proposalKey(payment)))), 2006);
    expectError(ledger.send(replaced(good, 0, r(account.settings))), 2000);
    expectError(ledger.send(replaced(good, 1, r(A))), 3010);
    expectError(ledger.send(replaced(good, 2, r(await account.proposalKey(index)))), 2000);
    expectError(ledger.send(replaced(good, 4, w(D))), 3010);
    expectError(ledger.send(replaced(good, 4, s(D))), 2000);
    expectError(ledger.send(replaced(good, 5, r(D))), 3008);
    expectError(ledger.send(replaced(good, 6, r(D))), 3008);
  });

  test("execute_transaction does not take it either: 3002", async () => {
    const index = await account.approvedSettings([action.setTimeLock(60)], [A, B]);
    expectError(ledger.send(await account.executeTransfer(A, index, D)), 3002);
  });
});

describe("execute_settings_transaction_sync", () => {
  const sync = (members: readonly Uint8Array[], actions: readonly Uint8Array[]) =>
    ledger.send(executeSettingsSync({ settings: account.settings, members, actions, payer: FEE_PAYER }));

  test("logs event 2 with the settings afterwards", () => {
    const outcome = expectSuccess(sync([B, A], [action.changeThreshold(1), action.setTimeLock(9)]));
    const events = eventBytes(outcome);
    expect(events.length).toBe(1);
    expect(decodeEvent(events[0], 2)).toEqual({
      settingsKey: account.settings,
      signers: [B, A],
      settings: account.read(),
      changes: [
        { tag: 2, threshold: 1 },
        { tag: 3, seconds: 9 },
      ],
    });
  });

  test("checks in order: autonomy (6021), actions (6023, 6031, 6080), then consensus", async () => {
    expectError(sync([], []), 6023);
    expectError(sync([], [action.setTimeLock(7_776_001)]), 6031);
    expectError(sync([], [action.addSpendingLimit({ ...LIMIT, expiration: 5n })]), 6080);
    expectError(sync([], [action.removePolicy(D)]), 6052);
    await open({ ...TWO_OF_TWO, authority: C });
    expectError(sync([A, B], []), 6021);
  });

  test("needs the consensus of synchronous execution: 6051, 6047, 6006, 6048, 6001", async () => {
    const change = [action.changeThreshold(1)];
    expectError(sync([A], change), 6047);
    expectError(sync([A, D], change), 6006);
    expectError(sync([A, A], change), 6001);
    const good = executeSettingsSync({ settings: account.settings, members: [A, B], actions: change });
    expectError(ledger.send(replaced(good, 5, r(B))), 6048);
    expectSuccess(sync([A, B], [action.setTimeLock(1)]));
    expectError(sync([A, B], change), 6051);
  });

  test("a proposal that was open before is stale afterwards", async () => {
    expectSuccess(
      ledger.send(
        await account.createTransaction(A, transferMessage(account.vault, D, 1_000_000)),
        await account.propose(A, 1),
      ),
    );
    expectSuccess(sync([A, B], [action.changeThreshold(2)]));
    expectError(ledger.send(await account.vote("approve", A, 1)), 6008);
  });

  test("wrong accounts: 2000, 3010, 3008, 3005, 102", () => {
    const good = executeSettingsSync({
      settings: account.settings,
      members: [A, B],
      actions: [action.changeThreshold(1)],
      payer: FEE_PAYER,
    });
    expectError(ledger.send(replaced(good, 0, r(account.settings))), 2000);
    expectError(ledger.send(replaced(good, 1, w(D))), 3010);
    expectError(ledger.send(replaced(good, 2, r(D))), 3008);
    expectError(ledger.send(replaced(good, 3, r(D))), 3008);
    expectError(ledger.send({ ...good, accounts: good.accounts.slice(0, 3) }), 3005);
    expectError(ledger.send({ ...good, data: good.data.slice(0, -1) }), 102);
  });

  test("an account of the first generation keeps its shorter form", () => {
    const current = ledger.account(account.settings);
    if (current === undefined) throw new Error("no settings");
    const data = new Uint8Array(135 + 33 * 2);
    data.set(current.data.subarray(0, 125 + 33 * 2));
    ledger.set(account.settings, { ...current, data: data.slice(0, 127 + 33 * 2) });
    expect(account.read().policySeed).toBeUndefined();
    expectSuccess(sync([A, B], [action.changeThreshold(1)]));
    expect(account.read()).toMatchObject({ threshold: 1, policySeed: undefined });
    expect(size(account.settings)).toBe(135 + 33 * 2);
  });

  test("eighty-five members: lists keep their order; twenty at once do not fit the machine's memory", async () => {
    const members = Array.from({ length: 25 }, (_, i) => ({ key: named(`m${i}`), mask: ALL }));
    await open({ threshold: 1, members });
    const [first] = members;
    if (first === undefined) throw new Error("no member");
    const add = (i: number, count: number) => {
      const actions = Array.from({ length: count }, (_, j) =>
        action.addSigner({ key: named(`late ${i} ${j}`), mask: VOTE }),
      );
      return ledger.send(
        executeSettingsSync({ settings: account.settings, members: [first.key], actions, payer: FEE_PAYER }),
      );
    };
    expectRuntimeError(add(9, 20), "ProgramFailedToComplete");
    for (let i = 0; i < 12; i++) expectSuccess(add(i, 5));
    const keys = account.read().signers.map((member) => Buffer.from(member.key));
    expect(keys.length).toBe(85);
    expect(keys).toEqual([...keys].sort(Buffer.compare));
  });
});

const size = (key: Uint8Array): number | undefined => ledger.account(key)?.data.length;

const replaced = (good: Instruction, position: number, meta: Meta): Instruction => ({
  ...good,
  accounts: good.accounts.map((present, i) => (i === position ? meta : present)),
});
