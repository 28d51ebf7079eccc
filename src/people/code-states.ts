import type { OneTimeCodeTable } from "@trellis/kernel/ports/database.js";
import { defineStates } from "@trellis/kernel/states.js";

/** Where a one-time code can stand. That it is too old, or was tried too often, is no state. */
export const codeStates = defineStates<OneTimeCodeTable["state"]>({
  live: ["spent", "void"],
  spent: [],
  void: [],
});
