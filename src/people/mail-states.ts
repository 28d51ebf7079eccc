import type { MailTable } from "@trellis/kernel/ports/database.js";
import { defineStates } from "@trellis/kernel/states.js";

/** Where a mail can stand. In the sandbox it is sent at once. */
export const mailStates = defineStates<MailTable["state"]>({
  queued: ["sent", "refused"],
  sent: [],
  refused: [],
});
