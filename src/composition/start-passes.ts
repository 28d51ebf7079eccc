import { allOf } from "@trellis/kernel/each-of.js";
import type { Pass } from "@trellis/kernel/module.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { createProposalFollower } from "../proposals/follow-proposals.js";
import { every } from "../scheduler/every.js";
import { completeOpenWork, type PassNeeds, passesOf, sharedPasses } from "../scheduler/passes.js";
import { type PassListener, timed } from "../scheduler/timed.js";

/**
 * Resumes what a former process has left open, and repeats every pass from then on. What has to be closed is added to
 * `opened` before anything runs: all passes stop at once, whichever of them is under way.
 */
export async function startPasses(
  needs: PassNeeds & { readonly realClock: Clock },
  networks: readonly Network[],
  listeners: readonly PassListener[],
  opened: { close(): Promise<unknown> }[],
): Promise<void> {
  const { log, programs, realClock } = needs;
  const passes: { stop(): Promise<unknown> }[] = [];
  opened.push({ close: () => allOf(passes.map((pass) => pass.stop())) });
  opened.push({ close: () => programs.stop() });
  const repeat = (environment: EnvironmentName | "all", { name, everyMs, run, stop }: Pass) => {
    const repeating = every(everyMs, timed({ name, environment, everyMs }, run, { listeners, realClock }), log);
    passes.push({ stop: () => repeating.stop().then(stop) });
  };
  for (const network of networks) {
    // A real cluster takes its time until something is final: that must not hold up the start.
    if (network.sandbox) {
      await completeOpenWork(needs, network);
      await createProposalFollower(needs).tick(network);
    } else {
      // No code waits for what it logs.
      void programs.read(network);
    }
    for (const pass of passesOf(needs, network)) repeat(network.name, pass);
  }
  for (const pass of sharedPasses(needs, networks)) repeat("all", pass);
}
