import type { Log } from "@trellis/kernel/ports/log.js";

/** A running timer. */
export interface Timer {
  /** Stops it and waits for a pass that is under way. */
  stop(): Promise<void>;
}

/**
 * The timer of everything that recurs: calls `tick` every `intervalMs`, never twice at once, whatever a pass takes. A pass that
 * throws is logged, and the next one runs as planned: nothing it does depends on a single pass.
 */
export function every(intervalMs: number, tick: () => Promise<void>, log: Log): Timer {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= tick()
      .catch((error: unknown) => log.error({ event: "pass_failed", err: error }, "scheduled pass failed"))
      .finally(() => {
        running = undefined;
      });
  }, intervalMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
