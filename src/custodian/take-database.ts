import { setTimeout as wait } from "node:timers/promises";
import type { Lease } from "@trellis/kernel/ports/database.js";
import { ConfigError } from "../config/config.js";

/** Takes the database's name; undefined where another process has it. `onLost` hears that it is held no more. */
export type TakeLease = (onLost: () => void) => Promise<Lease | undefined>;

/** A process that has just ended holds it for a moment longer. */
const attempts = 6;
const betweenMs = 500;

/**
 * Takes the database for this process alone, as long as it runs. Nonces, locks and bounds of policies are rows, and would hold for two. The log
 * has one origin, of one identity, and the count that tells a restored database from this one stands in one file: for two they would not.
 * Throws ConfigError where another process has it.
 *
 * What holds it ends with its connection, as when the server fails over: it is taken anew then. `onDisplaced` hears that another process
 * has it by then, and that this one must not go on.
 */
export async function takeDatabase(takeLease: TakeLease, onDisplaced: () => void): Promise<Lease> {
  let isReleased = false;
  let retaking = Promise.resolve();
  const onLost = () => {
    if (!isReleased) retaking = retake();
  };
  const retake = async (): Promise<void> => {
    while (!isReleased) {
      try {
        const next = await tryTake(takeLease, onLost);
        if (next === undefined) return onDisplaced();
        held = next;
        return;
      } catch {
        // The server is away: no other process takes it there either.
        await wait(betweenMs);
      }
    }
  };
  const first = await tryTake(takeLease, onLost);
  if (first === undefined) {
    throw new ConfigError([
      "Another custodian process runs over this database. One runs at a time: stop it first. Where its machine is gone, the database " +
        "server notices that within about a minute.",
    ]);
  }
  let held = first;
  return {
    async release() {
      isReleased = true;
      await retaking;
      await held.release();
    },
  };
}

async function tryTake(takeLease: TakeLease, onLost: () => void): Promise<Lease | undefined> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const lease = await takeLease(onLost);
    if (lease !== undefined) return lease;
    if (attempt < attempts) await wait(betweenMs);
  }
  return undefined;
}
