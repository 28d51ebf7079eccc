import type { Signature } from "@solana/kit";
import type { UnseenTransaction } from "@trellis/kernel/ports/network.js";
import { describe, expect, it } from "vitest";
import { judge, type NodeWord } from "./judge-unseen.js";

const now = 1_800_000_000_000;
/** A node past the last block, whose ledger reaches back, and that knows nothing. */
const honest: NodeWord = {
  finalized: { slot: 2_000n, height: 901n },
  ledger: { slot: 2_032n, statuses: [undefined] },
  ledgerStart: 1_000n,
};
const pruned: NodeWord = { ...honest, ledgerStart: 1_001n };
const within: NodeWord = { ...honest, finalized: { slot: 2_000n, height: 900n } };
const silent: NodeWord = { fault: new Error("silent") };

describe("what nodes say about a transaction that was not seen", () => {
  it("is a proof where all have passed its last block, and keep all blocks that it could be in", () => {
    expect(kindOf(honest)).toBe("expired");
    expect(kindOf(honest, honest)).toBe("expired");
  });

  it("is none where one does not keep them", () => {
    expect(kindOf(pruned)).toBe("unprovable");
    expect(kindOf(pruned, pruned)).toBe("unprovable");
    expect(kindOf(honest, pruned)).toBe("unprovable");
    expect(kindOf(pruned, honest)).toBe("unprovable");
  });

  it("is overruled by a node that has seen it, even one with an incomplete answer", () => {
    expect(kindOf(honest, pruned, knowing("confirmed"))).toBe("seen");
    expect(kindOf(within, silent, knowing("processed"))).toBe("seen");
    const verdict = judge(unseen, 0, [knowing("processed"), knowing("confirmed")], now);
    expect(verdict).toMatchObject({ kind: "seen", status: { commitment: "confirmed" } });
  });

  it("says that it can still be confirmed, as long as one node is within its window", () => {
    expect(kindOf(within)).toBe("alive");
    expect(kindOf(honest, within)).toBe("alive");
    expect(kindOf(silent, within)).toBe("alive");
  });

  it("is nothing while one node is silent, or none answers", () => {
    expect(kindOf(honest, silent)).toBe("untold");
    expect(kindOf()).toBe("untold");
    const { ledgerStart: _start, ...mute } = honest;
    expect(kindOf(mute)).toBe("untold");
    expect(kindOf(mute, pruned)).toBe("untold");
    expect(kindOf(mute, honest)).toBe("untold");
    const { ledger: _ledger, ...blind } = honest;
    expect(kindOf(blind, honest)).toBe("untold");
  });

  it("is nothing where the status was read from a machine that lags behind the reported height", () => {
    expect(kindOf({ ...honest, ledger: { slot: 1_999n, statuses: [undefined] } })).toBe("untold");
  });

  it("needs a longer ledger where no slot was recorded: as if slots lasted a quarter of their time", () => {
    const old = { ...unseen, recordedSlot: null };
    const from = (ledgerStart: bigint) =>
      judge(
        old,
        0,
        [
          {
            ...honest,
            finalized: { slot: 10_000n, height: 9_000n },
            ledger: { slot: 10_000n, statuses: [undefined] },
            ledgerStart,
          },
        ],
        now,
      ).kind;
    // 200 seconds are 500 slots as a rule; 2,000 are counted, and a thousand more.
    expect(from(7_000n)).toBe("expired");
    expect(from(7_001n)).toBe("unprovable");
  });
});

const unseen: UnseenTransaction = {
  signature: "1".repeat(64) as Signature,
  lastValidBlockHeight: 900n,
  recordedAt: now - 200_000,
  recordedSlot: 1_000n,
};

const knowing = (commitment: "processed" | "confirmed"): NodeWord => ({
  ledger: { slot: 2_032n, statuses: [{ slot: 1_005n, reportedAtSlot: 2_032n, error: null, commitment }] },
});

const kindOf = (...words: NodeWord[]) => judge(unseen, 0, words, now).kind;
