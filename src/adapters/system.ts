import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../ports/clock.js";
import type { Pause } from "../ports/pause.js";
import type { Random } from "../ports/random.js";

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

/** Randomness of the operating system. */
export const systemRandom: Random = {
  bytes: (length) => new Uint8Array(randomBytes(length)),
  uuid: () => randomUUID(),
};

/** Waits on the event loop without keeping the process alive. */
export const systemPause: Pause = async (ms) => {
  await wait(ms, undefined, { ref: false });
};
