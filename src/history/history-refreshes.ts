import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import { createCallerRefreshes } from "../following/caller-refreshes.js";
import { hasEnded, historySubscriptions } from "../following/history-subscriptions.js";
import { reportsAll, toRefresh } from "./follow-histories.js";
import { findFollowedAddresses, type HistoryAccount } from "./history-store.js";
import { type Budget, type HistoryNeeds, refreshHistory } from "./refresh-history.js";

/** Refreshes for those who ask about an account's history. */
export interface HistoryRefreshes {
  /**
   * Whether the index may lack something that happened, when it was last refreshed at `refreshedAt` (environment time, Unix
   * milliseconds; null: never yet): it does where a submission of the account has ended since, however short that is ago.
   */
  isOld(network: Network, account: HistoryAccount, refreshedAt: number | null): Promise<boolean>;
  /**
   * Brings the history of one account up to date, together with all who ask at the same time. False when that takes too
   * long, the chain does not answer or too many others are being refreshed: the index then is as it was, or a little
   * better. Does not reject.
   */
  refresh(network: Network, account: HistoryAccount): Promise<boolean>;
}

/** Accounts whose latest refresh is remembered. */
const rememberedMax = 10_000;
/** Processes' clocks may differ by so much. */
const clocksApartMs = 1_000;

/** Those of one process. */
export function createHistoryRefreshes(needs: HistoryNeeds & { readonly pause: Pause }): HistoryRefreshes {
  const { db } = needs;
  const refreshes = createCallerRefreshes(needs, "histories");
  /** Where the chain reports everything: up to which of its changes the index has an account, and by which addresses. */
  const seen = new Map<string, { readonly mark: number; readonly addresses: readonly string[] }>();
  const keyOf = ({ environment, address, number }: HistoryAccount) => `${environment} ${address} ${number}`;

  const refresh = async (network: Network, account: HistoryAccount): Promise<void> => {
    const now = network.clock.now();
    const mark = network.changes?.mark?.() ?? 0;
    const subscription = await historySubscriptions.get(db, network.name, account.address);
    const budget: Budget = { pages: limits.historyPagesInOneRefresh, reads: limits.historyReadsInOneRefresh };
    const found = await refreshHistory(needs, network, account, budget, { again: false });
    const ofAccount = { ...subscription, accountNumber: account.number };
    await historySubscriptions.save(db, network.name, [toRefresh(network, ofAccount, found, now)]);
    seen.delete(keyOf(account));
    if (!reportsAll(network) || !found.isComplete) return;
    const followed = await findFollowedAddresses(db, network.name, [account.address]);
    const addresses = (followed.get(account.address) ?? []).map(({ address }) => address);
    seen.set(keyOf(account), { mark, addresses });
    for (const oldest of seen.keys()) {
      if (seen.size <= rememberedMax) break;
      seen.delete(oldest);
    }
  };

  return {
    isOld: async (network, account, refreshedAt) => {
      if (network.changes?.changedSince !== undefined) {
        const last = seen.get(keyOf(account));
        return last === undefined || network.changes.changedSince(last.mark, last.addresses);
      }
      // Another process's sandbox is near enough to be asked each time.
      const isLongAgo = refreshedAt === null || network.clock.now() - refreshedAt > limits.refreshGoodForMs;
      return network.sandbox !== undefined || isLongAgo || hasEnded(db, account, refreshedAt - clocksApartMs);
    },
    refresh: (network, account) => {
      const patienceMs = network.sandbox === undefined ? limits.refreshPatienceMs : limits.sandboxRefreshPatienceMs;
      return refreshes.run(network, account.address, patienceMs, () => refresh(network, account));
    },
  };
}
