import { defineStates } from "../kernel/states.js";
import type { SessionTable } from "../ports/database.js";

/** Where a session can stand; its chain has an end of its own. */
export const sessionStates = defineStates<SessionTable["state"]>({
  live: ["rotated", "revoked"],
  rotated: [],
  revoked: [],
});
