import type { Address } from "@solana/kit";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { anyOf } from "@trellis/kernel/states.js";
import { sql } from "kysely";
import { submissionStates } from "../submissions/submission-states.js";

/** What still needs a fee payer's key, or is on its way by it. */
export interface FeePayerUse {
  /** Prepared transactions that it can still have to sign, and until when: environment time, Unix milliseconds. */
  readonly waiting: number;
  readonly until: number | null;
  /** Submissions that it has signed and whose outcome is not known. They need the key no more. */
  readonly underWay: number;
}

/** What an environment's database says of a fee payer at `now`, environment time. */
export async function findFeePayerUse(
  db: Db,
  environment: EnvironmentName,
  address: Address,
  now: number,
): Promise<FeePayerUse> {
  const { rows } = await sql<{ readonly waiting: number; readonly until: bigint | null; readonly under_way: number }>`
    select
      (select count(*)::int4 from prepared_transaction as prepared
        where environment = ${environment} and fee_payer = ${address} and expires_at > ${BigInt(now)}::int8
          and refused_at is null and not exists (select from submission where submission.id = prepared.id)) as waiting,
      (select max(expires_at) from prepared_transaction as prepared
        where environment = ${environment} and fee_payer = ${address} and expires_at > ${BigInt(now)}::int8
          and refused_at is null and not exists (select from submission where submission.id = prepared.id)) as until,
      (select count(*)::int4 from submission join prepared_transaction as prepared on prepared.id = submission.id
        where submission.environment = ${environment} and submission.state in ${anyOf(submissionStates.open)}
          and prepared.fee_payer = ${address}) as under_way`.execute(db);
  const [row] = rows;
  return {
    waiting: row?.waiting ?? 0,
    until: row?.until == null ? null : Number(row.until),
    underWay: row?.under_way ?? 0,
  };
}
