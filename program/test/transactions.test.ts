import { describe, expect, test } from "vitest";
import { concat, counted, fromHex, integer, u8, u32, u64 } from "./support/bytes.js";
import { call } from "./support/calls.js";
import { decodeEvent } from "./support/decoding.js";
import { close, createTransaction, executeTransaction, vote } from "./support/instructions.js";
import { LOOKUP_TABLE_PROGRAM, named, PROGRAM, SYSTEM } from "./support/keys.js";
import { eventBytes, FEE_PAYER, type Ledger, type Meta } from "./support/ledger.js";
import { A, ALL, B, C, D, EXECUTE, INITIATE, type Terms, TWO_OF_TWO, VOTE } from "./support/members.js";
import { transferData, transferMessage, type WrappedMessage, wrappedMessage } from "./support/messages.js";
import { r, s, w, ws } from "./support/metas.js";
import { expectError, expectRuntimeError, expectSuccess } from "./support/outcomes.js";
import { pda } from "./support/pda.js";
import { action, addLimitAsAuthority, asAuthority } from "./support/settings-instructions.js";
import { openAccount } from "./support/smart-account.js";
import { useSmartAccount } from "./support/use-smart-account.js";

const { ledger, account, open, openNext } = useSmartAccount(() => SEPARATED);

describe("create_transaction", () => {
  test("stores message, creator, rent payer and index, raises the index, logs event 8", async () => {
    const outcome = expectSuccess(ledger.send(await account.createTransaction(A, transfer())));
    const stored = await account.transaction(1);
    expect(stored).toEqual({
      consensus: account.settings,
      creator: A,
      rentCollector: FEE_PAYER,
      index: 1n,
      tag: 0,
      accountIndex: 0,
      ephemeralSignerBumps: new Uint8Array(),
      message: {
        header: Uint8Array.of(1, 1, 1),
        keys: [account.vault, D, SYSTEM],
        instructions: [{ program: 2, accounts: Uint8Array.of(0, 1), data: transferData(5_000_000) }],
        lookups: [],
      },
    });
    expect(account.read().transactionIndex).toBe(1n);
    const events = eventBytes(outcome);
    expect(events.length).toBe(1);
    expect(decodeEvent(events[0], 8)).toEqual({
      consensus: account.settings,
      type: 0,
      step: 0,
      transactionKey: await account.transactionKey(1),
      index: 1n,
      signer: A,
      memo: undefined,
      content: { transaction: stored },
    });
  });

  test("stores one canonical bump per throw-away signer", async () => {
    expectSuccess(ledger.send(await account.createTransaction(A, transfer(), { ephemeralSigners: 3 })));
    const key = await account.transactionKey(1);
    const bumps = await Promise.all([0, 1, 2].map(async (i) => (await pda.ephemeralSigner(key, i)).bump));
    expect([...(await account.transaction(1)).ephemeralSignerBumps]).toEqual(bumps);
  });

  test("accepts bytes after the message", async () => {
    const instruction = createTransaction({
      settings: account.settings,
      transaction: await account.transactionKey(1),
      creator: A,
      message: concat(wrappedMessage(transfer()), u8(9)),
    });
    expectSuccess(ledger.send(instruction));
  });

  test("is refused to strangers (6006) and members without Initiate (6005)", async () => {
    expectError(ledger.send(await account.createTransaction(D, transfer())), 6006);
    expectError(ledger.send(await account.createTransaction(B, transfer())), 6005);
  });

  test("is refused at any index but the next: 2006", async () => {
    expectError(ledger.send(await account.createTransaction(A, transfer(), { index: 2n })), 2006);
    expectSuccess(ledger.send(await account.createTransaction(A, transfer())));
    expectError(ledger.send(await account.createTransaction(A, transfer(), { index: 1n })), 2006);
  });

  test("a message that ends early is a borsh error", async () => {
    const instruction = createTransaction({
      settings: account.settings,
      transaction: await account.transactionKey(1),
      creator: A,
      message: wrappedMessage(transfer()).slice(0, -1),
    });
    expectRuntimeError(ledger.send(instruction), "BorshIoError");
  });

  test.each<[string, (good: WrappedMessage) => WrappedMessage]>([
    ["more signers than keys", (good) => ({ ...good, signers: 4 })],
    ["more writable signers than signers", (good) => ({ ...good, writableSigners: 2 })],
    ["more writable non-signers than non-signers", (good) => ({ ...good, writableNonSigners: 3 })],
    ["a program position beyond the keys", (good) => ({ ...good, keys: good.keys.slice(0, 2) })],
    [
      "an account position beyond the keys",
      (good) => ({ ...good, instructions: [{ program: 2, accounts: [0, 3], data: u8(0) }] }),
    ],
  ])("a message with %s is malformed: 6007", async (_, change) => {
    expectError(ledger.send(await account.createTransaction(A, change(transfer()))), 6007);
  });

  test("policy payloads are refused: 6055, unknown ones: 102", async () => {
    const good = await account.createTransaction(A, transfer());
    const tagged = (tag: number) => {
      const data = new Uint8Array(good.data);
      data[8] = tag;
      return { ...good, data };
    };
    expectError(ledger.send(tagged(1)), 6055);
    expectError(ledger.send(tagged(2)), 102);
  });

  test("wrong accounts: 3010, 3008, 2000, escalation, 2006, 2003, 3005, and a poor payer: system error 1", async () => {
    const good = await account.createTransaction(A, transfer());
    const replaced = (position: number, meta: Meta) =>
      ledger.send({ ...good, accounts: good.accounts.map((present, i) => (i === position ? meta : present)) });
    const transaction = await account.transactionKey(1);
    expectError(replaced(2, r(A)), 3010);
    expectError(replaced(3, w(D)), 3010);
    expectError(replaced(4, r(D)), 3008);
    expectError(replaced(5, r(D)), 3008);
    expectError(replaced(0, r(account.settings)), 2000);
    expectRuntimeError(replaced(1, r(transaction)), "PrivilegeEscalation");
    expectRuntimeError(replaced(3, s(D)), "PrivilegeEscalation");
    const copy = ledger.account(account.settings);
    if (copy === undefined) throw new Error("no settings");
    ledger.set(named("elsewhere"), copy);
    expectError(replaced(0, w(named("elsewhere"))), 2006);
    // With an address that would be the right one there.
    const there = (await pda.transaction(named("elsewhere"), 1)).key;
    const accounts = good.accounts.map((meta, i) => (i === 0 ? w(named("elsewhere")) : i === 1 ? w(there) : meta));
    expectError(ledger.send({ ...good, accounts }), 2003);
    expectError(ledger.send({ ...good, accounts: good.accounts.slice(0, 5) }), 3005);
    ledger.set(D, { lamports: 1_000_000n });
    expectError(replaced(3, ws(D)), 1);
  });
});

