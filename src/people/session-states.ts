import type { SessionTable } from "@trellis/kernel/ports/database.js";
import { defineStates } from "@trellis/kernel/states.js";

/** Where a session can stand; its chain has an end of its own. */
export const sessionStates = defineStates<SessionTable["state"]>({
  live: ["rotated", "revoked"],
  rotated: [],
  revoked: [],
});
