import type { Permission, Policies } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { addressesOnce, choicesOf, groupOf, missingIn } from "./proposal-groups.js";

const everything: readonly Permission[] = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];
const policies: Policies = {
  signers: [
    { address: "Ada", permissions: everything },
    { address: "Ben", permissions: everything },
    { address: "Cai", permissions: ["CAN_INITIATE"] },
  ],
  threshold: 2,
  admin_address: null,
  time_lock: 0,
};
const proposal = {
  status: "Active",
  stale: false,
  approved: ["Ada"],
  rejected: [],
  cancelled: [],
  votesNeeded: 1,
} as const;

const nothing = {
  canApprove: false,
  canApproveAndExecute: false,
  canReject: false,
  canCancel: false,
  canExecute: false,
};

it("waits for who may vote and has not", () => {
  expect(missingIn(proposal, policies)).toEqual(["Ben"]);
  expect(groupOf(proposal, policies, ["Ben"])).toBe("mine");
  expect(groupOf(proposal, policies, ["Ada"])).toBe("others");
  expect(groupOf(proposal, policies, ["Cai"])).toBe("others");
  expect(groupOf({ ...proposal, stale: true }, policies, ["Ben"])).toBe("decided");
  expect(groupOf({ ...proposal, status: "Approved" }, policies, ["Ben"])).toBe("approved");
  expect(groupOf({ ...proposal, status: "Rejected" }, policies, ["Ben"])).toBe("decided");
});

it("is approved and executed at once by the last voter who may, without a time lock", () => {
  const ben = { ...nothing, canApprove: true, canApproveAndExecute: true, canReject: true };
  expect(choicesOf(proposal, policies, ["Ben"])).toEqual(ben);
  const waiting = { ...policies, time_lock: 60 };
  expect(choicesOf(proposal, waiting, ["Ben"])).toEqual({ ...ben, canApproveAndExecute: false });
  expect(choicesOf({ ...proposal, votesNeeded: 2 }, policies, ["Ben"])).toEqual({
    ...ben,
    canApproveAndExecute: false,
  });
});

it("can still be rejected by who approved, and by nobody who may not vote", () => {
  expect(choicesOf(proposal, policies, ["Ada"])).toEqual({ ...nothing, canReject: true });
  expect(choicesOf(proposal, policies, ["Cai"])).toEqual(nothing);
  expect(choicesOf(proposal, policies, ["Dee"])).toEqual(nothing);
  expect(choicesOf({ ...proposal, stale: true }, policies, ["Ben"])).toEqual(nothing);
});

it("is executed or cancelled once it is approved, and cancelled once by each", () => {
  const approved = { ...proposal, status: "Approved", votesNeeded: 0 } as const;
  expect(choicesOf(approved, policies, ["Ben"])).toEqual({ ...nothing, canCancel: true, canExecute: true });
  expect(choicesOf({ ...approved, cancelled: ["Ben"] }, policies, ["Ben"])).toEqual({ ...nothing, canExecute: true });
  expect(choicesOf({ ...approved, status: "Executed" }, policies, ["Ben"])).toEqual(nothing);
});

it("is approved and executed at once by who signs for all that are missing", () => {
  const open = { ...proposal, approved: [], votesNeeded: 2 };
  expect(choicesOf(open, policies, ["Ada", "Ben"]).canApproveAndExecute).toBe(true);
  expect(choicesOf(open, policies, ["Ada", "Cai"]).canApproveAndExecute).toBe(false);
});

describe("the addresses of a table", () => {
  const proposals = [{ proposalAddress: "P" }, { proposalAddress: "Q" }];

  it("are none before the content of every proposal is known", () => {
    expect(addressesOnce(proposals, new Map([["P", ["A"]]]))).toEqual([]);
  });

  it("are those of all contents, each once", () => {
    const contents = new Map([
      ["P", ["A", "B"]],
      ["Q", ["B"]],
      ["R", ["C"]],
    ]);
    expect(addressesOnce(proposals, contents)).toEqual(["A", "B"]);
  });
});
