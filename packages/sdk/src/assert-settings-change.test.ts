import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getAddressDecoder,
  getBase64EncodedWireTransaction,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import {
  type AuthorityChange,
  changeAsAuthorityInstruction,
  executeSettingsTransactionSyncInstruction,
  executeTransactionSyncInstruction,
  removeSpendingLimitAsAuthorityInstruction,
  type SettingsActionArgs,
} from "@trellis/program-client";
import { describe, expect, it } from "vitest";
import { assertSettingsChangeMatches, type ExpectedSettingsChange } from "./assert-settings-change.js";
import { decodeTransaction } from "./inspect/decode-transaction.js";
import {
  deriveSmartAccountAddress,
  deriveSpendingLimitAddress,
  isKey,
  smartAccountProgramAddress,
} from "./program-address.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { Permission, Policies } from "./wire.js";

const keyOf = (fill: number): Address => getAddressDecoder().decode(new Uint8Array(32).fill(fill));
const [settings, feePayer, a, b, c, admin, limit] = [1, 2, 3, 4, 5, 6, 7].map(keyOf) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const everything: Permission[] = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];
const voter: Permission[] = ["CAN_VOTE"];
const may = (address: Address, permissions = everything) => ({ address, permissions });
const current: Policies = { signers: [may(a), may(b)], threshold: 1, time_lock: 0, admin_address: null };
const controlled: Policies = { ...current, admin_address: admin };

const add = (key: Address, permissions = 7): SettingsActionArgs & AuthorityChange => ({
  __kind: "AddSigner",
  newSigner: { key, permissions },
});
const remove = (oldSigner: Address): SettingsActionArgs & AuthorityChange => ({ __kind: "RemoveSigner", oldSigner });
const threshold = (newThreshold: number): SettingsActionArgs & AuthorityChange => ({
  __kind: "ChangeThreshold",
  newThreshold,
});
const timeLock = (newTimeLock: number): SettingsActionArgs & AuthorityChange => ({
  __kind: "SetTimeLock",
  newTimeLock,
});
const authority = (newSettingsAuthority: Address | null): AuthorityChange => ({
  __kind: "SetSettingsAuthority",
  newSettingsAuthority,
});

const byMembers = (actions: SettingsActionArgs[], members = [a], rentPayer = feePayer, of = settings) =>
  executeSettingsTransactionSyncInstruction({ settings: of, members, rentPayer, actions });

const policy = deriveSpendingLimitAddress(settings, a);
const removePolicy: SettingsActionArgs = { __kind: "PolicyRemove", policy };
const collector = keyFrom(77);
const removingPolicy = (policyRentCollectors: readonly Address[], actions: SettingsActionArgs[] = [removePolicy]) =>
  executeSettingsTransactionSyncInstruction({
    settings,
    members: [a],
    rentPayer: feePayer,
    actions,
    policyRentCollectors,
  });
const complete = removingPolicy([]);
const withoutPolicy: Instruction = { ...complete, accounts: complete.accounts.slice(0, -1) };

const byAdmin = (changes: AuthorityChange[], settingsAuthority = admin) =>
  changes.map((change) => changeAsAuthorityInstruction({ settings, settingsAuthority, rentPayer: feePayer, change }));

describe("what was asked for is accepted", () => {
  it.each<[string, readonly Instruction[], Omit<ExpectedSettingsChange, "account">]>([
    [
      "by the members, in any order",
      [byMembers([threshold(2), add(c), remove(b), timeLock(60)])],
      { changes: { signers: [may(a), may(c)], threshold: 2, time_lock: 60 }, current },
    ],
    [
      "other permissions for one who stays",
      [byMembers([remove(b), add(b, 2)])],
      { changes: { signers: [may(a), may(b, voter)] }, current },
    ],
    ["by several members", [byMembers([threshold(2)], [a, b])], { changes: { threshold: 2 }, current }],
    [
      "by the admin, through another threshold, and a new admin at the end",
      byAdmin([threshold(1), add(c), remove(b), threshold(2), authority(c)]),
      { changes: { signers: [may(a), may(c)], threshold: 2, admin_address: c }, by: "admin", current: controlled },
    ],
    [
      "the end of the admin",
      byAdmin([authority(null)]),
      { changes: { admin_address: null }, by: "admin", current: controlled },
    ],
    [
      "the removal of limits, where it was asked for",
      [byMembers([remove(b), { __kind: "RemoveSpendingLimit", spendingLimit: limit }])],
      { changes: { signers: [may(a)] }, removeSpendingLimits: true, current },
    ],
    [
      "the removal of a policy of the first form",
      [byMembers([removePolicy])],
      { changes: {}, removePolicies: [policy], current },
    ],
    [
      "the removal of a policy, whose rent goes to a key",
      [removingPolicy([collector])],
      { changes: {}, removePolicies: [policy], current },
    ],
    [
      "both with a change",
      [removingPolicy([collector], [threshold(2), removePolicy])],
      { changes: { threshold: 2 }, removePolicies: [policy], current },
    ],
  ])("%s", (_what, instructions, expected) => {
    expect(differenceOf(judge(instructions, expected))).toBe("none");
  });
});

