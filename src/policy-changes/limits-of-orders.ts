import type { DbOrTrx } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";

/** Which spending limits are those of standing orders: asked for through needs, as their module stands to the right. */
export interface LimitsOfOrders {
  /** The account's orders whose limit is on chain: the newest hundred. */
  findRemaining(
    db: DbOrTrx,
    network: { readonly name: EnvironmentName },
    accountAddress: string,
  ): Promise<{ readonly standing_order_id: string; readonly spending_limit_address: string }[]>;
  /** Whether a limit is, or is to become, that of an order of the account. */
  isOfOrder(db: DbOrTrx, environment: EnvironmentName, accountAddress: string, limit: string): Promise<boolean>;
}
