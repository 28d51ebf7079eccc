import type { Db, DbOrTrx, KmsPayloadTable, PreparedTransactionTable, Trx } from "../ports/database.js";
import type { PreparedTransaction } from "./prepared-transaction.js";

/** Whose transaction it is. */
export interface Owner {
  readonly tenantId: string;
  readonly environment: string;
  readonly accountAddress: string;
}

/**
 * Remembers a prepared transaction and its payloads, and whatever `also` writes, in one database transaction. Returns
 * false, and remembers nothing, when this identity was prepared before.
 */
export async function insertPrepared(
  db: Db,
  owner: Owner,
  prepared: PreparedTransaction,
  also?: (trx: Trx) => Promise<void>,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const inserted = await trx
      .insertInto("prepared_transaction")
      .values({
        id: prepared.id,
        tenant_id: owner.tenantId,
        environment: owner.environment,
        account_address: owner.accountAddress,
        kind: prepared.kind,
        transaction: prepared.transaction,
        transaction_signers: JSON.stringify(prepared.signers),
        fee_payer: prepared.feePayer,
        fee_lamports: prepared.feeLamports,
        rent_lamports: prepared.rentLamports,
        last_valid_block_height: prepared.lastValidBlockHeight,
        created_at: BigInt(prepared.createdAt),
        expires_at: BigInt(prepared.expiresAt),
      })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows !== 1n) return false;
    if (prepared.payloads.length > 0) {
      await trx
        .insertInto("kms_payload")
        .values(
          prepared.payloads.map((payload) => ({
            id: payload.id,
            prepared_id: prepared.id,
            provider: payload.provider,
            wallet_id: payload.walletId,
            address: payload.address,
            payload: payload.payload,
            used_by: null,
            expires_at: BigInt(prepared.expiresAt),
          })),
        )
        .execute();
    }
    await also?.(trx);
    return true;
  });
}

/** A prepared transaction with its payloads; undefined when these bytes were not prepared for this owner. */
export async function findPrepared(
  db: DbOrTrx,
  owner: Owner,
  id: string,
): Promise<{ prepared: PreparedTransactionTable; payloads: readonly KmsPayloadTable[] } | undefined> {
  const prepared = await db
    .selectFrom("prepared_transaction")
    .selectAll()
    .where("id", "=", id)
    .where("tenant_id", "=", owner.tenantId)
    .where("environment", "=", owner.environment)
    .where("account_address", "=", owner.accountAddress)
    .executeTakeFirst();
  if (!prepared) return undefined;
  const payloads = await db.selectFrom("kms_payload").selectAll().where("prepared_id", "=", id).execute();
  return { prepared, payloads };
}

/**
 * Consumes payloads for a submission, all or none; call it in the transaction that records the signed bytes. Returns
 * false when one of them was consumed by another submission.
 */
export async function consumePayloads(trx: Trx, ids: readonly string[], submissionId: string): Promise<boolean> {
  if (ids.length === 0) return true;
  const consumed = await trx
    .updateTable("kms_payload")
    .set({ used_by: submissionId })
    .where("id", "in", ids)
    .where((row) => row.or([row("used_by", "is", null), row("used_by", "=", submissionId)]))
    .executeTakeFirst();
  return consumed.numUpdatedRows === BigInt(ids.length);
}

/** How long an expired transaction is kept so that a late submit is told why it is refused. */
const keptAfterExpiryMs = 24 * 3_600_000;

/** Forgets prepared transactions that expired a day ago (environment time) and were never submitted. */
export async function sweepPrepared(db: DbOrTrx, environment: string, now: number): Promise<number> {
  const swept = await db
    .deleteFrom("prepared_transaction")
    .where("environment", "=", environment)
    .where("expires_at", "<", BigInt(now - keptAfterExpiryMs))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("submission").select("submission.id").whereRef("submission.id", "=", "prepared_transaction.id"),
        ),
      ),
    )
    .executeTakeFirst();
  return Number(swept.numDeletedRows);
}
