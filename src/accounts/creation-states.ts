import type { AccountCreationTable } from "@trellis/kernel/ports/database.js";
import { defineStates } from "@trellis/kernel/states.js";

/** Where the creation of an account can stand. */
export const creationStates = defineStates<AccountCreationTable["state"]>({
  pending: ["landed", "failed"],
  landed: [],
  failed: [],
});