describe("a policy's removal is refused", () => {
  const asked = { changes: {}, removePolicies: [policy], current };
  const elsewhere = deriveSpendingLimitAddress(settings, b);
  it.each<[string, string, readonly Instruction[], Omit<ExpectedSettingsChange, "account">]>([
    ["where nobody asked for it", "settings_change", [byMembers([removePolicy])], { changes: {}, current }],
    [
      "where another was asked for",
      "settings_change",
      [byMembers([removePolicy])],
      { ...asked, removePolicies: [limit] },
    ],
    ["where it is missing", "settings_change", [byMembers([threshold(2)])], { ...asked, changes: { threshold: 2 } }],
    [
      "where one of two is missing",
      "settings_change",
      [byMembers([removePolicy])],
      { ...asked, removePolicies: [policy, c] },
    ],
    ["with a spending limit beside it", "unreadable", [removingPolicy([elsewhere])], asked],
    ["with two keys beside it", "unreadable", [removingPolicy([collector, keyFrom(78)])], asked],
    ["without its account", "unreadable", [withoutPolicy], asked],
  ])("%s", (_what, difference, instructions, expected) => {
    expect(differenceOf(judge(instructions, expected))).toBe(difference);
  });
});

describe("anything else is refused", () => {
  const grow = { changes: { signers: [may(a), may(b), may(c)] }, current };
  const transfer = executeTransactionSyncInstruction({ settings, members: [a], instructions: [] });
  const limitRemoval = removeSpendingLimitAsAuthorityInstruction({
    settings,
    settingsAuthority: admin,
    spendingLimit: limit,
    rentCollector: b,
  });
  const withMemo = executeSettingsTransactionSyncInstruction({
    settings,
    members: [a],
    rentPayer: feePayer,
    actions: [add(c)],
    memo: "hello",
  });
  it.each<[string, string, readonly Instruction[], Omit<ExpectedSettingsChange, "account">]>([
    ["a signer nobody asked for", "settings_change", [byMembers([add(c), add(keyOf(20))])], grow],
    [
      "more permissions than asked for",
      "settings_change",
      [byMembers([add(c)])],
      {
        changes: { signers: [may(a), may(b), may(c, voter)] },
        current,
      },
    ],
    ["a signer removed who was to stay", "settings_change", [byMembers([add(c), remove(b)])], grow],
    [
      "a signer removed where signers were not the matter",
      "settings_change",
      [byMembers([remove(b), threshold(1)])],
      {
        changes: { threshold: 1 },
        current,
      },
    ],
    ["a signer removed before its return", "settings_change", [byMembers([add(b), remove(b), add(c)])], grow],
    ["a threshold nobody asked for", "settings_change", [byMembers([add(c), threshold(1)])], grow],
    ["another threshold", "settings_change", [byMembers([threshold(1)])], { changes: { threshold: 2 }, current }],
    [
      "a threshold that is taken back",
      "settings_change",
      byAdmin([threshold(2), threshold(1)]),
      {
        changes: { threshold: 2 },
        by: "admin",
        current: controlled,
      },
    ],
    ["a time lock nobody asked for", "settings_change", [byMembers([add(c), timeLock(5)])], grow],
    ["another admin", "settings_change", byAdmin([authority(b)]), { changes: { admin_address: c }, by: "admin" }],
    [
      "the end of the admin, unasked",
      "settings_change",
      byAdmin([timeLock(1), authority(null)]),
      {
        changes: { time_lock: 1 },
        by: "admin",
      },
    ],
    [
      "less than was asked for",
      "settings_change",
      [byMembers([add(c)])],
      {
        changes: { signers: [may(a), may(b), may(c)], threshold: 2 },
        current,
      },
    ],
    [
      "a limit removed, unasked",
      "settings_change",
      [byMembers([add(c), { __kind: "RemoveSpendingLimit", spendingLimit: limit }])],
      grow,
    ],
    [
      "a limit's rent for somebody else",
      "fee_payer",
      [limitRemoval, ...byAdmin([timeLock(1)])],
      {
        changes: { time_lock: 1 },
        by: "admin",
        removeSpendingLimits: true,
      },
    ],
    [
      "a new limit",
      "settings_change",
      [
        byMembers([
          add(c),
          {
            __kind: "AddSpendingLimit",
            seed: c,
            accountIndex: 0,
            mint: c,
            amount: 1n,
            period: 0,
            signers: [c],
            destinations: [],
            expiration: 0n,
          },
        ]),
      ],
      grow,
    ],
    ["a payment beside it", "unexpected_instruction", [byMembers([add(c)]), transfer], grow],
    ["a second change beside it", "unexpected_instruction", [byMembers([add(c)]), byMembers([add(c)])], grow],
    [
      "a call of another program",
      "unexpected_instruction",
      [byMembers([add(c)]), { programAddress: keyOf(30), accounts: [], data: new Uint8Array(1) }],
      grow,
    ],
    [
      "another call of the program",
      "unexpected_instruction",
      [{ programAddress: smartAccountProgramAddress, accounts: [], data: new Uint8Array(8) }],
      grow,
    ],
    ["nothing at all", "missing_instruction", [], grow],
    ["other settings", "settings_account", [byMembers([add(c)], [a], feePayer, keyOf(40))], grow],
    ["the admin's power where the signers decide", "signers", byAdmin([add(c)]), grow],
    ["the signers where the admin decides", "signers", [byMembers([add(c)])], { ...grow, by: "admin" }],
    [
      "two admins",
      "signers",
      [...byAdmin([add(c)]), ...byAdmin([timeLock(1)], b)],
      {
        changes: { ...grow.changes, time_lock: 1 },
        by: "admin",
      },
    ],
    ["nobody who answers for it", "signers", [byMembers([add(c)], [])], grow],
    ["rent from a signer", "fee_payer", [byMembers([add(c)], [a], a)], grow],
    ["a fee payer other than the one demanded", "fee_payer", [byMembers([add(c)])], { ...grow, feePayer: b }],
    ["a memo", "unreadable", [withMemo], grow],
    [
      "bytes behind the end",
      "unreadable",
      [{ ...withMemo, data: new Uint8Array([...byMembers([add(c)]).data, 0]) }],
      grow,
    ],
  ])("%s: %s", (_what, difference, instructions, expected) => {
    expect(differenceOf(judge(instructions, expected))).toBe(difference);
  });

  it("a fee above the cap", () => {
    expect(differenceOf(judge([byMembers([add(c)])], { ...grow, maxFeeLamports: 9_999n }))).toBe("fee");
  });
});

