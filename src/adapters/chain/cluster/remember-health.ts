import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { NetworkHealth } from "@trellis/kernel/ports/network.js";

/** Milliseconds of real time. What is well is checked seldom; what is not is soon to be seen well again. */
const keptMs = { well: 30_000, unwell: 1_000 } as const;

/**
 * Checks a network's health at most once within these times, however often it is asked: anybody may ask. Who asks while
 * a check is under way gets what that one finds; a check that fails counts as unwell.
 */
export function rememberHealth(refresh: () => Promise<NetworkHealth>, realClock: Clock): () => Promise<NetworkHealth> {
  let latest: { readonly found: Promise<NetworkHealth>; until: number } | undefined;
  return () => {
    if (latest && realClock.now() < latest.until) return latest.found;
    const found = refresh();
    const own = { found, until: Number.POSITIVE_INFINITY };
    latest = own;
    const keep = (ms: number) => {
      own.until = realClock.now() + ms;
    };
    found.then(
      ({ ok, poor }) => keep(ok && poor !== true ? keptMs.well : keptMs.unwell),
      () => keep(keptMs.unwell),
    );
    return found;
  };
}
