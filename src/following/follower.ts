import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Refresh, Subscription, Subscriptions } from "./subscriptions.js";

/** What following needs of the world. */
export interface FollowerNeeds {
  readonly db: Db;
  readonly log: Log;
}

/** The subscriptions that one tick has claimed. */
export interface Claim<S extends Subscription, R extends Refresh> {
  readonly now: number;
  /** In the order in which they were due. */
  readonly claimed: readonly S[];
  /** When what was not answered is tried again. Not at once: others go first, if it was one of these that failed. */
  readonly nextAttemptAt: number;
  /** Those that were neither saved nor released yet. */
  left(): readonly S[];
  /** Saves refreshes. One that is neither saved nor released is due again when the lease has run out. */
  save(refreshes: readonly R[]): Promise<void>;
  /** Gives subscriptions back unrefreshed: they are due at `nextRunAt`. */
  release(released: readonly S[], nextRunAt: (subscription: S) => number | null): Promise<void>;
}

/** What one kind of followers does. */
export interface FollowerKind<State, Progress> {
  readonly subscriptions: Subscriptions<State, Progress>;
  /** What of accounts it follows, as the log names it. */
  readonly followed: string;
  /** Wakes what is known to have changed, before a tick claims. */
  wake(network: Network): Promise<void>;
  /** Subscriptions that one tick claims at most. */
  claimedMax(network: Network): number;
  /**
   * Refreshes what was claimed, and saves each as soon as nothing that concerns it is awaited any more. Throws
   * `chain_unavailable` where there was no answer.
   */
  refresh(network: Network, claim: Claim<Subscription & State, Refresh & Progress>): Promise<void>;
}

/** Follows the accounts of an environment. */
export interface Follower {
  /**
   * One tick: takes over what happened to the accounts that are due. Any number of processes may do this at once:
   * each claims its own. A chain that does not answer is logged, and everything it would have reported is caught up with
   * later. What a tick leaves behind that ends in its middle is claimed again when its lease has run out.
   */
  tick(network: Network): Promise<void>;
}

export function createFollower<State, Progress>(
  { db, log }: FollowerNeeds,
  kind: FollowerKind<State, Progress>,
): Follower {
  const { subscriptions } = kind;
  return {
    tick: async (network) => {
      await kind.wake(network);
      const now = network.clock.now();
      const leasedUntil = now + limits.followLeaseMs;
      const limit = kind.claimedMax(network);
      const all = await subscriptions.claimDue(db, network.name, { now, leasedUntil, limit });
      const claimed = all.filter(({ accountNumber }) => accountNumber !== null);
      const orphans = all.filter(({ accountNumber }) => accountNumber === null);
      await subscriptions.removeWithoutAccount(
        db,
        network.name,
        orphans.map(({ key }) => key),
      );
      if (claimed.length === 0) return;
      const claim = openClaim(db, network, subscriptions, { now, claimed });
      try {
        await kind.refresh(network, claim);
      } catch (error) {
        if (!(error instanceof TrellisError)) throw error;
        log.warn(
          { event: "follower_chain_silent", err: error, environment: network.name, followed: kind.followed },
          "chain did not answer while accounts were followed",
        );
        await claim.release(claim.left(), () => claim.nextAttemptAt);
      }
    },
  };
}

function openClaim<State, Progress>(
  db: Db,
  { name }: Network,
  subscriptions: Subscriptions<State, Progress>,
  { now, claimed }: { readonly now: number; readonly claimed: readonly (Subscription & State)[] },
): Claim<Subscription & State, Refresh & Progress> {
  const left = new Map(claimed.map((one) => [one.key, one]));
  return {
    now,
    claimed,
    nextAttemptAt: now + limits.refreshesApartLeastMs,
    left: () => [...left.values()],
    save: async (refreshes) => {
      await subscriptions.save(db, name, refreshes);
      for (const { key } of refreshes) left.delete(key);
    },
    release: async (released, nextRunAt) => {
      const returned = released.map((one) => ({ ...one, nextRunAt: nextRunAt(one) }));
      await subscriptions.release(db, name, returned);
      for (const { key } of released) left.delete(key);
    },
  };
}
