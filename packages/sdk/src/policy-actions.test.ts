import { describe, expect, it } from "vitest";
import { actionsToPolicy } from "./policy-actions.js";
import type { Policies } from "./wire.js";

const all = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const;
const [ada, eve, ida] = ["ada", "eve", "ida"].map((address) => ({ address, permissions: all }));
const current: Policies = {
  signers: [ada, eve].flatMap((one) => one ?? []),
  threshold: 1,
  time_lock: 0,
  admin_address: null,
};

describe("the way from one policy to another", () => {
  it("is nothing where nothing is asked for, or the same in another order", () => {
    expect(actionsToPolicy(current, {})).toEqual([]);
    const reversed = current.signers.map(({ address }) => ({ address, permissions: all.toReversed() })).reverse();
    expect(actionsToPolicy(current, { signers: reversed, threshold: 1, time_lock: 0 })).toEqual([]);
  });

  it("removes first, changes permissions by removing and adding, and sets threshold and time lock last", () => {
    const signers = [
      { address: "eve", permissions: ["CAN_VOTE"] as const },
      { address: "ida", permissions: ida?.permissions ?? [] },
    ];
    expect(actionsToPolicy(current, { signers, threshold: 2, time_lock: 60 })).toEqual([
      { type: "RemoveSigner", oldSigner: "ada" },
      { type: "RemoveSigner", oldSigner: "eve" },
      { type: "AddSigner", newSigner: { address: "eve", permissions: ["CAN_VOTE"] } },
      { type: "AddSigner", newSigner: { address: "ida", permissions: all } },
      { type: "ChangeThreshold", newThreshold: 2 },
      { type: "SetTimeLock", newTimeLock: 60 },
    ]);
  });
});
