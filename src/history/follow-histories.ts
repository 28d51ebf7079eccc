import {
  claimDueHistories,
  type HistoryLook,
  type HistoryWatch,
  saveHistoryLooks,
  wakeSubmitted,
} from "../following/history-watches.js";
import { eachOf } from "../kernel/each-of.js";
import { TrellisError } from "../kernel/errors.js";
import { limits } from "../kernel/limits.js";
import { DatabaseUnavailable } from "../ports/database.js";
import type { Network } from "../ports/network.js";
import { findAccounts, findFollowedAddresses, type HistoryAccount } from "./history-store.js";
import { glance } from "./holdings.js";
import { nextLookAt } from "./next-look-at.js";
import { type Budget, type HistoryNeeds, type Refreshed, refreshHistory } from "./refresh-history.js";

/** Follows the histories of an environment's accounts; keeps in mind which submissions it has seen the end of. */
export interface HistoryFollower {
  /**
   * One tick: takes over what happened to the accounts whose turn has come. Any number of processes may do this at once:
   * each takes its own. A chain that does not answer is logged, and everything it would have told is caught up with later.
   */
  tick(network: Network): Promise<void>;
}

/** How far back a new process looks for submissions whose end no look has followed. */
const firstLookBackMs = 3_600_000;
/** Two processes' clocks and commits may be so far apart. */
const overlapMs = 5_000;
/** So many accounts that there is no answer for, and none that there is one for: the chain does not answer. */
const silencesMax = 3;

export function createHistoryFollower(needs: HistoryNeeds): HistoryFollower {
  const wokenUntil = new Map<string, number>();

  const wake = async (network: Network): Promise<void> => {
    const since = wokenUntil.get(network.name) ?? network.clock.now() - firstLookBackMs;
    const { until, isAll } = await wakeSubmitted(needs.db, network.name, since);
    wokenUntil.set(network.name, isAll ? Math.max(since, until - overlapMs) : until);
  };

  return {
    tick: async (network) => {
      // Where the chain tells of everything, it has told of submissions too.
      if (!tellsAll(network)) await wake(network);
      await followHistories(needs, network);
    },
  };
}

/** Whether the chain tells of every change, without being told what to watch. */
export const tellsAll = ({ changes }: Pick<Network, "changes">): boolean =>
  changes !== undefined && changes.watch === undefined;

async function followHistories(needs: HistoryNeeds, network: Network): Promise<void> {
  const { db, log } = needs;
  const now = network.clock.now();
  const leasedUntil = now + limits.followLeaseMs;
  // Where the chain is a part of this process, whoever pays comes first: lists catch up by themselves.
  const share = tellsAll(network) ? limits.historyShareOfEmbedded : 1;
  const watches = await claimDueHistories(db, network.name, {
    now,
    leaseUntil: leasedUntil,
    limit: limits.followedAccountsMax * share,
  });
  if (watches.length === 0) return;
  // In the order in which they were due.
  const left = new Map(watches.map((watch) => [watch.address, watch]));
  const note = async (looks: readonly HistoryLook[]) => {
    await saveHistoryLooks(db, network.name, looks, leasedUntil);
    for (const { address } of looks) left.delete(address as never);
  };
  // Not at once: others come first, if it was one of these that there was no answer to.
  const later = now + limits.looksApartLeastMs;
  try {
    const found = new Map<string, HistoryAccount>();
    for (const account of await findAccounts(db, network.name, [...left.keys()])) found.set(account.address, account);
    const accounts = watches.flatMap(({ address }) => found.get(address) ?? []);
    const changed = await glanceAt(needs, network, watches, accounts, note);
    const budget: Budget = {
      pages: limits.historyPagesInOneTick,
      reads: limits.historyReadsInOneTick * share,
    };
    const looks = changed.slice(0, limits.historyLooksInOneTick);
    // Whoever has a long history leaves something to those behind.
    const sharers = Math.min(looks.length, limits.historyReadersInOneTick);
    const readsOfOne = Math.ceil(budget.reads / sharers);
    const pagesOfOne = Math.ceil(budget.pages / sharers);
    let answers = 0;
    let silences = 0;
    const lookAt = async (account: HistoryAccount): Promise<void> => {
      const watch = left.get(account.address);
      if (budget.pages <= 0 || budget.reads <= 0 || watch === undefined) return;
      // Not in the midst of things: a node may be a little behind.
      const again = now - watch.activeAt >= limits.historyAgainAfterMs;
      const reads = Math.min(budget.reads, readsOfOne);
      const pages = Math.min(budget.pages, pagesOfOne);
      const own: Budget = { pages, reads };
      // Others are at theirs meanwhile; what is left of it comes back.
      budget.pages -= pages;
      budget.reads -= reads;
      try {
        const refreshed = await refreshHistory(needs, network, account, own, { again });
        await note([toLook(network, watch, refreshed, now)]);
        answers += 1;
      } catch (error) {
        if (error instanceof DatabaseUnavailable) throw error;
        // What one account's history ends in keeps none of the others from being read.
        if (error instanceof TrellisError) silences += 1;
        else
          log.error(
            { event: "history_unread", err: error, account: account.address },
            "history of an account could not be read",
          );
        if (error instanceof TrellisError && answers === 0 && silences >= silencesMax) throw error;
        await note([untouched(watch, later + 1)]);
      }
      budget.pages += own.pages;
      budget.reads += own.reads;
    };
    await eachOf(looks, limits.historyReadersInOneTick, lookAt, { stopsAtFailure: true });
    // The others keep their places in the queue, and so come first next time.
    await note([...left.values()].map((watch) => untouched(watch, found.has(watch.address) ? watch.dueAt : now)));
  } catch (error) {
    if (!(error instanceof TrellisError)) throw error;
    log.warn(
      { event: "histories_chain_silent", err: error, environment: network.name },
      "chain did not answer while histories were read",
    );
    await note([...left.values()].map((watch) => untouched(watch, later)));
  }
}

