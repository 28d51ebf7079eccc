import type { StandingOrderRunTable } from "@trellis/kernel/ports/database.js";
import { defineStates } from "@trellis/kernel/states.js";

/** Where a due date that has arrived can stand. */
export const runStates = defineStates<StandingOrderRunTable["state"]>({
  // Paid without being sent: the payment is found on chain, where the database had forgotten it.
  scheduled: ["sending", "retrying", "paid", "missed"],
  // Scheduled again: the chain refused it for a reason that time removes, before it is late.
  sending: ["scheduled", "retrying", "paid", "missed"],
  retrying: ["sending", "paid", "missed"],
  paid: [],
  missed: [],
});

/** Those in which nothing is signed that could land. */
export const unsentStates = runStates.statesBefore("sending");
