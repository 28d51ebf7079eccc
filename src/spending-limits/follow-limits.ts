import type { Address } from "@solana/kit";
import { eachOf } from "@trellis/kernel/each-of.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { DatabaseUnavailable, type Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { createFollower, type Follower, type FollowerNeeds } from "../following/follower.js";
import { type LimitSubscription, limitSubscriptions } from "../following/limit-subscriptions.js";
import { readSpendingLimitsAtSlot } from "../transactions/read-spending-limits.js";
import { holdOlder, markOlder, replaceLimits } from "./limit-list-store.js";

/** Accounts that are read at the same time. */
const atOnce = 4;

/** Reads the limits of accounts where one may have come or gone, whichever client did it: triggers say where. */
export const createLimitFollower = (needs: FollowerNeeds): Follower =>
  createFollower(needs, {
    subscriptions: limitSubscriptions,
    followed: "spending limits",
    wake: async () => undefined,
    claimedMax: () => limits.limitReadsInOneTick,
    refresh: async (network, claim) => {
      let answers = 0;
      const silences: TrellisError[] = [];
      await eachOf(claim.claimed, atOnce, async (subscription) => {
        try {
          await readLimits(needs.db, network, subscription);
          answers += 1;
        } catch (error) {
          if (error instanceof DatabaseUnavailable) throw error;
          if (error instanceof TrellisError) silences.push(error);
          else {
            needs.log.error(
              { event: "limits_unread", err: error, environment: network.name, settings: subscription.key },
              "spending limits of an account could not be read",
            );
          }
          await claim.release([subscription], () => claim.nextAttemptAt);
        }
      });
      const [silence] = silences;
      if (silence !== undefined && answers === 0) throw silence;
    },
  });

/** Reads the limits of one account now, at `leastSlot` or later, and lists them. Throws `chain_unavailable`. */
export async function refreshLimits(
  { db }: Pick<FollowerNeeds, "db">,
  network: Network,
  settings: Address,
  leastSlot: bigint,
): Promise<void> {
  const subscription = await limitSubscriptions.get(db, network.name, settings);
  await readLimits(db, network, {
    ...subscription,
    leastSlot: leastSlot > subscription.leastSlot ? leastSlot : subscription.leastSlot,
  });
}

async function readLimits(db: Db, network: Network, subscription: LimitSubscription): Promise<void> {
  const { key: settings, leastSlot } = subscription;
  const refreshedAt = network.clock.now();
  const { slot, limits: found } = await readSpendingLimitsAtSlot(network, settings, { leastSlot });
  await db.transaction().execute(async (trx) => {
    const held = await holdOlder(trx, network.name, subscription, slot);
    if (held === undefined) return;
    await replaceLimits(trx, { environment: network.name, settings, tenantId: held.tenantId }, found);
    const refresh = { ...subscription, nextRunAt: null, refreshedAt, readSlot: slot };
    await limitSubscriptions.save(trx, network.name, [refresh]);
  });
}

/** Chunks of older accounts in one sweep: the next one continues. */
const chunksInOneSweep = 100;

/** Has the limits read of accounts that are older than the lists of limits. */
export async function markOlderAccounts({ db }: { readonly db: Db }): Promise<void> {
  for (let chunk = 0; chunk < chunksInOneSweep; chunk += 1) {
    if (!(await db.transaction().execute(markOlder))) return;
  }
}
