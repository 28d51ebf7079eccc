import { createRealClock } from "../adapters/system.js";
import type { Config } from "../config/config.js";
import { type FailedRefunds, findFailedRefunds, type Settlement, settleFailedRefund } from "../rails/failed-refunds.js";
import { withDatabase } from "./with-database.js";

/** The refunds that failed and that no operator has settled (gap 132): the first thousand of each kind in each environment. */
export function listFailedRefunds(config: Config): Promise<FailedRefunds> {
  return withDatabase(config, ({ db }) => findFailedRefunds(db, 1_000));
}

/** Notes that an operator has seen to one; undefined where there is neither a payment nor a payout of this id. */
export function settleRefund(
  config: Config,
  id: string,
  word: { readonly by: string; readonly note: string },
): Promise<Settlement | undefined> {
  return withDatabase(config, ({ db }) => settleFailedRefund(db, id, word, createRealClock().now()));
}
