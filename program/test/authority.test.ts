import { beforeEach, describe, expect, test } from "vitest";
import { concat, option, u8, u16, u32 } from "./support/bytes.js";
import { decodeEvent } from "./support/decoding.js";
import { named, repeated, SYSTEM } from "./support/keys.js";
import { eventBytes, FEE_PAYER, type Instruction, type Meta } from "./support/ledger.js";
import { A, ALL, B, C, D, EXECUTE, INITIATE, TWO_OF_TWO, VOTE } from "./support/members.js";
import { transferMessage } from "./support/messages.js";
import { r, s, w } from "./support/metas.js";
import { expectError, expectRuntimeError, expectSuccess } from "./support/outcomes.js";
import {
  addLimitAsAuthority,
  asAuthority,
  type LimitTerms,
  removeLimitAsAuthority,
} from "./support/settings-instructions.js";
import { openAccount } from "./support/smart-account.js";
import { useSmartAccount } from "./support/use-smart-account.js";

const { ledger, account, openNext } = useSmartAccount(() => ({ ...TWO_OF_TWO, authority: X }));

const every: [Change, Uint8Array][] = [
  ["add_signer_as_authority", concat(C, u8(VOTE))],
  ["remove_signer_as_authority", A],
  ["change_threshold_as_authority", u16(1)],
  ["set_time_lock_as_authority", u32(60)],
  ["set_new_settings_authority_as_authority", D],
  ["set_archival_authority_as_authority", option(D)],
];

describe.each(every)("%s", (name, argument) => {
  test("is for the settings authority alone: 6005, and only signed: 3010", () => {
    expectError(change(name, argument, { authority: A }), 6005);
    expectError(ledger.send(replaced(build(name, argument), 1, r(X))), 3010);
  });

  test("never works on an autonomous account: 6005", async () => {
    await openNext(TWO_OF_TWO);
    expectError(change(name, argument), 6005);
    expectError(change(name, argument, { authority: SYSTEM }), 6005);
  });

  test("wrong accounts: 2000, 3010, 3008, 2006, 3005, 102", () => {
    const good = build(name, argument);
    expectError(ledger.send(replaced(good, 0, r(account.settings))), 2000);
    expectError(ledger.send(replaced(good, 2, w(D))), 3010);
    expectError(ledger.send(replaced(good, 2, s(D))), 2000);
    expectError(ledger.send(replaced(good, 3, r(D))), 3008);
    expectError(ledger.send(replaced(good, 4, r(D))), 3008);
    expectError(ledger.send({ ...good, accounts: good.accounts.slice(0, 4) }), 3005);
    expectError(ledger.send({ ...good, data: good.data.slice(0, -1) }), 102);
    const copy = ledger.account(account.settings);
    if (copy === undefined) throw new Error("no settings");
    ledger.set(named("elsewhere"), copy);
    expectError(ledger.send(replaced(good, 0, w(named("elsewhere")))), 2006);
  });
});

