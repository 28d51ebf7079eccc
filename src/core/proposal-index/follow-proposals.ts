import { TrellisError } from "../../errors.js";
import { limits } from "../../limits.js";
import type { Network } from "../../ports/network.js";
import { findDueWatches, markChecked } from "./proposal-store.js";
import { type IndexNeeds, refreshWatches } from "./refresh-proposals.js";

/**
 * One tick of the follower: takes over what happened on chain to the accounts of an environment, whoever did it. Up to
 * 1,000 accounts a tick, the longest unchecked first. Several processes may do this at once. A chain that does not answer
 * is logged, and everything it would have told is caught up with at the next tick.
 */
export async function followProposals(needs: IndexNeeds, network: Network): Promise<void> {
  const { db, log } = needs;
  const watches = await findDueWatches(db, network.name, limits.followedAccountsMax);
  try {
    await refreshWatches(needs, network, watches);
  } catch (error) {
    if (!(error instanceof TrellisError)) throw error;
    log.warn({ error, environment: network.name }, "the chain did not answer while proposals were followed");
  }
  // Where every account has its turn at every tick, nothing need be written down about turns.
  if (watches.length < limits.followedAccountsMax) return;
  const addresses = watches.map(({ settingsAddress }) => settingsAddress);
  await markChecked(db, network.name, addresses, network.clock.now());
}
