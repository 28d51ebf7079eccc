import type { Clocks } from "./clocks.js";

/** What happens when, one thing after another. */
export interface Agenda {
  /** So many milliseconds from now; after whatever was planned for the same instant before. */
  add(afterMs: number, run: () => Promise<void>): void;
  /** Runs all of it, and `between` after each thing; where nothing is planned for longer than `restMs()`, in between too. */
  run(between: () => Promise<void>, restMs: () => number): Promise<void>;
}

export function createAgenda({ real, pass }: Clocks): Agenda {
  const planned: { readonly at: number; readonly run: () => Promise<void> }[] = [];
  return {
    add: (afterMs, run) => {
      const at = real.now() + afterMs;
      const later = planned.findIndex((one) => one.at > at);
      planned.splice(later < 0 ? planned.length : later, 0, { at, run });
    },
    run: async (between, restMs) => {
      for (let next = planned.shift(); next !== undefined; next = planned.shift()) {
        for (let rests = 0; rests < 4 && next.at > real.now(); rests += 1) {
          pass(Math.min(next.at - real.now(), restMs()));
          if (next.at > real.now()) await between();
        }
        pass(Math.max(0, next.at - real.now()));
        await next.run();
        await between();
      }
    },
  };
}
