import { setTimeout as wait } from "node:timers/promises";
import type { Lease } from "@trellis/kernel/ports/database.js";
import type { OpenDatabase } from "../adapters/db/open-database.js";
import { ConfigError } from "../config/config.js";

/** A process that has just ended holds it for a moment longer. */
const attempts = 6;
const betweenMs = 500;

/**
 * Takes the database for this process alone, as long as it runs. Nonces, locks and bounds of policies are rows, and would hold for two. The log
 * has one origin, of one identity, and the count that tells a restored database from this one stands in one file: for two they would not.
 * Throws ConfigError where another process has it.
 */
export async function takeDatabase({ takeLease }: Pick<OpenDatabase, "takeLease">): Promise<Lease> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const lease = await takeLease("custodian");
    if (lease !== undefined) return lease;
    if (attempt < attempts) await wait(betweenMs);
  }
  throw new ConfigError([
    "Another custodian process runs over this database. One runs at a time: stop it first. Where its machine is gone, the database " +
      "server notices that within about a minute.",
  ]);
}
