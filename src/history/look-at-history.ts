import { getHistoryWatch, hasEnded, saveHistoryLooks } from "../following/history-watches.js";
import { limits } from "../kernel/limits.js";
import type { Network } from "../ports/network.js";
import type { Pause } from "../ports/pause.js";
import { tellsAll, toLook } from "./follow-histories.js";
import { findFollowedAddresses, type HistoryAccount } from "./history-store.js";
import { type Budget, type HistoryNeeds, refreshHistory } from "./refresh-history.js";

/** Looks at accounts for those who ask about their history. */
export interface HistoryLooks {
  /**
   * Whether the index may lack something that happened, when it was last looked at `lookedAt` (environment time, Unix
   * milliseconds; null: never yet): it does where a submission of the account has ended since, however short that is ago.
   */
  isOld(network: Network, account: HistoryAccount, lookedAt: number | null): Promise<boolean>;
  /**
   * Brings the history of one account up to date, together with all who ask at the same time. False when that takes too
   * long, the chain does not answer or too many others are being looked at: the index then is as it was, or a little
   * better. Does not reject.
   */
  look(network: Network, account: HistoryAccount): Promise<boolean>;
}

/** Accounts whose latest look is remembered. */
const rememberedMax = 10_000;
/** Processes' clocks may differ by so much. */
const clocksApartMs = 1_000;

/** Those of one process. A look that nobody waits for any more still goes on to its end, for the next who asks. */
export function createHistoryLooks(needs: HistoryNeeds & { readonly pause: Pause }): HistoryLooks {
  const underWay = new Map<string, Promise<boolean>>();
  /** Where the chain tells of everything: up to which of its changes the index has an account, and by which addresses. */
  const seen = new Map<string, { readonly mark: number; readonly addresses: readonly string[] }>();

  const begin = async (network: Network, account: HistoryAccount, key: string): Promise<boolean> => {
    const { db, log } = needs;
    try {
      const now = network.clock.now();
      const mark = network.changes?.mark?.() ?? 0;
      const watch = await getHistoryWatch(db, account);
      const budget: Budget = { pages: limits.historyPagesInOneLook, reads: limits.historyReadsInOneLook };
      const found = await refreshHistory(needs, network, account, budget, { again: false });
      await saveHistoryLooks(db, network.name, [toLook(network, watch, found, now)], watch.dueAt);
      seen.delete(key);
      if (tellsAll(network) && found.isComplete) {
        const followed = await findFollowedAddresses(db, network.name, [account.address]);
        seen.set(key, { mark, addresses: (followed.get(account.address) ?? []).map(({ address }) => address) });
        for (const oldest of seen.keys()) {
          if (seen.size <= rememberedMax) break;
          seen.delete(oldest);
        }
      }
      return true;
    } catch (error) {
      log.warn(
        { event: "history_list_refresh_failed", err: error, environment: network.name, account: account.address },
        "history of an account could not be refreshed for a list",
      );
      return false;
    }
  };

  const keyOf = (account: HistoryAccount) => `${account.environment} ${account.address}`;

  return {
    isOld: async (network, account, lookedAt) => {
      if (network.changes?.changedSince !== undefined) {
        const last = seen.get(keyOf(account));
        return last === undefined || network.changes.changedSince(last.mark, last.addresses);
      }
      // Another process's sandbox is near enough to be asked each time.
      const isLongAgo = lookedAt === null || network.clock.now() - lookedAt > limits.lookGoodForMs;
      return network.sandbox !== undefined || isLongAgo || hasEnded(needs.db, account, lookedAt - clocksApartMs);
    },
    look: async (network, account) => {
      const key = keyOf(account);
      let looking = underWay.get(key);
      if (looking === undefined) {
        if (underWay.size >= limits.looksAtOnce) return false;
        looking = begin(network, account, key).finally(() => underWay.delete(key));
        underWay.set(key, looking);
      }
      const patienceMs = network.sandbox === undefined ? limits.lookPatienceMs : limits.sandboxLookPatienceMs;
      return Promise.race([looking, needs.pause(patienceMs).then(() => false)]);
    },
  };
}
