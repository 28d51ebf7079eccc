import { Rent } from "litesvm";
import { describe, expect, test } from "vitest";
import { decodeEvent, decodeProgramConfig, decodeSettings } from "./support/decoding.js";
import { type Creation, createSmartAccount } from "./support/instructions.js";
import { named, PROGRAM, repeated, SYSTEM } from "./support/keys.js";
import { createLedger, eventBytes, FEE_PAYER, programConfigData, TREASURY } from "./support/ledger.js";
import { A, ALL, B, C, D, EXECUTE, INITIATE, VOTE } from "./support/members.js";
import { r, w } from "./support/metas.js";
import { expectError, expectSuccess } from "./support/outcomes.js";
import { pda } from "./support/pda.js";
import { useLedger } from "./support/use-smart-account.js";

const ledger = useLedger();

const everybody = [
  { key: B, mask: ALL },
  { key: A, mask: ALL },
];

describe("create_smart_account", () => {
  test("writes sorted members, the terms and the defaults, and logs event 0 with the same settings", async () => {
    const outcome = expectSuccess(ledger.send(await create({ authority: C, threshold: 2, timeLock: 60 })));
    const written = settings(first);
    expect(written).toEqual({
      seed: 1n,
      settingsAuthority: C,
      threshold: 2,
      timeLock: 60,
      transactionIndex: 0n,
      staleTransactionIndex: 0n,
      archivalAuthority: new Uint8Array(32),
      archivableAfter: 0n,
      bump: 249,
      signers: [
        { key: A, mask: ALL },
        { key: B, mask: ALL },
      ],
      accountUtilization: 0,
      policySeed: 0n,
      reserved: 0,
    });
    const events = eventBytes(outcome);
    expect(events.length).toBe(1);
    expect(decodeEvent(events[0], 0)).toEqual({ settingsKey: first, settings: written });
    expect(outcome.logs[1]).toBe("Program log: Instruction: CreateSmartAccount");
  });

  test.each([
    [3_480n, 2, (128n + 201n) * 6_960n],
    [6_333n, 1, (128n + 201n) * 6_333n],
    [4_001n, 1.5, ((128n + 201n) * 4_001n * 3n) / 2n],
  ])("pays the rent that the cluster asks for: %i a byte, factor %d", async (lamportsPerByte, factor, rent) => {
    ledger.svm.setRent(new Rent(lamportsPerByte, factor, 50));
    expectSuccess(ledger.send(await create()));
    expect(ledger.balance(first)).toBe(rent);
  });

  test("takes the rent from the creator, who need not be a member, and counts the account", async () => {
    const before = ledger.balance(D);
    ledger.fund(D);
    expectSuccess(ledger.send(await create({ creator: D })));
    expect(before).toBe(0n);
    expect(ledger.balance(D)).toBe(100_000_000_000n - ledger.rent(201));
    const config = ledger.account((await pda.programConfig()).key);
    expect(decodeProgramConfig(config?.data ?? new Uint8Array()).index).toBe(1n);
  });

  test("pays the creation fee to the treasury", async () => {
    const costly = await createLedger({ creationFee: 1_000_000n });
    const before = costly.balance(TREASURY);
    expectSuccess(costly.send(await create()));
    expect(costly.balance(TREASURY)).toBe(before + 1_000_000n);
  });

  test("uses the candidate that fits the counter and leaves the others alone", async () => {
    const candidates = await Promise.all([3, 2, 1].map(async (seed) => (await pda.settings(seed)).key));
    expectSuccess(ledger.send(await create({ candidates })));
    expect(ledger.account(first)).toBeDefined();
    expect(ledger.account(candidates[0] ?? A)).toBeUndefined();
    expectSuccess(ledger.send(await create({ candidates, memo: "second" })));
    expect(settings((await pda.settings(2)).key).seed).toBe(2n);
  });

  test("counts beyond 64 bits", async () => {
    const index = 2n ** 64n - 1n;
    const config = (await pda.programConfig()).key;
    ledger.set(config, { lamports: ledger.rent(160), data: programConfigData(index, 0n), owner: PROGRAM });
    const derived = await pda.settings(index + 1n);
    expectSuccess(ledger.send(await create({ candidates: [derived.key] })));
    expect(settings(derived.key).seed).toBe(index + 1n);
  });

  test("25 members fit", async () => {
    const members = Array.from({ length: 25 }, (_, i) => ({ key: named(`member ${i}`), mask: ALL }));
    expectSuccess(ledger.send(await create({ members, threshold: 25 })));
    const keys = settings(first).signers.map((member) => Buffer.from(member.key));
    expect(keys).toEqual([...keys].sort(Buffer.compare));
  });
});

