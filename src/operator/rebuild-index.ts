import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Logger } from "pino";
import { openKeyring } from "../adapters/keyring.js";
import { createPinoLog } from "../adapters/log/pino-log.js";
import { createRealClock, systemRandom } from "../adapters/system.js";
import { openConfiguredDatabase } from "../composition/open-database.js";
import { openNetworks } from "../composition/open-networks.js";
import type { Config } from "../config/config.js";
import { type HistoryCounts, rebuildHistories } from "../history/rebuild-histories.js";
import { type RebuildCounts, rebuildProposals } from "../proposals/rebuild-proposals.js";

/**
 * Makes the indexes of proposals and histories anew from the chain alone, in one environment or in all that are configured, with the same
 * database and chains as the service, and reports what it found. Throws when something is missing, as `startService` does;
 * an environment that is not configured is left out.
 */
export async function rebuildIndex(
  config: Config,
  logger: Logger,
  only: EnvironmentName | undefined,
): Promise<ReadonlyMap<EnvironmentName, RebuildCounts & { readonly histories: HistoryCounts }>> {
  const log = createPinoLog(logger);
  const realClock = createRealClock();
  const opened: { close(): Promise<unknown> }[] = [];
  try {
    const database = await openConfiguredDatabase(config, { keepsFunctions: true });
    opened.push(database);
    // No request waits for it, and its statements may take longer.
    const db = database.background;
    const keyring = await openKeyring(config, db);
    const networks = await openNetworks(
      config,
      { database, db, keyring, realClock, random: systemRandom, log },
      opened,
    );
    const counts = new Map<EnvironmentName, RebuildCounts & { readonly histories: HistoryCounts }>();
    for (const network of networks) {
      if (only !== undefined && network.name !== only) continue;
      const proposals = await rebuildProposals({ db, log }, network);
      counts.set(network.name, { ...proposals, histories: await rebuildHistories({ db, log }, network) });
    }
    return counts;
  } finally {
    for (const part of opened.reverse()) await part.close();
  }
}
