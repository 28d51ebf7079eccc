import { defineStates } from "../kernel/states.js";
import type { MailTable } from "../ports/database.js";

/** Where a mail can stand. In the sandbox it is sent at once. */
export const mailStates = defineStates<MailTable["state"]>({
  queued: ["sent", "refused"],
  sent: [],
  refused: [],
});
