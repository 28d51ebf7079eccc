import { describe, expect, test } from "vitest";
import { concat, counted, fromHex, u8, u32 } from "./support/bytes.js";
import { call } from "./support/calls.js";
import { decodeEvent } from "./support/decoding.js";
import { executeSync } from "./support/instructions.js";
import { key, named, PROGRAM, repeated, SYSTEM } from "./support/keys.js";
import { eventBytes, FEE_PAYER, type Instruction, type Meta } from "./support/ledger.js";
import { A, ALL, B, C, D, EXECUTE, INITIATE, TWO_OF_THREE, TWO_OF_TWO, VOTE } from "./support/members.js";
import { syncPayload, transferData } from "./support/messages.js";
import { r, s, w } from "./support/metas.js";
import { expectError, expectRuntimeError, expectSuccess } from "./support/outcomes.js";
import { pda } from "./support/pda.js";
import { useSmartAccount } from "./support/use-smart-account.js";

const { ledger, account, open } = useSmartAccount();

describe.each([
  ["execute_transaction_sync_v2", false],
  ["execute_transaction_sync", true],
])("%s", (_, legacy) => {
  test("pays when enough members sign together", () => {
    const before = ledger.balance(account.vault);
    expectSuccess(ledger.send(pay([A, B], { legacy })));
    expect(ledger.balance(D)).toBe(5_000_000n);
    expect(ledger.balance(account.vault)).toBe(before - 5_000_000n);
    expect(account.read().transactionIndex).toBe(0n);
  });

  test("needs a time lock of zero: 6051", async () => {
    await open({ ...TWO_OF_TWO, timeLock: 1 });
    expectError(ledger.send(pay([A, B], { legacy })), 6051);
  });

  test("needs as many members as the threshold: 6047", () => {
    expectError(ledger.send(pay([A], { legacy })), 6047);
  });

  test(`refuses a count above the accounts passed: ${legacy ? "6047" : "the program aborts"}`, () => {
    const good = pay([A, B], { legacy });
    const data = new Uint8Array(good.data);
    data[9] = 200;
    if (legacy) expectError(ledger.send({ ...good, data }), 6047);
    else expectRuntimeError(ledger.send({ ...good, data }), "ProgramFailedToComplete");
  });

  test("refuses strangers (6006), members who did not sign (6048), the same member twice (6001)", () => {
    expectError(ledger.send(pay([A, C], { legacy })), 6006);
    const good = pay([A, B], { legacy });
    const unsigned = good.accounts.map((meta, i) => (i === 3 ? r(B) : meta));
    expectError(ledger.send({ ...good, accounts: unsigned }), 6048);
    expectError(ledger.send(pay([A, A], { legacy })), 6001);
  });

  test("needs all three permissions over the members: 6049, and enough voters: 6050", async () => {
    await open({
      threshold: 1,
      members: [
        { key: A, mask: INITIATE | VOTE },
        { key: B, mask: EXECUTE },
      ],
    });
    expectError(ledger.send(pay([A], { legacy })), 6049);
    expectSuccess(ledger.send(pay([A, B], { legacy })));
    await open({
      threshold: 2,
      members: [
        { key: A, mask: ALL },
        { key: B, mask: INITIATE | EXECUTE },
        { key: C, mask: VOTE },
      ],
    });
    expectError(ledger.send(pay([A, B], { legacy })), 6050);
    expectSuccess(ledger.send(pay([A, C], { legacy })));
  });

  test("refuses payloads that do not parse or have bytes left over: 6041", () => {
    const send = (payload: Uint8Array) =>
      ledger.send(
        executeSync({
          settings: account.settings,
          members: [A, B],
          accounts: [w(account.vault), w(D), r(SYSTEM)],
          payload,
          ...(legacy ? { legacy } : {}),
        }),
      );
    expectError(send(new Uint8Array()), 6041);
    expectError(send(fromHex("01 02 020001 0c00 02")), 6041);
    expectError(send(concat(syncPayload([]), u8(0))), 6041);
    expectSuccess(send(syncPayload([])));
  });

  test("refuses positions beyond the accounts: 6007", () => {
    const good = pay([A, B], { legacy });
    expectError(ledger.send({ ...good, accounts: good.accounts.slice(0, -1) }), 6007);
  });

  test("an inner failure surfaces with its own code", () => {
    expectError(ledger.send(pay([A, B], { legacy, lamports: 500_000_000_000 })), 1);
  });

  test("only the vault of the chosen index signs", async () => {
    const other = (await pda.vault(account.settings, 1)).key;
    ledger.fund(other);
    expectRuntimeError(ledger.send(pay([A, B], { legacy, from: other })), "MissingRequiredSignature");
  });

  test("a member's signature does not reach inner instructions", () => {
    expectRuntimeError(ledger.send(pay([A, B], { legacy, from: A })), "MissingRequiredSignature");
  });

  test("a member who signs the transaction but is not listed does not sign inner instructions either", async () => {
    await open(TWO_OF_THREE);
    const good = pay([A, B], { legacy, from: C });
    const signed = good.accounts.map((meta) => (meta.key === C ? { ...meta, signer: true } : meta));
    expectRuntimeError(ledger.send({ ...good, accounts: signed }), "MissingRequiredSignature");
  });

  test("another signer, such as the fee payer, does sign inner instructions", () => {
    const before = ledger.balance(D);
    expectSuccess(ledger.send(pay([A, B], { legacy, from: FEE_PAYER })));
    expect(ledger.balance(D)).toBe(before + 5_000_000n);
  });

  test("the settings account is read-only for inner instructions", () => {
    const members = legacy ? 2 : 0;
    const outcome = ledger.send(
      executeSync({
        settings: account.settings,
        members: [A, B],
        accounts: [w(account.vault), w(account.settings), r(SYSTEM)],
        payload: syncPayload([{ program: members + 2, accounts: [members, members + 1], data: transferData(1) }]),
        ...(legacy ? { legacy } : {}),
      }),
    );
    expectRuntimeError(outcome, "ReadonlyLamportChange");
  });

  test("log_event cannot be called from inside: 6056", () => {
    const members = legacy ? 2 : 0;
    const data = concat(fromHex("05095a8ddf8639d9"), counted(u8(0)));
    const outcome = ledger.send(
      executeSync({
        settings: account.settings,
        members: [A, B],
        accounts: [w(account.vault), r(PROGRAM)],
        payload: syncPayload([{ program: members + 1, accounts: [members], data }]),
        ...(legacy ? { legacy } : {}),
      }),
    );
    expectError(outcome, 6056);
  });

  test("a settings account at another address is refused: 2003", () => {
    const copy = ledger.account(account.settings);
    const elsewhere = named("copied settings");
    if (copy === undefined) throw new Error("no settings");
    ledger.set(elsewhere, copy);
    const good = pay([A, B], { legacy });
    const accounts = good.accounts.map((meta, i) => (i === 0 ? { ...meta, key: elsewhere } : meta));
    expectError(ledger.send({ ...good, accounts }), 2003);
  });

  test("several instructions run in order", () => {
    const offset = legacy ? 2 : 0;
    const transfer = (lamports: number) => ({
      program: offset + 2,
      accounts: [offset, offset + 1],
      data: transferData(lamports),
    });
    const outcome = ledger.send(
      executeSync({
        settings: account.settings,
        members: [A, B],
        accounts: [w(account.vault), w(D), r(SYSTEM)],
        payload: syncPayload([transfer(2_000_000), transfer(3_000_000), transfer(4_000_000)]),
        ...(legacy ? { legacy } : {}),
      }),
    );
    expectSuccess(outcome);
    expect(ledger.balance(D)).toBe(9_000_000n);
  });
});

