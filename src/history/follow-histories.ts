import { eachOf } from "@trellis/kernel/each-of.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { DatabaseUnavailable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { createFollower, type Follower, type Claim as FollowerClaim } from "../following/follower.js";
import {
  type HistoryRefresh,
  type HistorySubscription,
  historySubscriptions,
  wakeSubmitted,
} from "../following/history-subscriptions.js";
import { planNextRun } from "../following/plan-next-run.js";
import { findAccounts, findFollowedAddresses, type HistoryAccount } from "./history-store.js";
import { glance } from "./holdings.js";
import { type Budget, type HistoryNeeds, type Refreshed, refreshHistory } from "./refresh-history.js";

type Claim = FollowerClaim<HistorySubscription, HistoryRefresh>;

/** How far back a new process searches for submissions whose end no refresh has followed. */
const firstRefreshBackMs = 3_600_000;
/** Two processes' clocks and commits may be so far apart. */
const overlapMs = 5_000;
/** So many accounts that there is no answer for, and none that there is one for: the chain does not answer. */
const silencesMax = 3;

/** Follows the histories of an environment's accounts; keeps in mind which submissions it has seen the end of. */
export function createHistoryFollower(needs: HistoryNeeds): Follower {
  const wokenUntil = new Map<string, number>();
  return createFollower(needs, {
    subscriptions: historySubscriptions,
    followed: "histories",
    wake: async (network) => {
      // Where the chain reports everything, it has reported submissions too.
      if (reportsAll(network)) return;
      const since = wokenUntil.get(network.name) ?? network.clock.now() - firstRefreshBackMs;
      const { until, isAll } = await wakeSubmitted(needs.db, network.name, since);
      wokenUntil.set(network.name, isAll ? Math.max(since, until - overlapMs) : until);
    },
    claimedMax: (network) => limits.followedAccountsMax * shareOf(network),
    refresh: (network, claim) => refreshClaimed(needs, network, claim),
  });
}

/** Whether the chain reports every change, without a list of what to subscribe to. */
export const reportsAll = ({ changes }: Pick<Network, "changes">): boolean =>
  changes !== undefined && changes.subscribeTo === undefined;

/** Where the chain is a part of this process, payments are first: lists catch up automatically. */
const shareOf = (network: Network): number => (reportsAll(network) ? limits.historyShareOfEmbedded : 1);

async function refreshClaimed(needs: HistoryNeeds, network: Network, claim: Claim): Promise<void> {
  const keys = claim.claimed.map(({ key }) => key);
  const found = new Map<string, HistoryAccount>();
  for (const account of await findAccounts(needs.db, network.name, keys)) found.set(account.address, account);
  const accounts = keys.flatMap((key) => found.get(key) ?? []);
  const changed = await findChanged(needs, network, claim, accounts);
  await readLists(needs, network, claim, changed.slice(0, limits.historyRefreshesInOneTick));
  // The others keep their places in the queue, and so are first next time.
  await claim.release(claim.left(), ({ key, nextRunAt }) => (found.has(key) ? nextRunAt : claim.now));
}

/** Reads the lists of these accounts within the budget of a tick. One that is slow or fails keeps none of the others. */
async function readLists(
  needs: HistoryNeeds,
  network: Network,
  claim: Claim,
  accounts: readonly HistoryAccount[],
): Promise<void> {
  const left = new Map(claim.left().map((subscription) => [subscription.key, subscription]));
  const shares = shareBudget(
    { pages: limits.historyPagesInOneTick, reads: limits.historyReadsInOneTick * shareOf(network) },
    Math.min(accounts.length, limits.historyReadersInOneTick),
  );
  let answers = 0;
  let silences = 0;
  const read = async (account: HistoryAccount): Promise<void> => {
    const subscription = left.get(account.address);
    const share = shares.take();
    if (share === undefined || subscription === undefined) return;
    try {
      // Not in the midst of things: a node may be a little behind.
      const again = claim.now - subscription.activeAt >= limits.historyAgainAfterMs;
      const refreshed = await refreshHistory(needs, network, account, share, { again });
      await claim.save([toRefresh(network, subscription, refreshed, claim.now)]);
      answers += 1;
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      // What one account's history ends in keeps none of the others from being read.
      if (error instanceof TrellisError) silences += 1;
      else {
        needs.log.error(
          { event: "history_unread", err: error, account: account.address },
          "history of an account could not be read",
        );
      }
      if (error instanceof TrellisError && answers === 0 && silences >= silencesMax) throw error;
      await claim.release([subscription], () => claim.nextAttemptAt + 1);
    }
    shares.putBack(share);
  };
  await eachOf(accounts, limits.historyReadersInOneTick, read, { stopsAtFailure: true });
}

