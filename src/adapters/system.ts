import { randomBytes, randomFillSync, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import type { Random } from "@trellis/kernel/ports/random.js";

/** Real time, kept from going backwards when the system's clock is set back. */
export function createRealClock(): Clock {
  let latest = 0;
  return {
    now: () => {
      latest = Math.max(latest, Date.now());
      return latest;
    },
  };
}

/** Drawn at once, as asking costs more than the bytes do. */
const drawnBytes = 4_096;
let drawn = new Uint8Array(0);

/** Randomness of the operating system. What was handed out is wiped here. */
export const systemRandom: Random = {
  bytes: (length) => {
    // What is no length is for the platform to refuse.
    if (!(length >= 0 && length <= drawnBytes)) return new Uint8Array(randomBytes(length));
    if (drawn.length < length) drawn = randomFillSync(new Uint8Array(drawnBytes));
    const bytes = drawn.slice(0, length);
    drawn.fill(0, 0, length);
    drawn = drawn.subarray(length);
    return bytes;
  },
  uuid: () => randomUUID(),
};

/** Waits on the event loop without keeping the process alive. */
export const systemPause: Pause = async (ms) => {
  await wait(ms, undefined, { ref: false });
};
