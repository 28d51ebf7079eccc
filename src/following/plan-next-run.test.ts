import { limits } from "@trellis/kernel/limits.js";
import { describe, expect, it } from "vitest";
import { planNextRun } from "./plan-next-run.js";

const now = 10 * 86_400_000;

describe("the next refresh of an account", () => {
  it("follows after a quarter of the quiet time where proposals may arrive, within five seconds and a day", () => {
    expect([0, 20_000, 40_000, 3_600_000, 9 * 86_400_000].map((quiet) => waitAfter(quiet, false, true))).toEqual([
      5_000, 5_000, 10_000, 900_000, 86_400_000,
    ]);
  });

  it("follows after a sixtieth where one is open, within five seconds and ten minutes", () => {
    expect([0, 300_000, 600_000, 86_400_000].map((quiet) => waitAfter(quiet, true, false))).toEqual([
      5_000, 5_000, 10_000, 600_000,
    ]);
  });

  it("does not happen where none is needed, once a submission has had its time to be confirmed", () => {
    expect(waitAfter(limits.awakeMs - 1, false, false)).not.toBeNull();
    expect(waitAfter(limits.awakeMs, false, false)).toBeNull();
  });

  it("is no later when the clock was set back", () => {
    expect(waitAfter(-3_600_000, false, true)).toBe(5_000);
  });
});

const waitAfter = (quietMs: number, isOpen: boolean, canHaveProposals: boolean): number | null => {
  const nextRunAt = planNextRun({ now, activeAt: now - quietMs, isOpen, canHaveProposals });
  return nextRunAt === null ? null : nextRunAt - now;
};