describe("settings changes by the authority", () => {
  test("add_signer grows the account at the payer's cost; event 6", () => {
    const outcome = expectSuccess(addSigner(C, VOTE));
    expect(account.read().signers).toEqual([
      { key: A, mask: ALL },
      { key: B, mask: ALL },
      { key: C, mask: VOTE },
    ]);
    expect(size()).toBe(135 + 33 * 3);
    expect(ledger.balance(account.settings)).toBe(ledger.rent(135 + 33 * 3));
    const events = eventBytes(outcome);
    expect(events.length).toBe(1);
    expect(decodeEvent(events[0], 6)).toEqual({
      settings: account.read(),
      settingsKey: account.settings,
      authority: X,
      change: { tag: 0, member: { key: C, mask: VOTE } },
    });
  });

  test("add_signer is refused for members (6001), unknown permissions (6029), without payer or system program (6024)", () => {
    expectError(addSigner(A, VOTE), 6001);
    expectError(addSigner(C, 8), 6029);
    expectError(addSigner(C, VOTE, { payer: undefined }), 6024);
    expectError(addSigner(C, VOTE, { system: false }), 6024);
  });

  test("remove_signer: 6006 for strangers, 6004 below the threshold, 6016 for the last one; event 6", () => {
    expectError(change("remove_signer_as_authority", C), 6006);
    expectError(change("remove_signer_as_authority", A), 6004);
    expectSuccess(change("change_threshold_as_authority", u16(1)));
    const outcome = expectSuccess(change("remove_signer_as_authority", A));
    expect(account.read().signers).toEqual([{ key: B, mask: ALL }]);
    expect(decodeEvent(eventBytes(outcome)[0], 6).change).toEqual({ tag: 1, key: A });
    expectError(change("remove_signer_as_authority", B), 6016);
    expectError(change("remove_signer_as_authority", C), 6016);
  });

  test("change_threshold: 6004 outside one and the voters; event 6", () => {
    expectError(change("change_threshold_as_authority", u16(0)), 6004);
    expectError(change("change_threshold_as_authority", u16(3)), 6004);
    const outcome = expectSuccess(change("change_threshold_as_authority", u16(1), { payer: undefined }));
    expect(account.read().threshold).toBe(1);
    expect(decodeEvent(eventBytes(outcome)[0], 6).change).toEqual({ tag: 2, threshold: 1 });
  });

  test("set_time_lock: 6031 above 90 days; event 6", () => {
    expectError(change("set_time_lock_as_authority", u32(7_776_001)), 6031);
    const outcome = expectSuccess(change("set_time_lock_as_authority", u32(7_776_000)));
    expect(account.read().timeLock).toBe(7_776_000);
    expect(decodeEvent(eventBytes(outcome)[0], 6).change).toEqual({ tag: 3, seconds: 7_776_000 });
  });

  test("set_new_settings_authority hands over; event 7", () => {
    const outcome = expectSuccess(change("set_new_settings_authority_as_authority", D));
    expect(account.read().settingsAuthority).toEqual(D);
    const events = eventBytes(outcome);
    expect(events.length).toBe(1);
    expect(decodeEvent(events[0], 7)).toEqual({
      settings: account.read(),
      settingsKey: account.settings,
      authority: X,
      newAuthority: D,
    });
    expectError(change("set_time_lock_as_authority", u32(1)), 6005);
    expectSuccess(change("set_time_lock_as_authority", u32(1), { authority: D }));
  });

  test("set_new_settings_authority to zero makes the account autonomous for good", async () => {
    expectSuccess(change("set_new_settings_authority_as_authority", SYSTEM));
    expectError(change("set_new_settings_authority_as_authority", X), 6005);
    expectSuccess(ledger.send(await account.createSettings(A, [concat(u8(2), u16(1))])));
  });

  test("set_archival_authority is not implemented: 6052", () => {
    expectError(change("set_archival_authority_as_authority", option(D)), 6052);
    expectError(change("set_archival_authority_as_authority", option(undefined)), 6052);
  });

  test("each change is valid on its own, so the order within a transaction matters", () => {
    const add = build("add_signer_as_authority", concat(C, u8(VOTE)));
    const raise = build("change_threshold_as_authority", u16(3));
    expectError(ledger.send(raise, add), 6004);
    expectSuccess(ledger.send(add, raise));
  });

  test.each(every.slice(0, 5))("%s makes earlier proposals stale", async (name, argument) => {
    expectSuccess(ledger.send(await account.createTransaction(A, transferMessage(account.vault, D, 1_000_000))));
    expectSuccess(change("change_threshold_as_authority", u16(1)));
    expect(account.read().staleTransactionIndex).toBe(1n);
    expectSuccess(
      ledger.send(await account.createTransaction(A, transferMessage(account.vault, D, 1_000_000), { index: 2n })),
    );
    expectSuccess(change(name, argument));
    expect(account.read().staleTransactionIndex).toBe(2n);
  });

  test("no proposers (6018), executors (6019), voters (6017) left", async () => {
    await openNext({
      threshold: 1,
      authority: X,
      members: [
        { key: A, mask: INITIATE },
        { key: B, mask: EXECUTE },
        { key: C, mask: VOTE },
      ],
    });
    expectError(change("remove_signer_as_authority", A), 6018);
    expectError(change("remove_signer_as_authority", B), 6019);
    expectError(change("remove_signer_as_authority", C), 6017);
  });
});

