import type { Clock } from "@trellis/kernel/ports/clock.js";

/** Real time plus an offset that only grows (gap 49). */
export interface EnvironmentClock extends Clock {
  /** How far it runs ahead of real time, milliseconds. */
  offsetMs(): bigint;
  /** Shows a new offset from now on. The caller has stored it. */
  setOffsetMs(offsetMs: bigint): void;
}

/** Makes the clock. It never goes backwards, also where the host's clock is set back: it then stands still. */
export function createEnvironmentClock(realClock: Clock, initialOffsetMs: bigint): EnvironmentClock {
  let offsetMs = initialOffsetMs;
  let latest = 0;
  return {
    now: () => {
      latest = Math.max(latest, Math.floor(realClock.now()) + Number(offsetMs));
      return latest;
    },
    offsetMs: () => offsetMs,
    setOffsetMs: (value) => {
      offsetMs = value;
    },
  };
}
