import { findSubmission } from "../../core/submissions/submission-store.js";
import { TrellisError } from "../../errors.js";
import type { Db, SubmissionTable } from "../../ports/database.js";
import type { Network } from "../../ports/network.js";
import type { Owner } from "./prepared-store.js";
import { refuseForGood } from "./record-submission.js";

/**
 * What to make of an error on the way to recording a submission: another copy of it may have been faster. What that one did
 * is the reason then, and its outcome the answer. Otherwise throws the error, and if that one says that the bytes are out
 * of date, no slower copy can record them any more.
 */
export async function findOvertaking(
  db: Db,
  network: Network,
  owner: Owner,
  id: string,
  error: unknown,
): Promise<SubmissionTable> {
  if (!(error instanceof TrellisError)) throw error;
  if (isForGood(error)) await refuseForGood(db, owner, id, network.clock.now());
  const meanwhile = await findSubmission(db, id);
  if (meanwhile === undefined || !belongsTo(meanwhile, owner)) throw error;
  return meanwhile;
}

/** Whoever hears this prepares anew, so the old bytes must not land after it. */
function isForGood({ code }: TrellisError): boolean {
  return code === "payload_expired" || code === "blockhash_expired";
}

/** Whether a submission is this owner's: another tenant's does not exist (gap 2). */
export function belongsTo(row: SubmissionTable, owner: Owner): boolean {
  return (
    row.tenant_id === owner.tenantId &&
    row.environment === owner.environment &&
    row.account_address === owner.accountAddress
  );
}
