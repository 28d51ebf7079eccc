import type { LimitsOfOrders } from "../policy-changes/limits-of-orders.js";
import { isLimitOfOrder } from "./executor-limits.js";
import { findRemainingMandates } from "./standing-order-store.js";

/** What other modules ask of standing orders before they change or show a limit. */
export const limitsOfOrders: LimitsOfOrders = { findRemaining: findRemainingMandates, isOfOrder: isLimitOfOrder };