describe("execute_transaction", () => {
  test("pays an approved transfer, marks the proposal, logs events 8 and 9", async () => {
    const index = await account.approvedTransfer(D, 5_000_000n, [B]);
    const outcome = expectSuccess(ledger.send(await account.executeTransfer(C, index, D)));
    expect(ledger.balance(D)).toBe(5_000_000n);
    const proposal = await account.proposal(index);
    expect(proposal.status).toEqual({ name: "Executed", since: ledger.now() });
    const events = eventBytes(outcome);
    expect(events.length).toBe(2);
    expect(decodeEvent(events[0], 8)).toEqual({
      consensus: account.settings,
      type: 0,
      step: 1,
      transactionKey: await account.transactionKey(index),
      index,
      signer: C,
      memo: undefined,
      content: { transaction: await account.transaction(index) },
    });
    expect(decodeEvent(events[1], 9)).toEqual({
      consensus: account.settings,
      type: 0,
      step: 4,
      proposalKey: await account.proposalKey(index),
      index,
      signer: C,
      memo: undefined,
      proposal,
    });
  });

  test("happens once: 6009", async () => {
    const index = await account.approvedTransfer(D, 5_000_000n, [B]);
    expectSuccess(ledger.send(await account.executeTransfer(C, index, D)));
    expectError(ledger.send(await account.executeTransfer(C, index, D)), 6009);
  });

  test("needs approval: 6009, a member: 6006, with Execute: 6005", async () => {
    const index = await account.approvedTransfer(D, 5_000_000n, []);
    expectError(ledger.send(await account.executeTransfer(C, index, D)), 6009);
    expectError(ledger.send(await account.executeTransfer(D, index, D)), 6006);
    expectError(ledger.send(await account.executeTransfer(B, index, D)), 6005);
  });

  test("waits for the time lock, to the second: 6022", async () => {
    await open({ ...SEPARATED, timeLock: 3600 });
    const index = await account.approvedTransfer(D, 5_000_000n, [B]);
    expectError(ledger.send(await account.executeTransfer(C, index, D)), 6022);
    ledger.setTime(ledger.now() + 3599n);
    expectError(ledger.send(await account.executeTransfer(C, index, D)), 6022);
    ledger.setTime(ledger.now() + 1n);
    expectSuccess(ledger.send(await account.executeTransfer(C, index, D)));
  });

  test("still runs when the proposal has become stale", async () => {
    await open(TWO_OF_TWO);
    const index = await account.approvedTransfer(D, 5_000_000n, [A, B]);
    const change = await account.approvedSettings([action.changeThreshold(1)], [A, B]);
    expectSuccess(
      ledger.send(
        call("execute_settings_transaction", [
          w(account.settings),
          s(A),
          w(await account.proposalKey(change)),
          r(await account.transactionKey(change)),
          r(PROGRAM),
          r(PROGRAM),
          r(PROGRAM),
        ]),
      ),
    );
    expect(account.read().staleTransactionIndex).toBe(change);
    expectSuccess(ledger.send(await account.executeTransfer(A, index, D)));
  });

  test("proposal and transaction must belong together: 2006; types must fit: 3002; the rest: 2000, 2003", async () => {
    const first = await account.approvedTransfer(D, 5_000_000n, [B]);
    const second = await account.approvedTransfer(D, 5_000_000n, [B]);
    const good = await account.executeTransfer(C, first, D);
    const replaced = (position: number, meta: Meta) =>
      ledger.send({ ...good, accounts: good.accounts.map((present, i) => (i === position ? meta : present)) });
    expectError(replaced(1, w(await account.proposalKey(second))), 2006);
    expectError(replaced(2, r(await account.transactionKey(second))), 2006);
    expectError(replaced(2, r(await account.proposalKey(first))), 3002);
    expectError(replaced(0, r(account.settings)), 2000);
    expectError(replaced(1, r(await account.proposalKey(first))), 2000);
    expectError(replaced(3, r(C)), 3010);
    expectError(replaced(4, r(SYSTEM)), 3008);
    const copy = ledger.account(account.settings);
    if (copy === undefined) throw new Error("no settings");
    ledger.set(named("elsewhere"), copy);
    expectError(replaced(0, w(named("elsewhere"))), 2003);
  });

  test("a transaction of the program's first generation cannot be decoded: 3003", async () => {
    const index = await account.approvedTransfer(D, 5_000_000n, [B]);
    const key = await account.transactionKey(index);
    const stored = ledger.account(key);
    if (stored === undefined) throw new Error("no transaction");
    const data = new Uint8Array(stored.data);
    data[112] = 254;
    ledger.set(key, { ...stored, data });
    expectError(ledger.send(await account.executeTransfer(C, index, D)), 3003);
  });

  test("accounts must be as many as the message has (6014) and the same (6015), with its rights (6015)", async () => {
    const index = await account.approvedTransfer(D, 5_000_000n, [B]);
    const good = await account.executeTransfer(C, index, D);
    expectError(ledger.send({ ...good, accounts: good.accounts.slice(0, -1) }), 6014);
    expectError(ledger.send({ ...good, accounts: [...good.accounts, r(SYSTEM)] }), 6014);
    const replaced = (position: number, meta: Meta) =>
      ledger.send({ ...good, accounts: good.accounts.map((present, i) => (i === position ? meta : present)) });
    expectError(replaced(6, w(B)), 6015);
    expectError(replaced(6, r(D)), 6015);
  });

  test("signers of the message that are not the account's own must sign: 6015", async () => {
    const message: WrappedMessage = { ...transfer(), keys: [FEE_PAYER, D, SYSTEM] };
    const other: WrappedMessage = { ...message, keys: [C, D, SYSTEM] };
    const run = async (payload: WrappedMessage, accounts: Meta[]) => {
      const index = account.nextIndex();
      expectSuccess(
        ledger.send(
          await account.createTransaction(A, payload),
          await account.propose(A, index),
          await account.vote("approve", B, index),
        ),
      );
      return ledger.send(
        executeTransaction({
          settings: account.settings,
          proposal: await account.proposalKey(index),
          transaction: await account.transactionKey(index),
          signer: C,
          accounts,
        }),
      );
    };
    expectError(await run({ ...message, keys: [B, D, SYSTEM] }, [w(B), w(D), r(SYSTEM)]), 6015);
    // A member may sign an inner instruction here; the fee payer too.
    expectSuccess(await run(other, [ws(C), w(D), r(SYSTEM)]));
    expectSuccess(await run(message, [ws(FEE_PAYER), w(D), r(SYSTEM)]));
  });

  test("an inner failure surfaces with its own code and changes nothing", async () => {
    const index = await account.approvedTransfer(D, 500_000_000_000n, [B]);
    expectError(ledger.send(await account.executeTransfer(C, index, D)), 1);
    expect((await account.proposal(index)).status.name).toBe("Approved");
  });

  /** Stores, approves and executes a message whose accounts need no lookup tables. */
  async function run(message: WrappedMessage, accounts: Meta[], more: { ephemeralSigners?: number } = {}) {
    const index = account.nextIndex();
    expectSuccess(
      ledger.send(
        await account.createTransaction(A, message, more),
        await account.propose(A, index),
        await account.vote("approve", B, index),
      ),
    );
    return ledger.send(
      executeTransaction({
        settings: account.settings,
        proposal: await account.proposalKey(index),
        transaction: await account.transactionKey(index),
        signer: C,
        accounts,
      }),
    );
  }

  test("the proposal is protected from inner instructions: 6030", async () => {
    const proposal = await account.proposalKey(1);
    const inner = vote({ kind: "cancel", settings: account.settings, signer: account.vault, proposal });
    const outcome = await run(
      {
        signers: 1,
        writableSigners: 1,
        writableNonSigners: 1,
        keys: [account.vault, proposal, account.settings, SYSTEM, PROGRAM],
        instructions: [{ program: 4, accounts: [2, 0, 1, 3, 4], data: inner.data }],
      },
      [w(account.vault), w(proposal), r(account.settings), r(SYSTEM), r(PROGRAM)],
    );
    expectError(outcome, 6030);
  });

  test("its own transaction cannot be closed from inside: 6030", async () => {
    const [proposal, transaction] = [await account.proposalKey(1), await account.transactionKey(1)];
    const inner = close({ kind: "close_transaction", settings: account.settings, proposal, transaction });
    const outcome = await run(
      {
        signers: 1,
        writableSigners: 1,
        writableNonSigners: 3,
        keys: [account.vault, proposal, transaction, FEE_PAYER, account.settings, SYSTEM, PROGRAM],
        instructions: [{ program: 6, accounts: [4, 1, 2, 3, 3, 5, 6], data: inner.data }],
      },
      [w(account.vault), w(proposal), w(transaction), w(FEE_PAYER), r(account.settings), r(SYSTEM), r(PROGRAM)],
    );
    expectError(outcome, 6030);
  });

  test("log_event cannot be called from inside: 6056", async () => {
    const outcome = await run(
      {
        signers: 1,
        writableSigners: 1,
        writableNonSigners: 0,
        keys: [account.vault, PROGRAM],
        instructions: [{ program: 1, accounts: [0], data: concat(fromHex("05095a8ddf8639d9"), counted(u8(0))) }],
      },
      [w(account.vault), r(PROGRAM)],
    );
    expectError(outcome, 6056);
  });

  test("the vault can act as the authority of another smart account", async () => {
    const other = await openAccount(ledger, { ...TWO_OF_TWO, authority: account.vault });
    const inner = asAuthority("set_time_lock_as_authority", {
      settings: other.settings,
      authority: account.vault,
      argument: u32(60),
    });
    const outcome = await run(
      {
        signers: 1,
        writableSigners: 1,
        writableNonSigners: 1,
        keys: [account.vault, other.settings, PROGRAM],
        instructions: [{ program: 2, accounts: [1, 0, 2, 2, 2], data: inner.data }],
      },
      [w(account.vault), w(other.settings), r(PROGRAM)],
    );
    expectSuccess(outcome);
    expect(other.read().timeLock).toBe(60);
    const events = eventBytes(outcome);
    expect(events.length).toBe(3);
    expect(decodeEvent(events[0], 6).change).toEqual({ tag: 3, seconds: 60 });
  });

  test("what an inner instruction does to the executing settings themselves is undone", async () => {
    const first = (await pda.vault((await pda.settings(2)).key, 0)).key;
    await openNext({ ...SEPARATED, authority: first });
    expect(account.vault).toEqual(first);
    const inner = asAuthority("set_time_lock_as_authority", {
      settings: account.settings,
      authority: account.vault,
      argument: u32(60),
    });
    const outcome = await run(
      {
        signers: 1,
        writableSigners: 1,
        writableNonSigners: 1,
        keys: [account.vault, account.settings, PROGRAM],
        instructions: [{ program: 2, accounts: [1, 0, 2, 2, 2], data: inner.data }],
      },
      [w(account.vault), w(account.settings), r(PROGRAM)],
    );
    expectSuccess(outcome);
    expect(account.read().timeLock).toBe(0);
    expect(account.read().staleTransactionIndex).toBe(0n);
  });

  test("throw-away signers sign for new accounts", async () => {
    const transaction = await account.transactionKey(1);
    const fresh = (await pda.ephemeralSigner(transaction, 1)).key;
    const createAccount = concat(u32(0), u64(ledger.rent(10)), u64(10), named("owner"));
    const outcome = await run(
      {
        signers: 2,
        writableSigners: 2,
        writableNonSigners: 0,
        keys: [account.vault, fresh, SYSTEM],
        instructions: [{ program: 2, accounts: [0, 1], data: createAccount }],
      },
      [w(account.vault), w(fresh), r(SYSTEM)],
      { ephemeralSigners: 2 },
    );
    expectSuccess(outcome);
    expect(ledger.account(fresh)?.data.length).toBe(10);
  });

  test("throw-away signers that were not declared do not sign: 6015", async () => {
    const fresh = (await pda.ephemeralSigner(await account.transactionKey(1), 1)).key;
    const outcome = await run(
      {
        signers: 2,
        writableSigners: 2,
        writableNonSigners: 0,
        keys: [account.vault, fresh, SYSTEM],
        instructions: [{ program: 2, accounts: [0, 1], data: concat(u32(0), u64(10_000_000), u64(10), A) }],
      },
      [w(account.vault), w(fresh), r(SYSTEM)],
      { ephemeralSigners: 1 },
    );
    expectError(outcome, 6015);
  });

  test("a spending limit can be added to another account from inside, the vault paying", async () => {
    const other = await openAccount(ledger, { ...TWO_OF_TWO, authority: account.vault });
    const seed = named("limit");
    const limit = await other.limitKey(seed);
    const inner = addLimitAsAuthority({
      settings: other.settings,
      authority: account.vault,
      limit,
      terms: { seed, amount: 5n, signers: [A] },
      payer: account.vault,
    });
    const outcome = await run(
      {
        signers: 1,
        writableSigners: 1,
        writableNonSigners: 1,
        keys: [account.vault, limit, other.settings, SYSTEM, PROGRAM],
        instructions: [{ program: 4, accounts: [2, 0, 1, 0, 3, 4], data: inner.data }],
      },
      [w(account.vault), w(limit), r(other.settings), r(SYSTEM), r(PROGRAM)],
    );
    expectSuccess(outcome);
    expect((await other.limit(seed)).remaining).toBe(5n);
  });
});

