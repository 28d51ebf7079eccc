import type { Address } from "@solana/kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ConsensusRules, checkConsensus, smallestSigners } from "./consensus.js";
import { addressOfBytes } from "./program-address.js";

const key = (byte: number): Address => addressOfBytes(new Uint8Array(32).fill(byte));
const rules = (threshold: number, masks: readonly number[], timeLockSeconds = 0): ConsensusRules => ({
  threshold,
  timeLockSeconds,
  signers: masks.map((mask, index) => ({ address: key(index + 1), mask })),
});

describe("acting at once", () => {
  it.each([
    ["with a time lock", rules(1, [7], 1), [1], 6051, "TimeLockNotZero"],
    ["with fewer signers than the threshold", rules(2, [7, 7]), [1], 6047, "InvalidSignerCount"],
    ["with a stranger", rules(1, [7]), [1, 9], 6006, "NotASigner"],
    ["with a signer named twice", rules(1, [7]), [1, 1], 6001, "DuplicateSigner"],
    ["without anybody who may execute", rules(1, [3, 7]), [1], 6049, "InsufficientAggregatePermissions"],
    ["with too few voters", rules(2, [7, 5, 7]), [1, 2], 6050, "InsufficientVotePermissions"],
  ])("%s is refused", (_, account, members, code, name) => {
    expect(checkConsensus(account, members.map(key))).toMatchObject({ ok: false, code, name });
  });

  it("names the signer a rule is about", () => {
    expect(checkConsensus(rules(1, [7]), [key(1), key(9)])).toMatchObject({ address: key(9) });
  });

  it("counts a signer who may only vote towards the threshold", () => {
    expect(checkConsensus(rules(2, [7, 2]), [key(1), key(2)])).toEqual({ ok: true });
  });

  it("reports the first broken rule in the program's order", () => {
    expect(checkConsensus(rules(3, [1, 2], 5), [key(9)])).toMatchObject({ code: 6051 });
    expect(checkConsensus(rules(2, [1, 2]), [key(9)])).toMatchObject({ code: 6047 });
    expect(checkConsensus(rules(2, [1, 2]), [key(1), key(1), key(9)])).toMatchObject({ code: 6001 });
  });
});

describe("the smallest set", () => {
  it("is one signer where one suffices, the preferred one", () => {
    expect(smallestSigners(rules(1, [7, 7]), [key(2), key(1)])).toEqual([key(2)]);
    expect(smallestSigners(rules(1, [3, 7]), [key(1), key(2)])).toEqual([key(2)]);
  });

  it("takes only those offered, and each once", () => {
    expect(smallestSigners(rules(1, [7, 7]), [key(2)])).toEqual([key(2)]);
    expect(smallestSigners(rules(2, [7, 7]), [key(2), key(2), key(9)])).toBeUndefined();
  });

  it("does not exist under a time lock", () => {
    expect(smallestSigners(rules(1, [7], 60), [key(1)])).toBeUndefined();
  });

  it("is found among hundreds of signers", () => {
    const account = rules(100, [1, 4, ...Array.from({ length: 200 }, () => 2)]);
    const order = account.signers.map(({ address }) => address).reverse();
    expect(smallestSigners(account, order)).toHaveLength(102);
  });

  it("agrees with trying every set", () => {
    const masks = fc.array(fc.nat({ max: 7 }), { maxLength: 7 });
    fc.assert(
      fc.property(masks, fc.nat({ max: 5 }), fc.infiniteStream(fc.nat()), (list, threshold, random) => {
        const account = rules(threshold, list);
        const order = account.signers
          .map(({ address }) => ({ address, at: random.next().value ?? 0 }))
          .sort((a, b) => a.at - b.at)
          .map(({ address }) => address);
        expect(smallestSigners(account, order)).toEqual(byTryingAll(account, order));
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Sets in order of size, then of preference. */
function byTryingAll(account: ConsensusRules, order: readonly Address[]): Address[] | undefined {
  for (let size = 0; size <= order.length; size++) {
    for (const set of choose(order, size)) if (checkConsensus(account, set).ok) return set;
  }
  return undefined;
}

function choose<T>(items: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return items.flatMap((item, index) => choose(items.slice(index + 1), size - 1).map((rest) => [item, ...rest]));
}