describe("spending limits by the authority", () => {
  const SEED = repeated(7);
  const TERMS: LimitTerms = { seed: SEED, amount: 500n, period: 2, signers: [D, A], destinations: [C] };
  let limit: Uint8Array;

  beforeEach(async () => {
    limit = await account.limitKey(SEED);
  });

  const add = (terms: Partial<LimitTerms> = {}, authority = X) =>
    addLimitAsAuthority({ settings: account.settings, authority, limit, terms: { ...TERMS, ...terms } });
  const remove = (more: { limit?: Uint8Array; authority?: Uint8Array } = {}) =>
    removeLimitAsAuthority({ settings: account.settings, authority: X, limit, collector: C, ...more });

  test("add writes the limit and logs event 6; proposals stay current", async () => {
    expectSuccess(ledger.send(await account.createTransaction(A, transferMessage(account.vault, D, 1_000_000))));
    const outcome = expectSuccess(ledger.send(add()));
    expect(await account.limit(SEED)).toEqual({
      settings: account.settings,
      seed: SEED,
      accountIndex: 0,
      mint: SYSTEM,
      amount: 500n,
      period: 2,
      remaining: 500n,
      lastReset: ledger.now(),
      bump: expect.any(Number),
      signers: [A, D],
      destinations: [C],
      expiration: 2n ** 63n - 1n,
    });
    expect(account.read().staleTransactionIndex).toBe(0n);
    const events = eventBytes(outcome);
    expect(events.length).toBe(1);
    expect(decodeEvent(events[0], 6)).toMatchObject({
      settingsKey: account.settings,
      authority: X,
      change: { tag: 4, terms: { seed: SEED, amount: 500n, signers: [D, A] } },
    });
  });

  test("add: 6005, expired 6080, 6040, 6002, 6001, another address 2006, twice system error 0", async () => {
    expectError(ledger.send(add({}, A)), 6005);
    expectError(ledger.send(add({ expiration: ledger.now() })), 6080);
    expectError(ledger.send(add({ amount: 0n })), 6040);
    expectError(ledger.send(add({ signers: [] })), 6002);
    expectError(ledger.send(add({ signers: [A, A] })), 6001);
    expectError(ledger.send(add({ seed: named("other") })), 2006);
    expectSuccess(ledger.send(add({ expiration: ledger.now() + 1n })));
    expectError(ledger.send(add()), 0);
  });

  test("add: wrong accounts: escalation, 3010, 3008, 3005", () => {
    // The account is created before anything else is checked, so the runtime refuses first.
    expectRuntimeError(ledger.send(replaced(add(), 2, r(limit))), "PrivilegeEscalation");
    expectError(ledger.send(replaced(add(), 1, r(X))), 3010);
    expectError(ledger.send(replaced(add(), 3, w(D))), 3010);
    expectRuntimeError(ledger.send(replaced(add(), 3, s(D))), "PrivilegeEscalation");
    expectError(ledger.send(replaced(add(), 4, r(D))), 3008);
    expectError(ledger.send(replaced(add(), 5, r(D))), 3008);
    expectError(ledger.send({ ...add(), accounts: add().accounts.slice(0, 5) }), 3005);
  });

  test("remove gives the rent to any collector and logs event 6", () => {
    expectSuccess(ledger.send(add()));
    const rent = ledger.balance(limit);
    const before = ledger.balance(C);
    const outcome = expectSuccess(ledger.send(remove()));
    expect(ledger.account(limit)).toBeUndefined();
    expect(ledger.balance(C)).toBe(before + rent);
    expect(decodeEvent(eventBytes(outcome)[0], 6)).toMatchObject({ change: { tag: 5, key: limit } });
    expectSuccess(ledger.send(add()));
  });

  test("remove: 6005, another account's limit 6015, missing 3012, another type 3002, read-only 2000, 3010, 3008", async () => {
    expectError(ledger.send(remove()), 3012);
    expectSuccess(ledger.send(add()));
    expectError(ledger.send(remove({ authority: A })), 6005);
    expectError(ledger.send(remove({ limit: account.settings })), 3002);
    expectError(ledger.send(replaced(remove(), 2, r(limit))), 2000);
    expectError(ledger.send(replaced(remove(), 3, r(C))), 2000);
    expectError(ledger.send(replaced(remove(), 1, r(X))), 3010);
    expectError(ledger.send(replaced(remove(), 4, r(C))), 3008);
    const other = await openAccount(ledger, { ...TWO_OF_TWO, authority: X });
    const foreign = await other.limitKey(SEED);
    expectSuccess(
      ledger.send(addLimitAsAuthority({ settings: other.settings, authority: X, limit: foreign, terms: TERMS })),
    );
    expectError(ledger.send(remove({ limit: foreign })), 6015);
  });

  test("a collector that is the limit itself: 2011", () => {
    expectSuccess(ledger.send(add()));
    const outcome = ledger.send(
      removeLimitAsAuthority({ settings: account.settings, authority: X, limit, collector: limit }),
    );
    expectError(outcome, 2011);
  });
});

const X = named("settings authority");

type Change = Parameters<typeof asAuthority>[0];
type More = Partial<Parameters<typeof asAuthority>[1]>;

const build = (name: Change, argument: Uint8Array, more: More = {}) =>
  asAuthority(name, { settings: account.settings, authority: X, argument, payer: FEE_PAYER, ...more });

const change = (name: Change, argument: Uint8Array, more: More = {}) => ledger.send(build(name, argument, more));

const addSigner = (key: Uint8Array, mask: number, more: More = {}) =>
  change("add_signer_as_authority", concat(key, u8(mask)), more);

const size = () => ledger.account(account.settings)?.data.length;

const replaced = (good: Instruction, position: number, meta: Meta): Instruction => ({
  ...good,
  accounts: good.accounts.map((present, i) => (i === position ? meta : present)),
});
