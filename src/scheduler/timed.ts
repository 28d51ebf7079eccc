import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Metrics } from "@trellis/kernel/ports/metrics.js";

/** The same pass, with each run reported to the metrics. It rejects with what the pass rejects with. */
export function timed(
  pass: { readonly name: string; readonly environment: EnvironmentName | "all" },
  tick: () => Promise<unknown>,
  {
    metrics,
    realClock,
  }: { readonly metrics: Pick<Metrics, "passMade" | "passEnded"> | undefined; readonly realClock: Clock },
): () => Promise<void> {
  if (metrics === undefined) return async () => void (await tick());
  metrics.passMade({ pass: pass.name, environment: pass.environment, at: realClock.now() / 1000 });
  return async () => {
    const begun = performance.now();
    let isOk = false;
    try {
      await tick();
      isOk = true;
    } finally {
      metrics.passEnded({
        pass: pass.name,
        environment: pass.environment,
        seconds: (performance.now() - begun) / 1000,
        isOk,
        endedAt: realClock.now() / 1000,
      });
    }
  };
}
