import type { SubmissionTable } from "@trellis/kernel/ports/database.js";
import { defineStates } from "@trellis/kernel/states.js";

/** Where a submission can stand. What the chain has decided is never left again. */
export const submissionStates = defineStates<SubmissionTable["state"]>({
  signed: ["sent", "landed", "failed", "expired"],
  sent: ["landed", "failed", "expired"],
  landed: [],
  failed: [],
  expired: [],
});

/** Whether it may still land: its bytes are stored, and it is not known yet what became of them. */
export const isOpenSubmission = (row: Pick<SubmissionTable, "state"> | undefined): boolean =>
  row !== undefined && !submissionStates.isFinal(row.state);
