import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Figure } from "./figures.js";
import type { Prometheus } from "./prometheus.js";

/** Something that figures are read from. */
export interface Source {
  /** For the label: a fixed word, or one with the environment's name. */
  readonly name: string;
  /** How long what was read is returned, in milliseconds of real time. */
  readonly goodForMs: number;
  read(): Promise<readonly Figure[]> | readonly Figure[];
}

/** A scrape waits this long for a source, and is answered without it then. */
const usualPatienceMs = 3_000;

/**
 * Writes everything down, with figures no older than their sources allow. A client that asks while others do gets the same
 * text, and each source is read once for all of them, never twice at a time: one that hangs costs one reading. A source
 * that cannot be read has no figures until it can.
 */
export function createReadings(parts: {
  readonly prometheus: Prometheus;
  readonly sources: readonly Source[];
  readonly realClock: Clock;
  readonly log: Log;
  /** How long a scrape waits for a source, in milliseconds. Default: three seconds. */
  readonly patienceMs?: number;
}): () => Promise<string> {
  const { prometheus, sources, realClock, log, patienceMs = usualPatienceMs } = parts;
  const readers = sources.map((source) => {
    let readAt = Number.NEGATIVE_INFINITY;
    let reading: Promise<void> | undefined;
    const read = async () => {
      const begun = performance.now();
      let figures: readonly Figure[] | undefined;
      try {
        figures = await source.read();
      } catch (error) {
        log.warn(
          { event: "metrics_source_unread", err: error, source: source.name },
          "metrics source could not be read",
        );
      }
      prometheus.show(source.name, figures);
      const outcome = figures === undefined ? "failed" : "ok";
      prometheus.sourceRead(source.name, outcome, (performance.now() - begun) / 1000);
      readAt = realClock.now();
      reading = undefined;
    };
    return async () => {
      if (reading === undefined && realClock.now() - readAt < source.goodForMs) return;
      reading ??= read();
      const own = new AbortController();
      await Promise.race([
        reading,
        wait(patienceMs, undefined, { ref: false, signal: own.signal }).catch(() => undefined),
      ]);
      own.abort();
      if (reading === undefined) return;
      // What is too old to be returned, and still being read, is left out; and that is counted, because a source that hangs for
      // good never reaches an end that could be.
      prometheus.show(source.name, undefined);
      prometheus.sourceRead(source.name, "slow");
    };
  });
  let writing: Promise<string> | undefined;
  return () => {
    writing ??= Promise.all(readers.map((read) => read()))
      .then(() => prometheus.text())
      .finally(() => {
        writing = undefined;
      });
    return writing;
  };
}