describe("lookup tables", () => {
  const TABLE_1 = named("table 1");
  const TABLE_2 = named("table 2");
  const E = named("receiver E");

  function setTable(key: Uint8Array, addresses: readonly Uint8Array[], owner: Uint8Array = LOOKUP_TABLE_PROGRAM) {
    const header = concat(u32(1), u64(2n ** 64n - 1n), u64(0), u8(0), u8(0), new Uint8Array(34));
    expect(header.length).toBe(56);
    ledger.set(key, { lamports: 10_000_000n, data: concat(header, ...addresses), owner });
  }

  /** Two transfers whose receivers and program are in two tables. */
  async function prepare(
    lookups?: WrappedMessage["lookups"],
  ): Promise<(accounts: Meta[]) => ReturnType<Ledger["send"]>> {
    setTable(TABLE_1, [named("unused"), D, SYSTEM]);
    setTable(TABLE_2, [E, named("read-only")]);
    const index = account.nextIndex();
    const message: WrappedMessage = {
      signers: 1,
      writableSigners: 1,
      writableNonSigners: 0,
      keys: [account.vault],
      // Positions: 0 vault, 1 D (writable of table 1), 2 E (writable of table 2), 3 system program, 4 read-only.
      instructions: [
        { program: 3, accounts: [0, 1], data: transferData(3_000_000) },
        { program: 3, accounts: [0, 2], data: transferData(4_000_000) },
      ],
      lookups: lookups ?? [
        { table: TABLE_1, writable: [1], readonly: [2] },
        { table: TABLE_2, writable: [0], readonly: [1] },
      ],
    };
    expectSuccess(
      ledger.send(
        await account.createTransaction(A, message),
        await account.propose(A, index),
        await account.vote("approve", B, index),
      ),
    );
    const execution = {
      settings: account.settings,
      proposal: await account.proposalKey(index),
      transaction: await account.transactionKey(index),
      signer: C,
    };
    return (accounts) => ledger.send(executeTransaction({ ...execution, accounts }));
  }

  const good = (): Meta[] => [r(TABLE_1), r(TABLE_2), w(account.vault), w(D), r(SYSTEM), w(E), r(named("read-only"))];
  const replaced = (position: number, meta: Meta): Meta[] =>
    good().map((present, i) => (i === position ? meta : present));

  test("positions count writable accounts of all tables before read-only ones", async () => {
    const send = await prepare();
    expectSuccess(send(good()));
    expect([ledger.balance(D), ledger.balance(E)]).toEqual([3_000_000n, 4_000_000n]);
  });

  test("too few accounts, for the tables or in total: 6014", async () => {
    const send = await prepare();
    expectError(send([r(TABLE_1)]), 6014);
    expectError(send(good().slice(0, -1)), 6014);
  });

  test("another table, another order, another address, a read-only writable: 6015", async () => {
    const send = await prepare();
    expectError(send(replaced(0, r(TABLE_2))), 6015);
    expectError(send([r(TABLE_2), r(TABLE_1), ...good().slice(2)]), 6015);
    expectError(send(replaced(3, w(E))), 6015);
    expectError(send(replaced(3, r(D))), 6015);
    expectError(send(replaced(6, r(E))), 6015);
  });

  test("a table of another owner, of another shape, or too short: 6015", async () => {
    const send = await prepare();
    setTable(TABLE_1, [named("unused"), D, SYSTEM], named("not the table program"));
    expectError(send(good()), 6015);
    setTable(TABLE_1, [named("unused"), D, SYSTEM, integer(0, 5)]);
    expectError(send(good()), 6015);
    ledger.set(TABLE_1, { lamports: 10_000_000n, data: new Uint8Array(88), owner: LOOKUP_TABLE_PROGRAM });
    expectError(send(good()), 6015);
    setTable(TABLE_1, [named("unused"), D]);
    expectError(send(good()), 6015);
  });

  test("a protected account out of a table is protected too: 6030", async () => {
    const proposal = await account.proposalKey(1);
    const send = await prepare([
      { table: TABLE_1, writable: [1], readonly: [2] },
      { table: TABLE_2, writable: [0], readonly: [1] },
    ]);
    setTable(TABLE_2, [proposal, named("read-only")]);
    expectError(send(replaced(5, w(proposal))), 6030);
  });

  test("accounts of a lookup table never sign", async () => {
    setTable(TABLE_1, [FEE_PAYER, D, SYSTEM]);
    const index = account.nextIndex();
    const message: WrappedMessage = {
      signers: 1,
      writableSigners: 1,
      writableNonSigners: 0,
      keys: [account.vault],
      instructions: [{ program: 3, accounts: [1, 2], data: transferData(1_000_000) }],
      lookups: [{ table: TABLE_1, writable: [0, 1], readonly: [2] }],
    };
    expectSuccess(
      ledger.send(
        await account.createTransaction(A, message),
        await account.propose(A, index),
        await account.vote("approve", B, index),
      ),
    );
    const outcome = ledger.send(
      executeTransaction({
        settings: account.settings,
        proposal: await account.proposalKey(index),
        transaction: await account.transactionKey(index),
        signer: C,
        accounts: [r(TABLE_1), w(account.vault), ws(FEE_PAYER), w(D), r(SYSTEM)],
      }),
    );
    expectRuntimeError(outcome, "MissingRequiredSignature");
  });
});

test("all permissions in one member: create, propose, approve, execute in one transaction", async () => {
  await open({ threshold: 1, members: [{ key: A, mask: ALL }] });
  expectSuccess(
    ledger.send(
      await account.createTransaction(A, transfer()),
      await account.propose(A, 1),
      await account.vote("approve", A, 1),
      await account.executeTransfer(A, 1, D),
    ),
  );
  expect(ledger.balance(D)).toBe(5_000_000n);
});

/** Each member has one permission; a single vote suffices. */
const SEPARATED: Terms = {
  threshold: 1,
  members: [
    { key: A, mask: INITIATE },
    { key: B, mask: VOTE },
    { key: C, mask: EXECUTE },
  ],
};

const transfer = (lamports = 5_000_000) => transferMessage(account.vault, D, lamports);
