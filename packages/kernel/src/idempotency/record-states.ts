import type { IdempotencyRecordTable } from "../ports/database.js";
import { defineStates } from "../states.js";

/** Where the record of a request can stand. Another request takes over one that has expired. */
export const recordStates = defineStates<IdempotencyRecordTable["state"]>({
  running: ["answered"],
  answered: ["running"],
});
