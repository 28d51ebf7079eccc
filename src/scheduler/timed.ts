import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Metrics } from "@trellis/kernel/ports/metrics.js";

/** What hears how passes run. */
export type PassListener = Pick<Metrics, "passMade" | "passEnded">;

/** The same pass, with each run reported to all who listen. It rejects with what the pass rejects with. */
export function timed(
  pass: { readonly name: string; readonly environment: EnvironmentName | "all"; readonly everyMs: number },
  tick: () => Promise<unknown>,
  { listeners, realClock }: { readonly listeners: readonly PassListener[]; readonly realClock: Clock },
): () => Promise<void> {
  const { name, environment, everyMs } = pass;
  for (const listener of listeners) listener.passMade({ pass: name, environment, everyMs, at: realClock.now() / 1000 });
  return async () => {
    const begun = performance.now();
    let isOk = false;
    try {
      await tick();
      isOk = true;
    } finally {
      const seconds = (performance.now() - begun) / 1000;
      const endedAt = realClock.now() / 1000;
      for (const listener of listeners) listener.passEnded({ pass: name, environment, seconds, isOk, endedAt });
    }
  };
}
