import { describe, expect, it } from "vitest";
import { keyOf, shownOf } from "./proposed-once.js";

const done = { status: "done", action: "propose", signature: "5sig", proposal: "P" } as const;
const error = { code: "outcome_unknown", help: "Not known.", cause: new Error("not known") };
const [first, other] = [2, 3].map((newThreshold) =>
  keyOf({ type: "settings", actions: [{ type: "ChangeThreshold", newThreshold }] }),
) as [string, string];

describe("a content that can be proposed", () => {
  it("is not offered a second time once it was proposed", () => {
    expect(shownOf(done, first, first)).toEqual({ isOffered: false, isReported: true, isProposed: true });
  });

  it("is not called proposed where another content was", () => {
    expect(shownOf(done, first, other)).toEqual({ isOffered: true, isReported: false, isProposed: false });
    expect(shownOf(done, undefined, first)).toEqual({ isOffered: true, isReported: false, isProposed: false });
  });

  it("is not offered while it is not known what became of another", () => {
    const unknown = { status: "unknown", action: "propose", error } as const;
    expect(shownOf(unknown, first, other)).toEqual({ isOffered: false, isReported: true, isProposed: false });
  });

  it("is not offered where the service prepared something else", () => {
    const refused = {
      status: "refused",
      action: "propose",
      error: { ...error, code: "transaction_mismatch" },
    } as const;
    expect(shownOf(refused, first, first).isOffered).toBe(false);
    expect(shownOf(refused, first, other)).toEqual({ isOffered: true, isReported: false, isProposed: false });
  });

  it("differs by its amounts", () => {
    const pay = (amount: bigint) => keyOf({ type: "transfer", currency: "sol", destination: "D", amount });
    expect(pay(1n)).toBe(pay(1n));
    expect(pay(1n)).not.toBe(pay(2n));
  });
});
