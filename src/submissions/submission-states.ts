import { defineStates } from "../kernel/states.js";
import type { SubmissionTable } from "../ports/database.js";

/** Where a submission can stand. What the chain has decided is never left again. */
export const submissionStates = defineStates<SubmissionTable["state"]>({
  signed: ["sent", "landed", "failed", "expired"],
  sent: ["landed", "failed", "expired"],
  landed: [],
  failed: [],
  expired: [],
});

/** Whether it may still land: its bytes are stored, and nobody knows yet what became of them. */
export const isOpenSubmission = (row: Pick<SubmissionTable, "state"> | undefined): boolean =>
  row !== undefined && !submissionStates.isFinal(row.state);
