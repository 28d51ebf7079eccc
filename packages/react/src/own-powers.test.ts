import type { Permission, Policies } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { ownPowersOf } from "./own-powers.js";

const all: readonly Permission[] = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];

describe("what the session may do in an account", () => {
  it.each<[string, Partial<Policies>, string]>([
    ["acts alone with every permission and votes enough", {}, "direct"],
    ["needs others where the threshold is higher", { threshold: 2 }, "vote"],
    ["waits where there is a time lock", { time_lock: 1 }, "vote"],
    ["proposes with that permission alone", { signers: [{ address: "mine", permissions: ["CAN_INITIATE"] }] }, "vote"],
    [
      "does not propose without it",
      { signers: [{ address: "mine", permissions: ["CAN_VOTE", "CAN_EXECUTE"] }] },
      "none",
    ],
    ["does nothing where its wallet is no signer", { signers: [{ address: "other", permissions: all }] }, "none"],
  ])("%s", (_what, change, way) => {
    expect(ownPowersOf(policyOf(change), ["mine"]).way).toBe(way);
  });

  it("is what its wallets may do together", () => {
    const signers = [
      { address: "mine", permissions: ["CAN_INITIATE", "CAN_VOTE"] },
      { address: "my other", permissions: ["CAN_VOTE", "CAN_EXECUTE"] },
    ] as const;
    const policy = policyOf({ signers, threshold: 2 });
    expect(ownPowersOf(policy, ["mine", "my other"])).toEqual({
      signers: ["mine", "my other"],
      permissions: all,
      threshold: 2,
      timeLockSeconds: 0,
      way: "direct",
    });
    expect(ownPowersOf(policy, ["mine"])).toMatchObject({
      permissions: ["CAN_INITIATE", "CAN_VOTE"],
      way: "vote",
    });
  });
});

const policyOf = (change: Partial<Policies>): Policies => ({
  signers: [{ address: "mine", permissions: all }],
  threshold: 1,
  time_lock: 0,
  admin_address: null,
  ...change,
});
