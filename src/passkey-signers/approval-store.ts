import { assertOurs } from "@trellis/kernel/errors.js";
import type { Db, PasskeyApprovalTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import type { SigningTurn } from "./signing-turn.js";

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

/** That one call at a time has signed what is fixed for a prepared transaction, until it is submitted. */
export function approvalTurn(preparedId: string): SigningTurn {
  return {
    table: "passkey_approval",
    row: sql`prepared_id = ${preparedId} and transaction is not null`,
    isUnchanged: sql`not exists (select from submission where submission.id = ${preparedId})`,
  };
}
