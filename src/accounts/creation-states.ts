import { defineStates } from "../kernel/states.js";
import type { AccountCreationTable } from "../ports/database.js";

/** Where the creation of an account can stand. */
export const creationStates = defineStates<AccountCreationTable["state"]>({
  pending: ["landed", "failed"],
  landed: [],
  failed: [],
});
