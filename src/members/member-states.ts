import type { MemberTable } from "@trellis/kernel/ports/database.js";
import { defineStates } from "@trellis/kernel/states.js";

/** Where a member can stand. One who was disabled before the invitation was accepted is invited again. */
export const memberStates = defineStates<MemberTable["status"]>({
  invited: ["active", "disabled"],
  active: ["disabled"],
  disabled: ["active", "invited"],
});