/**
 * Compares what the accounts hold with what they held when everything about them was known, notes those that are as they
 * were, and returns the others. Lists are read all the same where that was long ago: sums do not show everything.
 */
async function glanceAt(
  { db }: HistoryNeeds,
  network: Network,
  watches: readonly HistoryWatch[],
  accounts: readonly HistoryAccount[],
  note: (looks: readonly HistoryLook[]) => Promise<void>,
): Promise<HistoryAccount[]> {
  const now = network.clock.now();
  const byAddress = new Map(watches.map((watch) => [watch.address, watch]));
  const known = accounts.filter(({ address }) => {
    const watch = byAddress.get(address);
    if (watch === undefined || watch.fingerprint === null || watch.readAt === null) return false;
    // Somebody acted, or the chain told so: then balances need not show it.
    return watch.activeAt < watch.readAt && now - watch.readAt < limits.historyReadApartMostMs;
  });
  if (known.length === 0) return [...accounts];
  const followed = await findFollowedAddresses(
    db,
    network.name,
    known.map(({ address }) => address),
  );
  const fingerprints = await glance(
    network,
    known.map((account) => ({ account, followed: followed.get(account.address) ?? [] })),
  );
  const same = new Set(
    known.flatMap(({ address }) =>
      fingerprints.get(address) === byAddress.get(address)?.fingerprint ? [address] : [],
    ),
  );
  await note(
    watches
      .filter(({ address }) => same.has(address))
      .map((watch) => ({
        ...lookOf(watch),
        lookedAt: now,
        dueAt: tellsAll(network) ? null : quietly(now, watch.activeAt),
      })),
  );
  return accounts.filter(({ address }) => !same.has(address));
}

const lookOf = ({ address, activeAt, fingerprint }: HistoryWatch): HistoryLook => ({
  address,
  activeAt,
  lookedAt: null,
  readAt: null,
  completeAt: null,
  dueAt: null,
  fingerprint,
});

const untouched = (watch: HistoryWatch, dueAt: number | null): HistoryLook => ({ ...lookOf(watch), dueAt });

/** Like accounts that may have proposals: a quarter of the time it was quiet, within the bounds of gap 60. */
const quietly = (now: number, activeAt: number): number | null =>
  nextLookAt({ now, activeAt, isOpen: false, canHaveProposals: true });

/** What is noted after a look at an account's lists that began at `now`. */
export function toLook(network: Network, watch: HistoryWatch, found: Refreshed, now: number): HistoryLook {
  const activeAt = found.isNews ? now : watch.activeAt;
  // One whose work was cut short comes behind those that had no turn.
  const sleeps = tellsAll(network) && found.isComplete && !found.isOpen;
  const dueAt = sleeps ? null : found.isCutShort ? now + 1 : quietly(now, activeAt);
  const completeAt = found.isComplete ? now : null;
  return {
    address: watch.address,
    activeAt,
    lookedAt: now,
    readAt: now,
    completeAt,
    dueAt,
    fingerprint: found.fingerprint,
  };
}
