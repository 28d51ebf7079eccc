import { wakeHistories } from "../following/history-watches.js";
import { claimDueWatches, releaseWatches, wakeProposals } from "../following/proposal-watches.js";
import { findWatchableHoldings } from "../history/history-store.js";
import { TrellisError } from "../kernel/errors.js";
import { limits } from "../kernel/limits.js";
import type { Db } from "../ports/database.js";
import type { Network } from "../ports/network.js";
import { findWatchable } from "./proposal-store.js";
import { type IndexNeeds, refreshWatches } from "./refresh-proposals.js";

/**
 * One tick of the follower: takes over what happened on chain to the accounts whose turn has come, whoever did it. Any
 * number of processes may do this at once: each takes its own. A chain that does not answer is logged, and everything it
 * would have told is caught up with later.
 */
export async function followProposals(needs: IndexNeeds, network: Network): Promise<void> {
  const { db, log } = needs;
  await noteChanges(db, network);
  const now = network.clock.now();
  const leasedUntil = now + limits.followLeaseMs;
  const watches = await claimDueWatches(db, network.name, now, leasedUntil);
  try {
    await refreshWatches(needs, network, watches);
  } catch (error) {
    if (!(error instanceof TrellisError)) throw error;
    log.warn(
      { event: "proposals_chain_silent", err: error, environment: network.name },
      "chain did not answer while proposals were read",
    );
    const addresses = watches.map(({ settingsAddress }) => settingsAddress);
    // Not at once: others come first, if it was one of these that there was no answer to.
    await releaseWatches(db, network.name, addresses, { leasedUntil, dueAt: now + limits.looksApartLeastMs });
  }
}

/**
 * Has the accounts looked at that the chain told of since it was last asked: their proposals, and, in the same way, their
 * histories. What the database did not take is told of again.
 */
export async function noteChanges(db: Db, network: Pick<Network, "name" | "clock" | "changes">): Promise<void> {
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

/** Chooses anew which accounts, token accounts and proposals the chain is to tell of, where it has to be told which. */
export async function chooseWatched(db: Db, { name, changes }: Pick<Network, "name" | "changes">): Promise<void> {
  if (changes?.watch === undefined) return;
  changes.watch([...new Set([...(await findWatchable(db, name)), ...(await findWatchableHoldings(db, name))])]);
}
