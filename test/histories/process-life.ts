import type { Timeline } from "./timeline.js";

/** The life of a service process inside a history: it can end at any step, and nothing of it moves on then. */
export interface ProcessLife {
  readonly name: string;
  /** One more step, which may be its last: false when the process has died. */
  step(label: string): boolean;
  isAlive(): boolean;
  /** Ends it now. */
  end(): void;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  /** Waits in virtual time; for ever, when the process ends before. */
  wait(ms: number): Promise<void>;
}

/**
 * A process that dies at its step number `dieAt`, or lives. `note` gets every step. Waits that end at the same instant end
 * one after another, or `together`, as timers do.
 */
export function startLife(
  timeline: Timeline,
  name: string,
  dieAt: number | undefined,
  note: (line: string) => void,
  endOfWaits: "apart" | "together" = "apart",
): ProcessLife {
  let steps = 0;
  let alive = true;
  let report: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    report = resolve;
  });
  const end = (): void => {
    if (!alive) return;
    alive = false;
    note(`${name} dies`);
    report();
  };
  const waits = {};
  return {
    name,
    ended,
    end,
    isAlive: () => alive,
    step: (label) => {
      if (!alive) return false;
      steps += 1;
      note(`${name} ${label}`);
      if (steps === dieAt) end();
      return alive;
    },
    wait: (ms) =>
      new Promise((resolve) => {
        const goOn = () => {
          if (alive) resolve();
        };
        if (endOfWaits === "together") timeline.together(timeline.now() + ms, waits, goOn);
        else timeline.at(timeline.now() + ms, goOn);
      }),
  };
}
