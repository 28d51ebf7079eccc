import { describe, expect, test } from "vitest";
import { concat, counted, fromHex, u8 } from "./support/bytes.js";
import { call } from "./support/calls.js";
import { activateProposal, executeSync } from "./support/instructions.js";
import { named, PROGRAM, SYSTEM } from "./support/keys.js";
import type { Instruction } from "./support/ledger.js";
import { A, B, D } from "./support/members.js";
import { syncPayload, transferData } from "./support/messages.js";
import { r, s, w } from "./support/metas.js";
import { expectError, expectRuntimeError, expectSuccess } from "./support/outcomes.js";
import { useSmartAccount } from "./support/use-smart-account.js";

const { ledger, account } = useSmartAccount();

describe("unknown instructions", () => {
  test("are refused: 101, data that is too short: 100", () => {
    expectError(ledger.send(raw(new Uint8Array())), 100);
    expectError(ledger.send(raw(fromHex("c566fde74d5432"))), 100);
    expectError(ledger.send(raw(new Uint8Array(8))), 101);
    // close_empty_policy_transaction: policies of the public program are not part of this one.
    expectError(ledger.send(raw(fromHex("b742c7e22a57924d"))), 101);
  });
});

describe("log_event", () => {
  const log = (authority: Instruction["accounts"][number]) =>
    ledger.send(call("log_event", [authority], counted(u8(9))));

  test("needs a signature: 3010; an account with content: 6056; of the program: 2004", () => {
    expectError(log(r(account.settings)), 3010);
    expectError(log(s(A)), 6056);
    expectError(log(s(account.vault)), 6056);
    ledger.set(named("foreign"), { lamports: 10_000_000n, data: u8(1), owner: named("somebody") });
    expectError(log(s(named("foreign"))), 2004);
  });

  test("refuses accounts without content: 6056", () => {
    ledger.set(named("blank"), { lamports: 10_000_000n, data: new Uint8Array(40), owner: PROGRAM });
    expectError(log(s(named("blank"))), 6056);
    ledger.set(named("empty"), { lamports: 10_000_000n, owner: PROGRAM });
    expectError(log(s(named("empty"))), 6056);
  });

  test("refuses data that is shorter than it says: 102, and no accounts: 3005", () => {
    expectError(ledger.send(call("log_event", [s(account.settings)], fromHex("05000000 01"))), 102);
    expectError(ledger.send(call("log_event", [], counted(u8(1)))), 3005);
  });
});

describe("log lines", () => {
  test("name the instruction first and the error last, in the form clients parse", () => {
    const outcome = ledger.send(
      executeSync({ settings: account.settings, members: [A], accounts: [], payload: syncPayload([]) }),
    );
    expect(outcome.logs.filter((line) => line.startsWith("Program log:"))).toEqual([
      "Program log: Instruction: ExecuteTransactionSyncV2",
      "Program log: AnchorError occurred. Error Code: InvalidSignerCount. Error Number: 6047. Error Message: Fewer signers than the threshold.",
    ]);
  });
});

describe("repeated accounts", () => {
  test("one account in two roles is one account", () => {
    // The vault pays itself: nothing may be made of it.
    const before = ledger.balance(account.vault);
    expectSuccess(
      ledger.send(
        executeSync({
          settings: account.settings,
          members: [A, B],
          accounts: [w(account.vault), w(account.vault), r(SYSTEM)],
          payload: syncPayload([{ program: 2, accounts: [0, 1], data: transferData(7_000_000) }]),
        }),
      ),
    );
    expect(ledger.balance(account.vault)).toBe(before);
  });

  test("an account repeated among the inner accounts pays once per instruction", () => {
    expectSuccess(
      ledger.send(
        executeSync({
          settings: account.settings,
          members: [A, B],
          accounts: [w(account.vault), w(D), w(account.vault), w(D), r(SYSTEM)],
          payload: syncPayload([
            { program: 4, accounts: [0, 1], data: transferData(2_000_000) },
            { program: 4, accounts: [2, 3], data: transferData(3_000_000) },
          ]),
        }),
      ),
    );
    expect(ledger.balance(D)).toBe(5_000_000n);
  });

  test("the settings account in place of any other is refused", async () => {
    const good = executeSync({
      settings: account.settings,
      members: [A, B],
      accounts: [w(account.vault), w(D), r(SYSTEM)],
      payload: syncPayload([{ program: 2, accounts: [0, 1], data: transferData(1_000_000) }]),
    });
    for (let position = 1; position < 4; position++) {
      const accounts = good.accounts.map((meta, i) => (i === position ? w(account.settings) : meta));
      expect(ledger.send({ ...good, accounts }).error).toBeDefined();
    }
  });
});

describe("settings accounts", () => {
  const load = (key: Uint8Array) =>
    ledger.send(executeSync({ settings: key, members: [A, B], accounts: [], payload: syncPayload([]) }));

  test("missing 3012, of another owner 3007, of another type 3002, too short 3001 or an abort, cut off 3003", async () => {
    const stored = ledger.account(account.settings);
    if (stored === undefined) throw new Error("no settings");
    expectError(load(named("nowhere")), 3012);
    ledger.set(account.settings, { ...stored, owner: named("somebody") });
    expectError(load(account.settings), 3007);
    ledger.set(account.settings, { ...stored, data: concat(u8(1), stored.data.subarray(1)) });
    expectError(load(account.settings), 3002);
    ledger.set(account.settings, { ...stored, data: stored.data.slice(0, 7) });
    expectRuntimeError(load(account.settings), "ProgramFailedToComplete");
    // Where no policy can stand in their place, there is an error for it.
    expectError(ledger.send(activateProposal(account.settings, A, named("nowhere"))), 3001);
    ledger.set(account.settings, { ...stored, data: stored.data.slice(0, 150) });
    expectError(load(account.settings), 3003);
    ledger.set(account.settings, stored);
    expectSuccess(load(account.settings));
  });

  test("a member list that claims to be longer than the account: 3003", () => {
    const stored = ledger.account(account.settings);
    if (stored === undefined) throw new Error("no settings");
    const data = new Uint8Array(stored.data);
    data.fill(0xff, 120, 124);
    ledger.set(account.settings, { ...stored, data });
    expectError(load(account.settings), 3003);
  });
});

const raw = (data: Uint8Array, accounts: Instruction["accounts"] = []): Instruction => ({
  program: PROGRAM,
  accounts,
  data,
});
