import { limits } from "@trellis/kernel/limits.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";

/** Refreshes for callers who ask about an account, in one process. */
export interface CallerRefreshes {
  /**
   * Refreshes the subscription `key`, once for all who ask at the same time. False when that takes longer than `patienceMs`,
   * the refresh fails or too many others are under way: the index then is as it was, or a little better. A refresh that
   * no caller waits for any more still continues to its end, for the next who asks. Does not reject.
   */
  run(network: Network, key: string, patienceMs: number, refresh: () => Promise<void>): Promise<boolean>;
}

/** `followed`: what of accounts is refreshed, as the log names it. */
export function createCallerRefreshes(
  { log, pause }: { readonly log: Log; readonly pause: Pause },
  followed: string,
): CallerRefreshes {
  const underWay = new Map<string, Promise<boolean>>();
  const begin = async (network: Network, key: string, refresh: () => Promise<void>): Promise<boolean> => {
    try {
      await refresh();
      return true;
    } catch (error) {
      log.warn(
        { event: "list_refresh_failed", err: error, environment: network.name, followed, account: key },
        "account could not be refreshed for a list",
      );
      return false;
    }
  };
  return {
    run: async (network, key, patienceMs, refresh) => {
      const place = `${network.name} ${key}`;
      let running = underWay.get(place);
      if (running === undefined) {
        if (underWay.size >= limits.refreshesAtOnce) return false;
        running = begin(network, key, refresh).finally(() => underWay.delete(place));
        underWay.set(place, running);
      }
      return Promise.race([running, pause(patienceMs).then(() => false)]);
    },
  };
}
