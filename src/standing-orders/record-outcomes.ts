import { DatabaseUnavailable } from "@trellis/kernel/ports/database.js";
import { wakePayoutAddresses } from "../rails/payout-address-store.js";
import type { Batch } from "./paying.js";
import { type RefreshResult, recordRefreshes } from "./run-store.js";

/** Writes down the outcomes of orders, counts it, and has what depends on it read anew. */
export async function record(batch: Batch, results: readonly RefreshResult[]): Promise<void> {
  const { needs } = batch;
  const recorded = await recordWhatCanBe(batch, results);
  for (const { run } of recorded) if (run?.state === "paid" || run?.state === "missed") batch.tally[run.state] += 1;
  // Where a process dies in between, the check that was planned finds it.
  await wakePayoutAddresses(
    needs.db,
    recorded.flatMap(({ run, claimed }) => (run?.state === "paid" ? (claimed.order.payout_address_id ?? []) : [])),
  );
}

/**
 * Writes down all of them together or, where the database refuses that, each alone: one that cannot be written holds up
 * no other, and is due again once its lease has ended. Answers those that were written. Throws where there is no database.
 */
async function recordWhatCanBe(
  { needs, network }: Batch,
  results: readonly RefreshResult[],
): Promise<readonly RefreshResult[]> {
  const { db, log } = needs;
  try {
    await recordRefreshes(db, results, network.clock.now());
    return results;
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    log.warn(
      { event: "standing_order_outcomes_split", err: error, orders: results.length },
      "outcomes of standing orders are written one by one",
    );
  }
  const recorded: RefreshResult[] = [];
  for (const result of results) {
    try {
      await recordRefreshes(db, [result], network.clock.now());
      recorded.push(result);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      log.error(
        { event: "standing_order_outcome_unwritten", err: error, order: result.claimed.order.id },
        "outcome of a standing order could not be written",
      );
    }
  }
  return recorded;
}
