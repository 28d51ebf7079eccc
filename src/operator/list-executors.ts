import { createRealClock } from "../adapters/system.js";
import type { Config } from "../config/config.js";
import {
  type ExecutorLimits,
  findExecutorLimits,
  findOfferedRenewals,
  type OfferedRenewals,
} from "../standing-orders/executor-limits.js";
import { withDatabase } from "./with-database.js";

/** The limits that executors hold in one cluster. */
interface ClusterExecutors {
  readonly environment: string;
  readonly executors: readonly ExecutorLimits[];
  readonly renewals: OfferedRenewals;
}

/**
 * Which limits executors hold in each configured cluster: a former one's are named, the first thousand (gap 130). The
 * sandbox's executor derives from the master key and stays what it is.
 */
export function listExecutorLimits(config: Config): Promise<readonly ClusterExecutors[]> {
  return withDatabase(config, async ({ db }) => {
    const now = createRealClock().now();
    const found: ClusterExecutors[] = [];
    for (const { name, executor } of config.clusters) {
      const present = executor?.address;
      const executors = await findExecutorLimits(db, name, present, { now, most: 1_000 });
      const renewals = await findOfferedRenewals(db, name, { most: 1_000 });
      found.push({ environment: name, executors, renewals });
    }
    return found;
  });
}
