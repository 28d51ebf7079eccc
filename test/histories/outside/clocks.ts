import type { Clock } from "@trellis/kernel/ports/clock.js";

/** Real time, and the time of the chain's machine, which may make its blocks at another pace. Both move by hand. */
export interface Clocks {
  readonly real: Clock;
  readonly chain: Clock;
  /** From now on the chain makes so many milliseconds of every thousand. */
  setPace(perMille: number): void;
  pass(ms: number): void;
  /** The chain's machine makes up for what it has lost, at once: no cluster is minutes behind for long. */
  catchUp(): void;
}

/** Starts both at an instant, Unix milliseconds. */
export function createClocks(start: number): Clocks {
  let real = start;
  let chainMicros = BigInt(start) * 1_000n;
  let pace = 1_000n;
  return {
    real: { now: () => real },
    chain: { now: () => Number(chainMicros / 1_000n) },
    setPace: (perMille) => {
      pace = BigInt(perMille);
    },
    catchUp: () => {
      const present = BigInt(Math.floor(real)) * 1_000n;
      if (chainMicros < present) chainMicros = present;
    },
    pass: (ms) => {
      real += ms;
      chainMicros += BigInt(Math.floor(ms)) * pace;
    },
  };
}
