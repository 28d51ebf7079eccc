import { defineStates } from "../kernel/states.js";
import type { OneTimeCodeTable } from "../ports/database.js";

/** Where a one-time code can stand. That it is too old, or was tried too often, is no state. */
export const codeStates = defineStates<OneTimeCodeTable["state"]>({
  live: ["spent", "void"],
  spent: [],
  void: [],
});
