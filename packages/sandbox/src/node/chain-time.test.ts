import { describe, expect, it } from "vitest";
import { createChainTime } from "./chain-time.js";
import { createEnvironmentClock } from "./environment-clock.js";

const genesisAtMs = 1_700_000_000_000n;
const seed = new Uint8Array(32).fill(3);

describe("the chain's calendar", () => {
  it("has a slot every 400 ms from genesis on", () => {
    expect(at(0n).time.slot()).toBe(0n);
    expect(at(7n, 399).time.slot()).toBe(7n);
    expect(at(7n, 400).time.slot()).toBe(8n);
    expect(at(5n).time.timeOf(5n)).toBe(1_700_000_002n);
  });

  it("gives a slot the same blockhash on every start, another to every other slot and every other seed", () => {
    const hash = at(90n).time.blockhash().blockhash;
    expect(at(90n).time.blockhash().blockhash).toBe(hash);
    expect(at(91n).time.blockhash().blockhash).not.toBe(hash);
    const other = createChainTime({ now: () => Number(genesisAtMs) + 36_000 }, genesisAtMs, new Uint8Array(32).fill(4));
    expect(other.slot()).toBe(90n);
    expect(other.blockhash().blockhash).not.toBe(hash);
  });

  it("accepts a blockhash for 150 slots, also when the clock jumps, and none from the future", () => {
    const { time, move } = at(1_000n);
    const { blockhash, lastValidBlockHeight } = time.blockhash();
    expect(lastValidBlockHeight).toBe(1_150n);
    expect(time.slotOfValid(blockhash)).toBe(1_000n);
    move(150n);
    expect(time.slotOfValid(blockhash)).toBe(1_000n);
    move(1n);
    expect(time.slotOfValid(blockhash)).toBeUndefined();
    move(1_000_000n);
    const far = time.blockhash().blockhash;
    expect(time.slotOfValid(far)).toBe(1_001_151n);
    expect(at(1_000n).time.slotOfValid(far)).toBeUndefined();
    expect(at(1_001_300n).time.slotOfValid(far)).toBe(1_001_151n);
    expect(at(1_001_302n).time.slotOfValid(far)).toBeUndefined();
  });

  it("shows the VM the last 512 slots, newest first", () => {
    const { time } = at(2_000n);
    const { slot, slotHashes, unixTimestamp } = time.block();
    expect(slot).toBe(2_000n);
    expect(unixTimestamp).toBe(1_700_000_800n);
    expect(slotHashes).toHaveLength(512);
    expect(slotHashes[0]).toEqual({ slot: 1_999n, hash: at(1_999n).time.blockhash().blockhash });
    expect(slotHashes.at(-1)?.slot).toBe(1_488n);
    expect(
      at(3n)
        .time.block()
        .slotHashes.map((entry) => entry.slot),
    ).toEqual([2n, 1n, 0n]);
  });

  it("counts epochs of 432,000 slots", () => {
    expect(at(431_999n).time.block()).toMatchObject({ epoch: 0n, epochStartTimestamp: 1_700_000_000n });
    expect(at(432_000n).time.block()).toMatchObject({ epoch: 1n, epochStartTimestamp: 1_700_172_800n });
  });
});

describe("the environment clock", () => {
  it("runs ahead of real time by its offset and never moves back", () => {
    let real = 1_000;
    const clock = createEnvironmentClock({ now: () => real }, 50n);
    expect(clock.now()).toBe(1_050);
    clock.setOffsetMs(500n);
    expect([clock.now(), clock.offsetMs()]).toEqual([1_500, 500n]);
    real = 100;
    expect(clock.now()).toBe(1_500);
    real = 1_001.7;
    expect(clock.now()).toBe(1_501);
  });
});

function at(slot: bigint, ms = 0) {
  let now = Number(genesisAtMs + slot * 400n) + ms;
  const time = createChainTime({ now: () => now }, genesisAtMs, seed);
  return {
    time,
    move: (slots: bigint) => {
      now += Number(slots * 400n);
    },
  };
}
