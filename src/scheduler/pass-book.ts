import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Metrics } from "@trellis/kernel/ports/metrics.js";

/** A pass of this process, and how it ran last. Instants are Unix milliseconds of real time. */
export interface PassStanding {
  readonly pass: string;
  readonly environment: string;
  readonly everyMs: number;
  readonly nextRunAt: number;
  /** Absent until a run has ended. */
  readonly last?: { readonly endedAt: number; readonly durationMs: number; readonly isOk: boolean };
  /** Absent until one has ended well. */
  readonly succeededAt?: number;
}

/** What is known of the passes of this process. Receives what the metrics receive. */
export interface PassBook extends Pick<Metrics, "passMade" | "passEnded"> {
  list(): readonly PassStanding[];
}

export function createPassBook(realClock: Clock): PassBook {
  const standings = new Map<string, Omit<PassStanding, "nextRunAt"> & { readonly madeAt: number }>();
  const nameOf = ({ pass, environment }: { readonly pass: string; readonly environment: string }) =>
    `${environment} ${pass}`;
  return {
    passMade: ({ pass, environment, at, everyMs }) => {
      standings.set(nameOf({ pass, environment }), { pass, environment, everyMs, madeAt: at * 1000 });
    },
    passEnded: ({ seconds, isOk, endedAt, ...of }) => {
      const known = standings.get(nameOf(of));
      if (known === undefined) return;
      const last = { endedAt: endedAt * 1000, durationMs: seconds * 1000, isOk };
      standings.set(nameOf(of), { ...known, last, ...(isOk ? { succeededAt: last.endedAt } : {}) });
    },
    list: () => {
      const now = realClock.now();
      return [...standings.values()].map(({ madeAt, ...standing }) => {
        // The timer ticks at multiples of its interval.
        const ticks = Math.floor(Math.max(0, now - madeAt) / standing.everyMs) + 1;
        return { ...standing, nextRunAt: madeAt + ticks * standing.everyMs };
      });
    },
  };
}
