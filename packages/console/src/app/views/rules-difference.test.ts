import { describe, expect, it } from "vitest";
import {
  actionsOf,
  allPermissions,
  aloneIn,
  differencesOf,
  faultsOf,
  type Rules,
  rulesAfter,
} from "./rules-difference.js";

const [ada, ben, cai, dee] = ["Ada", "Ben", "Cai", "Dee"];
const everybody = (...addresses: readonly string[]) =>
  addresses.map((address) => ({ address, permissions: allPermissions }));
const rules: Rules = { members: everybody(ada, ben, cai), threshold: 2, timeLockSeconds: 3_600 };

describe("the difference of rules", () => {
  it("is nothing where nothing is different, in whatever order it stands", () => {
    const turned: Rules = {
      ...rules,
      members: [...rules.members].reverse().map((one) => ({ ...one, permissions: [...one.permissions].reverse() })),
    };
    expect(differencesOf(rules, turned)).toEqual([]);
    expect(actionsOf(rules, turned)).toEqual([]);
  });

  it("names who comes, who goes, and whose permissions are others", () => {
    const after: Rules = {
      members: [{ address: ben, permissions: ["CAN_VOTE"] }, ...everybody(cai, dee)],
      threshold: 3,
      timeLockSeconds: 0,
    };
    expect(differencesOf(rules, after)).toEqual([
      { kind: "member", address: ada, before: allPermissions, after: undefined },
      { kind: "member", address: ben, before: allPermissions, after: ["CAN_VOTE"] },
      { kind: "member", address: dee, before: undefined, after: allPermissions },
      { kind: "threshold", before: 2, after: 3 },
      { kind: "time-lock", before: 3_600, after: 0 },
    ]);
    expect(actionsOf(rules, after)).toEqual([
      { type: "RemoveSigner", oldSigner: ada },
      { type: "RemoveSigner", oldSigner: ben },
      { type: "AddSigner", newSigner: { address: ben, permissions: ["CAN_VOTE"] } },
      { type: "AddSigner", newSigner: { address: dee, permissions: allPermissions } },
      { type: "ChangeThreshold", newThreshold: 3 },
      { type: "SetTimeLock", newTimeLock: 0 },
    ]);
  });

  it("of a proposal follows from its actions, and spending limits are none of it", () => {
    const after = rulesAfter(rules, [
      { type: "remove_signer", address: ben },
      { type: "add_signer", address: dee, permissions: ["CAN_EXECUTE"] },
      { type: "change_threshold", threshold: 1 },
      { type: "set_time_lock", time_lock: 60 },
      { type: "remove_spending_limit", spending_limit: "Lim" },
    ]);
    expect(after).toEqual({
      members: [...everybody(ada, cai), { address: dee, permissions: ["CAN_EXECUTE"] }],
      threshold: 1,
      timeLockSeconds: 60,
    });
  });

  it("of a member that is removed and added again is one of permissions", () => {
    const after = rulesAfter(rules, [
      { type: "remove_signer", address: ada },
      { type: "add_signer", address: ada, permissions: ["CAN_VOTE"] },
    ]);
    expect(differencesOf(rules, after)).toEqual([
      { kind: "member", address: ada, before: allPermissions, after: ["CAN_VOTE"] },
    ]);
  });
});

describe("rules that leave an account unable to act", () => {
  it.each<[string, Partial<Rules>, readonly string[]]>([
    ["a threshold above the voters", { threshold: 4 }, ["too-few-voters"]],
    ["no threshold", { threshold: 0 }, ["no-threshold"]],
    ["half a vote", { threshold: 1.5 }, ["no-threshold"]],
    [
      "nobody who proposes or executes",
      { members: [ada, ben].map((address) => ({ address, permissions: ["CAN_VOTE"] })) },
      ["no-proposer", "no-executor"],
    ],
    [
      "a member without permissions",
      { members: [...everybody(ada, ben), { address: cai, permissions: [] }] },
      ["idle-member"],
    ],
    ["too many members", { members: everybody(..."abcdefghijk") }, ["too-many-members"]],
    ["a time lock of more than 90 days", { timeLockSeconds: 7_776_001 }, ["time-lock-range"]],
  ])("%s", (_what, part, faults) => {
    expect(faultsOf({ ...rules, ...part })).toEqual(faults);
  });

  it("are not those that let it act", () => {
    expect(faultsOf(rules)).toEqual([]);
    expect(faultsOf({ members: everybody(ada), threshold: 1, timeLockSeconds: 7_776_000 })).toEqual([]);
  });
});

it("alone can act who may do everything, where one vote is enough and nothing is waited for", () => {
  expect(aloneIn(rules)).toEqual([]);
  expect(aloneIn({ ...rules, threshold: 1 })).toEqual([]);
  const members = [...everybody(ada), { address: ben, permissions: ["CAN_VOTE" as const] }];
  expect(aloneIn({ members, threshold: 1, timeLockSeconds: 0 })).toEqual([ada]);
});