/** A budget that several share: one with a long history leaves something to those behind. */
function shareBudget(budget: Budget, sharers: number) {
  const most: Budget = { pages: Math.ceil(budget.pages / sharers), reads: Math.ceil(budget.reads / sharers) };
  return {
    take: (): Budget | undefined => {
      if (budget.pages <= 0 || budget.reads <= 0) return undefined;
      const share = { pages: Math.min(budget.pages, most.pages), reads: Math.min(budget.reads, most.reads) };
      budget.pages -= share.pages;
      budget.reads -= share.reads;
      return share;
    },
    /** Others are at theirs meanwhile; what is left of one is given back. */
    putBack: (share: Budget): void => {
      budget.pages += share.pages;
      budget.reads += share.reads;
    },
  };
}

/**
 * Compares what the accounts hold with what they held when everything about them was known, saves those that are as they
 * were, and returns the others. Lists are read all the same where that was long ago: sums do not show everything.
 */
async function findChanged(
  { db }: HistoryNeeds,
  network: Network,
  { now, claimed, save }: Claim,
  accounts: readonly HistoryAccount[],
): Promise<HistoryAccount[]> {
  const byKey = new Map<string, HistorySubscription>(claimed.map((subscription) => [subscription.key, subscription]));
  const known = accounts.filter(({ address }) => {
    const subscription = byKey.get(address);
    if (subscription === undefined || subscription.fingerprint === null || subscription.readAt === null) return false;
    // A client acted, or the chain reported it: then balances need not show it.
    return subscription.activeAt < subscription.readAt && now - subscription.readAt < limits.historyReadApartMostMs;
  });
  if (known.length === 0) return [...accounts];
  const addresses = known.map(({ address }) => address);
  const followed = await findFollowedAddresses(db, network.name, addresses);
  const fingerprints = await glance(
    network,
    known.map((account) => ({ account, followed: followed.get(account.address) ?? [] })),
  );
  const same = new Set<string>(
    addresses.filter((address) => fingerprints.get(address) === byKey.get(address)?.fingerprint),
  );
  const unchanged = claimed.filter(({ key }) => same.has(key));
  await save(
    unchanged.map((subscription) => ({
      ...subscription,
      refreshedAt: now,
      readAt: null,
      completeAt: null,
      nextRunAt: reportsAll(network) ? null : planQuiet(now, subscription.activeAt),
    })),
  );
  return accounts.filter(({ address }) => !same.has(address));
}

/** Like accounts that may have proposals: a quarter of the time it was quiet, within the bounds of gap 60. */
const planQuiet = (now: number, activeAt: number): number | null =>
  planNextRun({ now, activeAt, isOpen: false, canHaveProposals: true });

/** What is saved after an account's lists were read by a refresh that began at `now`. */
export function toRefresh(
  network: Network,
  subscription: HistorySubscription,
  found: Refreshed,
  now: number,
): HistoryRefresh {
  const activeAt = found.isNews ? now : subscription.activeAt;
  // One whose work was cut short is queued behind those that had no turn.
  const sleeps = reportsAll(network) && found.isComplete && !found.isOpen;
  return {
    ...subscription,
    activeAt,
    refreshedAt: now,
    readAt: now,
    completeAt: found.isComplete ? now : null,
    nextRunAt: sleeps ? null : found.isCutShort ? now + 1 : planQuiet(now, activeAt),
    fingerprint: found.fingerprint,
  };
}
