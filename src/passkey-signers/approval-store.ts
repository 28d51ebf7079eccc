import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db, PasskeyApprovalTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";

/** What a passkey is asked to approve itself, and the transaction that carries it out. */
export type Approval = PasskeyApprovalTable;

/** What is recorded of a new one. */
export type NewApproval = Omit<
  Approval,
  "transaction" | "fee_lamports" | "last_valid_block_height" | "signing_until" | "answers"
>;

/** The transaction that carries an approval out. */
export interface ApprovedTransaction {
  /** Base64, unsigned. */
  readonly transaction: string;
  readonly feeLamports: bigint;
  readonly lastValidBlockHeight: bigint;
}

/** Records a challenge. False where it is there already, as the same was asked for in the same slot. */
export async function recordApproval(db: Db, approval: NewApproval): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("passkey_approval")
    .values({
      ...approval,
      transaction: null,
      fee_lamports: null,
      last_valid_block_height: null,
      signing_until: null,
      answers: 0,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** The approval of a challenge, base64url, of whatever tenant and environment. */
export async function findApproval(db: Db, challenge: string): Promise<Approval | undefined> {
  return db.selectFrom("passkey_approval").selectAll().where("challenge", "=", challenge).executeTakeFirst();
}

/** Whether a page may still have it signed: it is not over, and what it approves was neither submitted nor refused. */
export async function isApprovalOpen(
  db: Db,
  { clock }: Pick<Network, "clock">,
  { expires_at, transaction, prepared_id }: Approval,
): Promise<boolean> {
  if (transaction !== null || expires_at <= BigInt(clock.now())) return false;
  const waiting = await db
    .selectFrom("prepared_transaction as prepared")
    .select("prepared.id")
    .where("prepared.id", "=", prepared_id)
    .where("prepared.refused_at", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("submission").select("submission.id").whereRef("submission.id", "=", "prepared.id"))),
    )
    .executeTakeFirst();
  return waiting !== undefined;
}

const uniqueViolation = "23505";

/**
 * Fixes the transaction that carries a prepared one out: the first one that is given stays the only one, whatever other calls make of other
 * answers and of other challenges. Returns it.
 */
export async function fixTransaction(
  db: Db,
  { challenge, prepared_id }: Pick<Approval, "challenge" | "prepared_id">,
  made: ApprovedTransaction,
): Promise<ApprovedTransaction> {
  try {
    await db
      .updateTable("passkey_approval")
      .set({
        transaction: made.transaction,
        fee_lamports: made.feeLamports,
        last_valid_block_height: made.lastValidBlockHeight,
      })
      .where("challenge", "=", challenge)
      .where("transaction", "is", null)
      .execute();
  } catch (error) {
    if (!(error instanceof Object && "code" in error && error.code === uniqueViolation)) throw error;
  }
  const fixed = await findFixed(db, prepared_id);
  assertOurs(fixed, "a transaction is fixed once one was written");
  return fixed;
}

/** The transaction that is fixed for a prepared one; undefined: none is. */
export async function findFixed(db: Db, preparedId: string): Promise<ApprovedTransaction | undefined> {
  const row = await db
    .selectFrom("passkey_approval")
    .select(["transaction", "fee_lamports", "last_valid_block_height"])
    .where("prepared_id", "=", preparedId)
    .where("transaction", "is not", null)
    .executeTakeFirst();
  const { transaction = null, fee_lamports = null, last_valid_block_height = null } = row ?? {};
  if (transaction === null || fee_lamports === null || last_valid_block_height === null) return undefined;
  return { transaction, feeLamports: fee_lamports, lastValidBlockHeight: last_valid_block_height };
}

/** Counts an answer that has the chain read, as `countAnswer` does for a session. Throws `passkey_challenge_over` and `submission_in_progress`. */
export async function countApprovalAnswer(
  { db, realClock }: { readonly db: Db; readonly realClock: Clock },
  { challenge, prepared_id }: Approval,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("passkey_approval")
    .set(({ eb }) => ({ answers: eb("answers", "+", 1) }))
    .where("challenge", "=", challenge)
    .where("answers", "<", limits.signerAnswersMax)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) return;
  const signing = await db
    .selectFrom("passkey_approval")
    .select("challenge")
    .where("prepared_id", "=", prepared_id)
    .where("transaction", "is not", null)
    .where("signing_until", ">", BigInt(realClock.now()))
    .executeTakeFirst();
  if (signing !== undefined) throw new TrellisError("submission_in_progress");
  throw new TrellisError("passkey_challenge_over", { message: "This challenge was answered too often. Begin again." });
}

/**
 * Claims that this call, and no other one, has the fixed transaction of a prepared one signed. Undefined where another one has claimed it. The
 * claim of a process that dies ends by itself.
 */
export async function claimApprovalSigning(
  { db, realClock }: { readonly db: Db; readonly realClock: Clock },
  preparedId: string,
): Promise<bigint | undefined> {
  const now = realClock.now();
  const until = BigInt(now + limits.signerSigningMs);
  const { numUpdatedRows } = await db
    .updateTable("passkey_approval")
    .set({ signing_until: until })
    .where("prepared_id", "=", preparedId)
    .where("transaction", "is not", null)
    .where((row) => row.or([row("signing_until", "is", null), row("signing_until", "<=", BigInt(now))]))
    .executeTakeFirst();
  return numUpdatedRows === 1n ? until : undefined;
}

/** Ends a claim, for whatever reason it ends; one that another call has made since stays. */
export async function endApprovalSigning(db: Db, preparedId: string, claim: bigint): Promise<void> {
  await db
    .updateTable("passkey_approval")
    .set({ signing_until: null })
    .where("prepared_id", "=", preparedId)
    .where("transaction", "is not", null)
    .where("signing_until", "=", claim)
    .execute();
}
