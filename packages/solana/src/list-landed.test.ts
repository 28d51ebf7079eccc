import type { Address, Signature } from "@solana/kit";
import type { UnseenMessage } from "@trellis/kernel/ports/network.js";
import { describe, expect, it } from "vitest";
import { type ListWord, mergeLists } from "./list-landed.js";

const unseen: UnseenMessage = {
  address: "settings" as Address,
  lastValidBlockHeight: 900n,
  recordedAt: 0,
  recordedSlot: 1_000n,
  before: null,
};

describe("the lists of several nodes", () => {
  const within = { ...unseen, lastValidBlockHeight: 1_100n };
  const mergeWithin = (words: readonly ListWord[]) => mergeLists(within, words, { now: 200_000, isEarly: false });

  it("are a proof of absence where all have passed the last block and reach back", () => {
    expect(merge([word(), word()])).toEqual({
      kind: "listed",
      signatures: [],
      next: null,
      isAlive: false,
      doubt: null,
    });
  });

  it("leave a message alive as long as one node has not passed its last block, or too little time has", () => {
    const behind = word({ finalized: { slot: 950n, height: 900n } });
    expect(merge([word(), behind])).toMatchObject({ isAlive: true });
    expect(merge([word(), word()], true)).toMatchObject({ isAlive: true });
  });

  it("say nothing where one node is silent about a part, or none answers", () => {
    const fault = new Error("no answer");
    for (const broken of [
      { fault },
      { ...word(), entries: undefined, fault },
      { ...word(), ledgerStart: undefined, fault },
    ])
      expect(merge([word(), broken as ListWord])).toEqual({ kind: "untold", reason: fault });
    expect(merge([])).toMatchObject({ kind: "untold" });
  });

  it("prove nothing where one ledger begins after the message may have been confirmed", () => {
    expect(merge([word(), word({ ledgerStart: 1_001n })])).toMatchObject({ doubt: expect.stringContaining("1001") });
    expect(merge([word(), word({ ledgerStart: 1_000n })])).toMatchObject({ doubt: null });
  });

  it("are put together, newest first, each signature once, without what is too old or too new", () => {
    const one = word({ entries: [entry("late", 1_151n), entry("b", 1_100n), entry("old", 999n)] });
    const other = word({ entries: [entry("c", 1_150n), entry("b", 1_100n), entry("a", 1_000n)] });
    expect(mergeWithin([one, other])).toMatchObject({ signatures: ["c", "b", "a"], next: null });
  });

  it("continue after the shortest page, and use nothing below it that another node may still list", () => {
    const crowded = word({ finalized: { slot: 5_000n, height: 4_950n }, entries: page("spam", 1_100n) });
    const quiet = word({
      finalized: { slot: 5_000n, height: 4_950n },
      entries: [entry("above", 1_120n), entry("below", 1_050n)],
    });
    const merged = mergeWithin([crowded, quiet]);
    expect(merged).toMatchObject({ next: "spam-999" });
    if (merged.kind !== "listed") throw new Error("they are listed");
    expect(merged.signatures).toContain("above");
    expect(merged.signatures).not.toContain("below");
    expect(merged.signatures.length).toBe(52);
  });

  it("end with a full page that reaches back before the message may have been confirmed", () => {
    expect(mergeWithin([word({ entries: page("spam", 999n) })])).toMatchObject({ next: null });
  });
});

const entry = (signature: string, slot: bigint) => ({ signature: signature as Signature, slot });

/** Heights are 50 behind slots: so many slots had no block. */
const word = (more: Partial<ListWord> = {}): ListWord => ({
  finalized: { slot: 1_200n, height: 1_150n },
  entries: [],
  ledgerStart: 10n,
  ...more,
});

const merge = (words: readonly ListWord[], isEarly = false) => mergeLists(unseen, words, { now: 200_000, isEarly });

/** A full page that ends at `last`. */
const page = (name: string, last: bigint) =>
  Array.from({ length: 1_000 }, (_, i) => entry(`${name}-${i}`, last + BigInt(999 - i)));
