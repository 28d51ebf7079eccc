import type { OwnedAccount } from "@trellis/react";
import type { Permission } from "@trellis/sdk";
import { expect, it } from "vitest";
import { sentencesOf } from "./rules-in-words.js";

const everything: readonly Permission[] = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];

function rules(way: OwnedAccount["own"]["way"], threshold: number, timeLockSeconds: number) {
  const signers = [
    { address: "a", permissions: everything },
    { address: "b", permissions: everything },
    { address: "c", permissions: ["CAN_INITIATE" as const] },
  ];
  return sentencesOf({
    policies: { signers, threshold, admin_address: null, time_lock: timeLockSeconds },
    own: { signers: ["a"], permissions: everything, threshold, timeLockSeconds, way },
  }).join(" ");
}

it("says who decides, counting those who may vote", () => {
  expect(rules("vote", 2, 0)).toBe(
    "2 of 2 members have to approve a payment. Then it can be executed at once. You can propose one.",
  );
  expect(rules("none", 1, 0)).toMatch(/^One of 2 members decides about a payment\..* You cannot propose one\.$/);
});

it("says how long it waits, exactly", () => {
  expect(rules("vote", 2, 90_061)).toContain("Then it waits 1 day 1 hour 1 minute 1 second before it can be executed.");
});

it("says that a person pays alone", () => {
  expect(rules("direct", 1, 0)).toBe("You pay alone, and at once.");
});
