import { describe, expect, it } from "vitest";
import { canHaveProposals } from "../accounts/policy.js";
import { nextLookAt } from "../history/next-look-at.js";
import { limits } from "../kernel/limits.js";
import { isOpen } from "./next-look.js";

const now = 10 * 86_400_000;
const waitAfter = (quietMs: number, isOpen: boolean, canHaveProposals: boolean): number | null => {
  const dueAt = nextLookAt({ now, activeAt: now - quietMs, isOpen, canHaveProposals });
  return dueAt === null ? null : dueAt - now;
};

describe("the next look at an account", () => {
  it("comes after a quarter of the quiet where proposals may come, within five seconds and a day", () => {
    expect([0, 20_000, 40_000, 3_600_000, 9 * 86_400_000].map((quiet) => waitAfter(quiet, false, true))).toEqual([
      5_000, 5_000, 10_000, 900_000, 86_400_000,
    ]);
  });

  it("comes after a sixtieth where one is open, within five seconds and ten minutes", () => {
    expect([0, 300_000, 600_000, 86_400_000].map((quiet) => waitAfter(quiet, true, false))).toEqual([
      5_000, 5_000, 10_000, 600_000,
    ]);
  });

  it("does not come where none is needed, once a submission has had its time to land", () => {
    expect(waitAfter(limits.awakeMs - 1, false, false)).not.toBeNull();
    expect(waitAfter(limits.awakeMs, false, false)).toBeNull();
  });

  it("is no later when the clock was set back", () => {
    expect(waitAfter(-3_600_000, false, true)).toBe(5_000);
  });
});

describe("who can have proposals", () => {
  it("is whoever has to ask the others, or to wait", () => {
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
