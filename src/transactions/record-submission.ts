import { sql } from "kysely";
import type { Network } from "../environment.js";
import type { Db } from "../ports/database.js";
import { markKeysUsed } from "../sessions/session-store.js";
import type { SignedPayload } from "../signing/match-stamps.js";
import { type Reservation, takeFromBudgets, withBudgetErrors } from "../sponsorship/sponsorship.js";
import type { SignedSubmission } from "../submissions/submission.js";
import { storeSigned } from "../submissions/submission-store.js";

/**
 * The moment a submission becomes real, as one statement: stores the signed bytes, consumes the payloads that were signed
 * for them, notes that their keys were used, and takes the fee out of the budgets. All or nothing. Returns false, and
 * changes nothing, when these bytes were recorded before.
 *
 * Throws `sponsorship_limit_exceeded`. `now` is environment time in Unix milliseconds.
 */
export async function recordSubmission(
  db: Db,
  network: Network,
  signed: SignedSubmission,
  stamps: readonly SignedPayload[],
  reservation: Reservation,
  now: number,
): Promise<boolean> {
  const payloadIds = sql.join(stamps.map(({ payload }) => sql`${payload.id}::text`));
  const keyIds = stamps.map(({ authorizationKeyId }) => authorizationKeyId);
  const consumed =
    stamps.length === 0
      ? sql``
      : sql`, consumed as (
          update kms_payload set used_by = ${signed.id} from recorded where kms_payload.id in (${payloadIds})
        ), used as (${markKeysUsed(keyIds, now, sql`recorded`)})`;
  const reserved =
    reservation.lamports === 0n ? sql`` : sql`, reserved as (${takeFromBudgets(network, reservation, "recorded")})`;
  const statement = sql<{ recorded: boolean }>`
    with recorded as (${storeSigned(signed, now, sql`(select 1) as once`)}) ${consumed} ${reserved}
    select exists (select 1 from recorded) as recorded`;
  const { rows } = await withBudgetErrors(reservation.realNow, statement.execute(db));
  return rows[0]?.recorded === true;
}
