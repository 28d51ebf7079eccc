import { describe, expect, it } from "vitest";
import { canHaveProposals } from "../accounts/policy.js";
import { isOpen } from "./is-open.js";

describe("who can have proposals", () => {
  it("is every account whose signers have to ask others, or to wait", () => {
    const alone = { threshold: 1, timeLockSeconds: 0, signers: [{ mask: 7 }, { mask: 7 }] };
    expect(canHaveProposals(alone)).toBe(false);
    expect(canHaveProposals({ ...alone, threshold: 2 })).toBe(true);
    expect(canHaveProposals({ ...alone, timeLockSeconds: 1 })).toBe(true);
    expect(canHaveProposals({ ...alone, signers: [{ mask: 7 }, { mask: 1 }] })).toBe(true);
  });
});

describe("an open proposal", () => {
  const row = { kind: "transaction", transaction_index: 5n, reclaimed_lamports: null } as const;

  it("can be voted on or executed, or is not known to its end", () => {
    expect(isOpen({ ...row, chain_status: "active" }, 4n)).toBe(true);
    expect(isOpen({ ...row, chain_status: "active" }, 5n)).toBe(false);
    expect(isOpen({ ...row, chain_status: null }, 5n)).toBe(false);
    expect(isOpen({ ...row, chain_status: "approved" }, 5n)).toBe(true);
    expect(isOpen({ ...row, kind: "settings", chain_status: "approved" }, 5n)).toBe(false);
    expect(isOpen({ ...row, chain_status: "executed" }, 0n)).toBe(false);
    expect(isOpen({ ...row, chain_status: "closed" }, 0n)).toBe(true);
    expect(isOpen({ ...row, chain_status: "closed", reclaimed_lamports: 1n }, 0n)).toBe(false);
  });
});
