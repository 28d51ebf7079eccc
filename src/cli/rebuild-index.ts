import { environmentNames } from "@trellis/kernel/ports/environment.js";
import { createLogger } from "../adapters/log/pino-log.js";
import { ConfigError, parseConfig } from "../config/config.js";
import { rebuildIndex } from "../operator/rebuild-index.js";

/**
 * `trellis index rebuild`: reads every account's proposals and history from the chain again, puts them in the place of what the
 * indexes have, and prints what it found. Throws ConfigError for an environment that is not one or not configured, and
 * `DataDirectoryInUseError` while the service runs on the embedded database.
 */
export async function rebuild(
  environment: Readonly<Record<string, string | undefined>>,
  only: string | undefined,
): Promise<void> {
  const name = environmentNames.find((known) => known === only);
  if (only !== undefined && name === undefined) {
    throw new ConfigError([`--environment must be one of ${environmentNames.join(", ")}, not "${only}".`]);
  }
  const config = parseConfig(environment);
  const counts = await rebuildIndex(config, createLogger(config.logLevel), name);
  if (name !== undefined && !counts.has(name)) throw new ConfigError([`The environment ${name} is not configured.`]);
  for (const [environmentName, found] of counts) {
    process.stdout.write(
      `${environmentName}: ${found.accounts} accounts, ${found.transactions} transactions, ${found.proposals} ` +
        `proposals, ${found.closed} of them closed` +
        `${found.unreadable > 0 ? `; ${found.unreadable} accounts the chain did not show were left as they were` : ""}\n` +
        `${environmentName}: histories of ${found.histories.transactions} transactions with ${found.histories.transfers} ` +
        `transfers${found.histories.unread > 0 ? `; ${found.histories.unread} transactions the chain did not show` : ""}\n`,
    );
  }
}
