import { createRealClock } from "../adapters/system.js";
import { asActor } from "../audit/actor.js";
import type { Config } from "../config/config.js";
import { findSuspended, releaseOrder, type Suspension, suspendOrder } from "../standing-orders/suspend-order.js";
import { withDatabase } from "./with-database.js";

/** What an operator wants of a standing order: a reason suspends it, none releases it. */
export type OrderCommand = { readonly id: string; readonly reason: string } | { readonly id: string };

/** Suspends a standing order, or releases it (gap 111), in the database alone; undefined where there is no such order. */
export function commandOrder(config: Config, command: OrderCommand): Promise<Suspension | undefined> {
  return withDatabase(config, ({ db }) => {
    const realNow = createRealClock().now();
    return asActor(db, "operator", (trx) =>
      "reason" in command
        ? suspendOrder(trx, command.id, command.reason, realNow)
        : releaseOrder(trx, command.id, realNow),
    );
  });
}

/** The standing orders that are suspended: the first thousand. */
export function listSuspendedOrders(config: Config): Promise<Awaited<ReturnType<typeof findSuspended>>> {
  return withDatabase(config, ({ db }) => findSuspended(db, 1_000));
}
