import type { StandingOrderTable } from "@trellis/kernel/ports/database.js";
import { defineStates } from "@trellis/kernel/states.js";

/** Where an order can stand. */
export const orderStates = defineStates<StandingOrderTable["status"]>({
  // Inactive: the operator suspends it before its limit has landed. Completed: its limit landed when nothing was left to be paid.
  pending: ["active", "inactive", "completed", "cancelled"],
  active: ["inactive", "completed", "cancelled"],
  inactive: ["active", "completed", "cancelled"],
  completed: [],
  cancelled: [],
});

/** Those that take one of the places that an account has for open orders. */
export const placedStates = ["pending", "active"] as const satisfies readonly StandingOrderTable["status"][];

/** What stands on chain for it. A limit can land after its order has ended, and a new one in place of one that is removed. */
export const mandateStates = defineStates<StandingOrderTable["mandate"]>({
  awaited: ["active", "revocation_pending", "revoked"],
  active: ["revocation_pending", "revoked"],
  revocation_pending: ["active", "revoked"],
  revoked: ["active"],
});

/** Those in which a limit is there. */
export const standingMandates = [
  "active",
  "revocation_pending",
] as const satisfies readonly StandingOrderTable["mandate"][];
