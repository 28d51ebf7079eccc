import { beforeEach, describe, expect, test } from "vitest";
import { u64 } from "./support/bytes.js";
import { call } from "./support/calls.js";
import { decodeProgramConfig } from "./support/decoding.js";
import { CONFIG_INITIALIZER, named, PROGRAM, SYSTEM } from "./support/keys.js";
import { CONFIG_AUTHORITY, type Instruction, TREASURY } from "./support/ledger.js";
import { r, s, w, ws } from "./support/metas.js";
import { expectError, expectSuccess } from "./support/outcomes.js";
import { pda } from "./support/pda.js";
import { useLedger } from "./support/use-smart-account.js";

const ledger = useLedger();

describe("initialize_program_config", () => {
  beforeEach(() => {
    ledger.set(config, { lamports: 0n });
    ledger.fund(CONFIG_INITIALIZER, NEW_KEY);
  });

  test("writes index 0 and the three values into 160 bytes", () => {
    expectSuccess(ledger.send(initialize()));
    expect(read()).toEqual({
      index: 0n,
      authority: CONFIG_AUTHORITY,
      fee: 5000n,
      treasury: TREASURY,
      reserved: new Uint8Array(64),
    });
    expect(ledger.account(config)?.data.length).toBe(160);
  });

  test("works once: the second time the address is in use", () => {
    expectSuccess(ledger.send(initialize()));
    expectError(ledger.send(initialize()), 0);
  });

  test("is refused for every signer but the hard-coded initializer: 6005", () => {
    expectError(ledger.send(initialize({ initializer: NEW_KEY })), 6005);
  });

  test("is refused for a zero authority or treasury: 6015", () => {
    expectError(ledger.send(initialize({ authority: ZERO })), 6015);
    expectError(ledger.send(initialize({ treasury: ZERO })), 6015);
  });

  test("is refused at another address: 2006", () => {
    const wrong = initialize();
    expectError(ledger.send({ ...wrong, accounts: [w(NEW_KEY), ...wrong.accounts.slice(1)] }), 2006);
  });

  test("is refused without the initializer's signature: 3010, without the system program: 3008", () => {
    const good = initialize();
    expectError(ledger.send({ ...good, accounts: [w(config), w(CONFIG_INITIALIZER), r(SYSTEM)] }), 3010);
    expectError(ledger.send({ ...good, accounts: [w(config), ws(CONFIG_INITIALIZER), r(PROGRAM)] }), 3008);
  });
});

const config = (await pda.programConfig()).key;
const NEW_KEY = named("new key");

describe("changing the program config", () => {
  const setters: [string, (authority: Uint8Array) => Instruction, object][] = [
    [
      "set_program_config_authority",
      (authority) => call("set_program_config_authority", [w(config), s(authority)], NEW_KEY),
      { authority: NEW_KEY },
    ],
    [
      "set_program_config_smart_account_creation_fee",
      (authority) => call("set_program_config_smart_account_creation_fee", [w(config), s(authority)], u64(77)),
      { fee: 77n },
    ],
    [
      "set_program_config_treasury",
      (authority) => call("set_program_config_treasury", [w(config), s(authority)], NEW_KEY),
      { treasury: NEW_KEY },
    ],
  ];

  test.each(setters)("%s changes one value", (_, build, change) => {
    const before = read();
    expectSuccess(ledger.send(build(CONFIG_AUTHORITY)));
    expect(read()).toEqual({ ...before, ...change });
  });

  test.each(setters)("%s is refused for every signer but the authority: 6005", (_, build) => {
    expectError(ledger.send(build(NEW_KEY)), 6005);
  });

  test("a zero authority or treasury is refused: 6015", () => {
    expectError(ledger.send(call("set_program_config_authority", [w(config), s(CONFIG_AUTHORITY)], ZERO)), 6015);
    expectError(ledger.send(call("set_program_config_treasury", [w(config), s(CONFIG_AUTHORITY)], ZERO)), 6015);
  });

  test("constraints: signature 3010, writable 2000, address 2006, owner 3007, type 3002, missing 3012", () => {
    const with_ = (...accounts: Instruction["accounts"]) =>
      ledger.send(call("set_program_config_treasury", accounts, NEW_KEY));
    expectError(with_(w(config), r(CONFIG_AUTHORITY)), 3010);
    expectError(with_(r(config), s(CONFIG_AUTHORITY)), 2000);
    const content = ledger.account(config);
    if (content === undefined) throw new Error("no config");
    ledger.set(NEW_KEY, content);
    expectError(with_(w(NEW_KEY), s(CONFIG_AUTHORITY)), 2006);
    ledger.set(NEW_KEY, { ...content, owner: SYSTEM });
    expectError(with_(w(NEW_KEY), s(CONFIG_AUTHORITY)), 3007);
    const otherType = new Uint8Array(content.data);
    otherType[0] = 1;
    ledger.set(NEW_KEY, { ...content, data: otherType });
    expectError(with_(w(NEW_KEY), s(CONFIG_AUTHORITY)), 3002);
    ledger.set(NEW_KEY, { ...content, data: content.data.slice(0, 100) });
    expectError(with_(w(NEW_KEY), s(CONFIG_AUTHORITY)), 3003);
    expectError(with_(w(named("nobody")), s(CONFIG_AUTHORITY)), 3012);
    expectError(with_(w(config)), 3005);
  });
});

const ZERO = new Uint8Array(32);

const read = () => decodeProgramConfig(ledger.account(config)?.data ?? new Uint8Array());

const initialize = (change: { initializer?: Uint8Array; authority?: Uint8Array; treasury?: Uint8Array } = {}) =>
  call(
    "initialize_program_config",
    [w(config), ws(change.initializer ?? CONFIG_INITIALIZER), r(SYSTEM)],
    change.authority ?? CONFIG_AUTHORITY,
    u64(5000),
    change.treasury ?? TREASURY,
  );
