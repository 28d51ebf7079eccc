import type { DepositState } from "@trellis/kernel/ports/rails.js";
import { defineStates } from "@trellis/kernel/states.js";

/**
 * Where a deposit can stand: what its partner reports late takes nothing back. States may be passed over. The database has the same
 * order (`deposit_rank`); a test compares the two.
 */
export const depositStates = defineStates<DepositState>({
  scheduled: ["received", "in_review", "submitted", "processed", "refunded", "not_credited"],
  received: ["in_review", "submitted", "processed", "refunded", "not_credited"],
  in_review: ["submitted", "processed", "refunded", "not_credited"],
  submitted: ["processed", "refunded", "not_credited"],
  processed: ["refunded"],
  refunded: [],
  not_credited: ["refunded"],
});

/** Those after which the partner pays it out. */
export const unpaidStates = depositStates.statesBefore("processed");
