import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { createFollower, type Follower } from "../following/follower.js";
import { wakeHistories } from "../following/history-subscriptions.js";
import { proposalSubscriptions, wakeProposals } from "../following/proposal-subscriptions.js";
import { findWatchableHoldings } from "../history/history-store.js";
import { findWatchable } from "./proposal-store.js";
import { type IndexNeeds, refreshSubscriptions } from "./refresh-proposals.js";

/** Follows the proposals of an environment's accounts, whichever client acts on them. */
export const createProposalFollower = (needs: IndexNeeds): Follower =>
  createFollower(needs, {
    subscriptions: proposalSubscriptions,
    followed: "proposals",
    wake: (network) => wakeChanged(needs.db, network),
    claimedMax: () => limits.followedAccountsMax,
    refresh: (network, { claimed, save }) => refreshSubscriptions(needs, network, claimed, save),
  });

/**
 * Wakes the accounts that the chain has reported since it was last asked: their proposals, and, in the same way, their
 * histories. What the database did not take is reported again.
 */
export async function wakeChanged(db: Db, network: Pick<Network, "name" | "clock" | "changes">): Promise<void> {
  const changed = network.changes?.take() ?? [];
  const named = network.changes?.takeNamed?.() ?? changed;
  const now = network.clock.now();
  try {
    await wakeProposals(db, network.name, changed, now);
    await wakeHistories(db, network.name, named, now);
  } catch (error) {
    network.changes?.putBack(changed);
    network.changes?.putBackNamed?.(named);
    throw error;
  }
}

/** Chooses anew which accounts, token accounts and proposals the chain is to report, where it needs the list. */
export async function chooseSubscribed(db: Db, { name, changes }: Pick<Network, "name" | "changes">): Promise<void> {
  if (changes?.subscribeTo === undefined) return;
  changes.subscribeTo([...new Set([...(await findWatchable(db, name)), ...(await findWatchableHoldings(db, name))])]);
}