describe("create_smart_account refuses", () => {
  test.each<[string, Partial<Creation>, number]>([
    ["another treasury", { treasury: D }, 6015],
    ["a window without the next address", { candidates: [repeated(40)] }, 6024],
    ["an empty window", { candidates: [] }, 6024],
    ["the same member twice", { members: [...everybody, { key: A, mask: VOTE }] }, 6001],
    ["an unknown permission", { members: [...everybody, { key: C, mask: 8 }] }, 6029],
    ["no initiator", { members: [{ key: A, mask: VOTE | EXECUTE }] }, 6018],
    ["no executor", { members: [{ key: A, mask: VOTE | INITIATE }] }, 6019],
    ["no voter", { members: [{ key: A, mask: INITIATE | EXECUTE }] }, 6017],
    ["no members", { members: [] }, 6018],
    ["a threshold of zero", { threshold: 0 }, 6004],
    [
      "a threshold above the voters",
      {
        threshold: 2,
        members: [
          { key: A, mask: ALL },
          { key: B, mask: INITIATE },
        ],
      },
      6004,
    ],
    ["a time lock above 90 days", { timeLock: 7_776_001 }, 6031],
  ])("%s", async (_, change, code) => {
    expectError(ledger.send(await create(change)), code);
    expect(ledger.account(first)).toBeUndefined();
  });

  test("a mask of zero is accepted, as is the longest time lock", async () => {
    expectSuccess(ledger.send(await create({ members: [...everybody, { key: C, mask: 0 }], timeLock: 7_776_000 })));
  });

  test("a settings address that is not the system program's (3011), holds data (6000), is read-only (3006)", async () => {
    ledger.set(first, { lamports: 10_000_000n, owner: named("some program") });
    expectError(ledger.send(await create()), 3011);
    ledger.set(first, { lamports: 10_000_000n, data: new Uint8Array(1) });
    expectError(ledger.send(await create()), 6000);
    ledger.set(first, { lamports: 0n });
    const good = await create();
    expectError(ledger.send({ ...good, accounts: [...good.accounts.slice(0, 5), r(first)] }), 3006);
  });

  test("a creator without money: system error 1", async () => {
    ledger.set(D, { lamports: 1_000n });
    expectError(ledger.send(await create({ creator: D })), 1);
  });

  test("wrong accounts: 3005, 3010, 3008, 2000", async () => {
    const good = await create();
    const replaced = (position: number, meta: (typeof good.accounts)[number]) => ({
      ...good,
      accounts: good.accounts.map((present, i) => (i === position ? meta : present)),
    });
    expectError(ledger.send({ ...good, accounts: good.accounts.slice(0, 4) }), 3005);
    expectError(ledger.send(replaced(2, w(D))), 3010);
    expectError(ledger.send(replaced(3, r(D))), 3008);
    expectError(ledger.send(replaced(4, r(SYSTEM))), 3008);
    expectError(ledger.send(replaced(1, r(TREASURY))), 2000);
    const config = good.accounts[0]?.key ?? A;
    expectError(ledger.send(replaced(0, r(config))), 2000);
    expectError(ledger.send(replaced(0, w(FEE_PAYER))), 3007);
  });

  test("data that ends early or is not decodable: 102", async () => {
    const good = await create();
    expectError(ledger.send({ ...good, data: good.data.slice(0, -1) }), 102);
    const badOption = new Uint8Array(good.data);
    badOption[8] = 2;
    expectError(ledger.send({ ...good, data: badOption }), 102);
  });

  test("an index that can no longer be counted: the program aborts", async () => {
    const config = (await pda.programConfig()).key;
    ledger.set(config, { lamports: ledger.rent(160), data: programConfigData(2n ** 128n - 1n, 0n), owner: PROGRAM });
    const outcome = ledger.send(await create());
    expect(outcome.error?.text).toContain("ProgramFailedToComplete");
  });
});

const first = (await pda.settings(1)).key;

const create = (change: Partial<Creation> = {}) =>
  createSmartAccount({ threshold: 1, members: everybody, candidates: [first], ...change });

const settings = (key: Uint8Array) => decodeSettings(ledger.account(key)?.data ?? new Uint8Array());