describe("a change that was altered", () => {
  const expected = { changes: { signers: [may(a), may(c)], threshold: 2, time_lock: 60 } };
  const actions = [remove(b), add(c), threshold(2), timeLock(60)];
  const alter = (instructions: readonly Instruction[], at: number, byte: number) =>
    instructions.map((instruction, i) => {
      const data = Uint8Array.from(instruction.data ?? []);
      if (i === at) data[byte] = (data[byte] ?? 0) ^ 1;
      return { ...instruction, data };
    });

  it.each<[string, readonly Instruction[], Omit<ExpectedSettingsChange, "account">]>([
    ["by the members", [byMembers(actions)], { ...expected, current }],
    [
      "by the admin",
      byAdmin([add(c), remove(b), threshold(2), timeLock(60)]),
      {
        ...expected,
        by: "admin",
        current: controlled,
      },
    ],
  ])("%s is refused, whichever byte it is", (_what, instructions, wanted) => {
    expect(differenceOf(judge(instructions, wanted))).toBe("none");
    const accepted = instructions.flatMap((instruction, at) =>
      Array.from(instruction.data ?? [], (_, byte) => byte).filter(
        (byte) => differenceOf(judge(alter(instructions, at, byte), wanted)) === "none",
      ),
    );
    expect(accepted).toEqual([]);
  });
});

const account = deriveSmartAccountAddress(settings);

function keyFrom(fill: number): Address {
  const found = Array.from({ length: 256 }, (_, last) => new Uint8Array(32).fill(fill).fill(last, 31))
    .map((bytes) => getAddressDecoder().decode(bytes))
    .find(isKey);
  if (found === undefined) throw new Error("no key");
  return found;
}

function transactionOf(instructions: readonly Instruction[]): string {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayer(feePayer, m),
    (m) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: keyOf(9) as string as Blockhash, lastValidBlockHeight: 1n },
        m,
      ),
    (m) => appendTransactionMessageInstructions(instructions, m),
  );
  return getBase64EncodedWireTransaction(compileTransaction(message));
}

const judge = (instructions: readonly Instruction[], expected: Omit<ExpectedSettingsChange, "account">) => () =>
  assertSettingsChangeMatches(decodeTransaction(transactionOf(instructions)), { account, ...expected });

function differenceOf(check: () => void): string {
  try {
    check();
  } catch (error) {
    if (error instanceof TransactionMismatchError) return error.difference;
    throw error;
  }
  return "none";
}
