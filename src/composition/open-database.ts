import type { Log } from "@trellis/kernel/ports/log.js";
import { type OpenDatabase, type OpenOptions, openDatabase } from "../adapters/db/open-database.js";
import { UnusableDatabaseError } from "../adapters/db/server-faults.js";
import type { Config } from "../config/config.js";

/** Opens the configured database: PostgreSQL, or the embedded one. Throws where it cannot be used. */
export function openConfiguredDatabase(config: Config, options: OpenOptions = {}): Promise<OpenDatabase> {
  return openDatabase(
    config.databaseUrl === null
      ? { kind: "embedded", directory: config.dataDirectory }
      : { kind: "postgres", url: config.databaseUrl, poolSize: config.databasePoolSize },
    options,
  );
}

/**
 * Says how the database server is set up where that is dangerous. Throws UnusableDatabaseError where mainnet's keys would
 * stand on a server that a power cut can destroy.
 */
export async function checkServer(database: OpenDatabase, config: Config, log: Log): Promise<void> {
  for (const fault of await database.findFaults()) {
    const { setting, value, message, losesEverything } = fault;
    if (losesEverything && config.clusters.some(({ name }) => name === "mainnet")) {
      throw new UnusableDatabaseError(fault);
    }
    // operator: change the setting as `reason` says
    log.warn({ event: "database_setting_unsafe", setting, value, reason: message }, "database setting is unsafe");
  }
}