describe("execute_transaction_sync_v2", () => {
  test("logs event 10", () => {
    const events = eventBytes(expectSuccess(ledger.send(pay([A, B]))));
    expect(events.length).toBe(1);
    expect(decodeEvent(events[0], 10)).toEqual({
      consensus: account.settings,
      type: 0,
      signers: [A, B],
      payloadTag: 0,
      accountIndex: 0,
      instructions: [{ program: 2, accounts: Uint8Array.of(0, 1), data: transferData(5_000_000) }],
      accounts: [account.vault, D, SYSTEM],
    });
  });

  test("works with another account index", async () => {
    const vault = (await pda.vault(account.settings, 7)).key;
    ledger.fund(vault);
    expectSuccess(
      ledger.send(
        executeSync({
          settings: account.settings,
          members: [B, A],
          accountIndex: 7,
          accounts: [w(vault), w(D), r(SYSTEM)],
          payload: syncPayload([{ program: 2, accounts: [0, 1], data: transferData(1_000_000) }]),
        }),
      ),
    );
    expect(ledger.balance(D)).toBe(1_000_000n);
  });

  test("refuses a policy payload: 6055, an unknown payload: 102, a read-only settings account: 2000", () => {
    const accounts: Meta[] = [w(account.settings), r(PROGRAM), s(A), s(B)];
    const send = (tag: number, list = accounts) =>
      ledger.send(call("execute_transaction_sync_v2", list, u8(0), u8(2), u8(tag), counted(u8(0))));
    expectError(send(1), 6055);
    expectError(send(2), 102);
    expectError(send(0, [r(account.settings), ...accounts.slice(1)]), 2000);
  });

  test("a two-member SOL transfer costs at most 24,000 compute units with bump 249", () => {
    expect(account.bump).toBe(249);
    expect(expectSuccess(ledger.send(pay([A, B]))).computeUnits).toBeLessThanOrEqual(24_000);
  });

  test("long inner instructions over many accounts fit the heap one at a time, six of them with a larger one", () => {
    const others = Array.from({ length: 12 }, (_, i) => repeated(100 + i));
    ledger.fund(...others);
    const many = Array.from({ length: 50 }, (_, i) => i % 12);
    const instruction = { program: 13, accounts: [12, 0, ...many], data: transferData(890_880) };
    const send = (count: number, ...before: Instruction[]) =>
      ledger.send(
        ...before,
        executeSync({
          settings: account.settings,
          members: [A, B],
          accounts: [...others.map(w), w(account.vault), r(SYSTEM)],
          payload: syncPayload(Array.from({ length: count }, () => instruction)),
        }),
      );
    expectSuccess(send(1));
    expectRuntimeError(send(6), "ProgramFailedToComplete");
    const heapFrame = concat(u8(1), u32(262_144));
    expectSuccess(
      send(6, { program: key("ComputeBudget111111111111111111111111111111"), accounts: [], data: heapFrame }),
    );
  });
});

describe("execute_transaction_sync", () => {
  test("logs event 1 with positions counted from the first member", () => {
    const events = eventBytes(expectSuccess(ledger.send(pay([A, B], { legacy: true }))));
    expect(events.length).toBe(1);
    expect(decodeEvent(events[0], 1)).toEqual({
      settingsKey: account.settings,
      accountIndex: 0,
      signers: [A, B],
      instructions: [{ program: 4, accounts: Uint8Array.of(2, 3), data: transferData(5_000_000) }],
      accounts: [A, B, account.vault, D, SYSTEM],
    });
  });
});

/** A transfer of `lamports` to D by these members, in either form of the instruction. */
function pay(members: readonly Uint8Array[], options: { legacy?: boolean; lamports?: number; from?: Uint8Array } = {}) {
  const offset = options.legacy === true ? members.length : 0;
  return executeSync({
    settings: account.settings,
    members,
    accounts: [w(options.from ?? account.vault), w(D), r(SYSTEM)],
    payload: syncPayload([
      { program: offset + 2, accounts: [offset, offset + 1], data: transferData(options.lamports ?? 5_000_000) },
    ]),
    ...(options.legacy === true ? { legacy: true } : {}),
  });
}
