import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Network } from "@trellis/kernel/ports/network.js";

/** How far the chain's clock is from ours is remembered this long, in milliseconds of real time. */
const keptMs = 600_000;
/** What is older than this many slots is asked for; of younger ones the age follows from the slots. */
const recentSlots = 150n;
const slotMs = 400;

/**
 * Gives times of blocks, which say when money moved, without a question for each. The chain's clock and the machine's
 * drift slowly, so one block in ten minutes is asked about; the time of another recent one is the machine's, less its age
 * in slots, plus the difference. That is within two seconds of the chain's own word, which is in whole seconds: a slot
 * takes 400 ms give or take a tenth, and what is reported is a few slots old. Where no node remembers a block, the
 * machine's clock has to do.
 */
export function createBlockTimes(rpc: Network["rpc"], realClock: Clock): Network["blockTimeOf"] {
  let known: { readonly aheadMs: number; readonly learnedAt: number } | undefined;
  let learning: Promise<unknown> | undefined;

  return async (slot, reportedAtSlot) => {
    const now = realClock.now();
    const ageMs = Number(reportedAtSlot - slot) * slotMs;
    const isRecent = ageMs >= 0 && reportedAtSlot - slot <= recentSlots;
    const derive = () => Math.floor((now - ageMs + (known?.aheadMs ?? 0)) / 1000);
    const isKnown = () => known !== undefined && now - known.learnedAt < keptMs;

    // Those that are reported together need one answer.
    if (learning && isRecent && !isKnown()) await learning;
    if (isRecent && isKnown()) return derive();
    const asking = rpc
      .getBlockTime(slot)
      .send()
      .catch(() => null);
    if (isRecent) learning = asking;
    const reported = await asking;
    if (learning === asking) learning = undefined;
    if (reported === null) return derive();
    // Half a second on average was cut off.
    if (isRecent) known = { aheadMs: Number(reported) * 1000 + 500 - (now - ageMs), learnedAt: now };
    return Number(reported);
  };
}
