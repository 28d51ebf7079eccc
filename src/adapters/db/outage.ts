import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Log } from "@trellis/kernel/ports/log.js";

/** What the connections to a database report of it. */
export interface Outage {
  /** A connection could not be had, or has ended with the statement that it was used for. */
  lost(cause: unknown): void;
  /** A statement was answered. */
  answered(): void;
}

/** So long nothing has failed any more once the database is said to be back: real time, milliseconds. */
const quietMs = 1_000;

/** Says once that the database is lost, however many statements that ends, and once that it is back. */
export function createOutage(log: Log, realClock: Clock): Outage {
  let lostAt: number | undefined;
  let failedAt = 0;
  let failures = 0;
  return {
    lost: (cause) => {
      failedAt = realClock.now();
      failures += 1;
      if (lostAt !== undefined) return;
      lostAt = failedAt;
      const { code, message } = (cause instanceof Error ? cause : {}) as { code?: unknown; message?: string };
      log.error(
        { event: "database_lost", ...(typeof code === "string" ? { code } : {}), reason: message },
        "database does not answer: requests are refused and passes have to wait",
      );
    },
    answered: () => {
      if (lostAt === undefined) return;
      const now = realClock.now();
      if (now - failedAt < quietMs) return;
      log.warn(
        { event: "database_back", seconds: Math.round((failedAt - lostAt) / 1000), failures },
        "database answers again",
      );
      lostAt = undefined;
      failures = 0;
    },
  };
}
