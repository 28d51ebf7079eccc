import type { DbOrTrx, SubmissionTable } from "../ports/database.js";
import type { FinalOutcome, SignedSubmission } from "./submission.js";

/**
 * Stores signed bytes, before anything is sent. Returns false, and stores nothing, when this identity is known already:
 * whoever recorded it first owns the outcome, and only those first bytes are ever sent.
 * `now` is environment time in Unix milliseconds.
 */
export async function recordSigned(db: DbOrTrx, signed: SignedSubmission, now: number): Promise<boolean> {
  const inserted = await db
    .insertInto("submission")
    .values({
      id: signed.id,
      tenant_id: signed.tenantId,
      environment: signed.environment,
      account_address: signed.accountAddress,
      purpose: signed.purpose,
      signature: signed.signature,
      wire_transaction: signed.wireTransaction,
      last_valid_block_height: signed.lastValidBlockHeight,
      state: "signed",
      failure: null,
      slot: null,
      block_time: null,
      reserved_lamports: signed.reservedLamports,
      reserved_on: signed.reservedLamports > 0n ? signed.reservedOn : null,
      spent_lamports: null,
      created_at: BigInt(now),
      updated_at: BigInt(now),
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** The submission of this identity, if there is one. */
export async function findSubmission(db: DbOrTrx, id: string): Promise<SubmissionTable | undefined> {
  return db.selectFrom("submission").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Those of an environment whose outcome is still open, oldest first: what a recovery pass goes through. */
export async function findOpenSubmissions(
  db: DbOrTrx,
  environment: string,
  olderThan: number,
  limit: number,
): Promise<readonly SubmissionTable[]> {
  return db
    .selectFrom("submission")
    .selectAll()
    .where("environment", "=", environment)
    .where("state", "in", ["signed", "sent"])
    .where("updated_at", "<=", BigInt(olderThan))
    .orderBy("created_at")
    .limit(limit)
    .execute();
}

/** Notes that the bytes went out. A final state is never left again. */
export async function markSent(db: DbOrTrx, id: string, now: number): Promise<void> {
  await db
    .updateTable("submission")
    .set({ state: "sent", updated_at: BigInt(now) })
    .where("id", "=", id)
    .where("state", "=", "signed")
    .execute();
}

/** Records what the chain decided. The first to record it wins; the others were told the same by the chain. */
export async function markFinal(db: DbOrTrx, id: string, outcome: FinalOutcome, now: number): Promise<void> {
  await db
    .updateTable("submission")
    .set({
      state: outcome.state,
      failure: outcome.state === "failed" ? JSON.stringify(outcome.failure) : null,
      slot: outcome.state === "landed" ? outcome.slot : null,
      block_time: outcome.state === "landed" ? BigInt(outcome.blockTime) : null,
      updated_at: BigInt(now),
    })
    .where("id", "=", id)
    .where("state", "in", ["signed", "sent"])
    .execute();
}

/** The outcome a row holds, or undefined while it is open. */
export function toOutcome(row: SubmissionTable): FinalOutcome | undefined {
  switch (row.state) {
    case "landed":
      return {
        state: "landed",
        signature: row.signature,
        slot: row.slot ?? 0n,
        blockTime: Number(row.block_time ?? 0n),
      };
    case "failed":
      return { state: "failed", signature: row.signature, failure: JSON.parse(row.failure ?? "{}") };
    case "expired":
      return { state: "expired", signature: row.signature };
    default:
      return undefined;
  }
}
