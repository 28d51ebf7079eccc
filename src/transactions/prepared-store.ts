import { type RawBuilder, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import type { Db, DbOrTrx, PreparedTransactionTable } from "../ports/database.js";
import type { StoredPayload } from "../signing/match-stamps.js";
import type { PreparedTransaction } from "./prepared-transaction.js";

/** Whose transaction it is. */
export interface Owner {
  readonly tenantId: string;
  readonly environment: string;
  readonly accountAddress: string;
}

/**
 * Remembers a prepared transaction and its payloads in one statement, together with whatever `alongside` writes for every
 * row of the query `remembered`. Returns false, and remembers nothing, when this identity was prepared before.
 */
export async function insertPrepared(
  db: Db,
  owner: Owner,
  prepared: PreparedTransaction,
  alongside?: RawBuilder<unknown>,
): Promise<boolean> {
  const payloads = prepared.payloads.map(
    ({ id, provider, walletId, address, payload }) =>
      sql`(${id}::text, ${provider}::text, ${walletId}::text, ${address}::text, ${payload}::text)`,
  );
  const { rows } = await sql<{ remembered: boolean }>`
    with remembered as (
      insert into prepared_transaction (id, tenant_id, environment, account_address, kind, transaction,
        transaction_signers, fee_payer, fee_lamports, rent_lamports, last_valid_block_height, created_at, expires_at)
      values (${prepared.id}, ${owner.tenantId}, ${owner.environment}, ${owner.accountAddress}, ${prepared.kind},
        ${prepared.transaction}, ${JSON.stringify(prepared.signers)}, ${prepared.feePayer}, ${prepared.feeLamports},
        ${prepared.rentLamports}, ${prepared.lastValidBlockHeight}, ${prepared.createdAt}, ${prepared.expiresAt})
      on conflict (id) do nothing
      returning id
    )
    ${
      payloads.length === 0
        ? sql``
        : sql`, payloads as (
            insert into kms_payload (id, prepared_id, provider, wallet_id, address, payload, used_by, expires_at)
            select payload.id, remembered.id, payload.provider, payload.wallet_id, payload.address, payload.payload, null,
              ${prepared.expiresAt}::int8
            from remembered, (values ${sql.join(payloads)}) as payload (id, provider, wallet_id, address, payload))`
    }
    ${alongside === undefined ? sql`` : sql`, alongside as (${alongside})`}
    select exists (select 1 from remembered) as remembered`.execute(db);
  return rows[0]?.remembered === true;
}

/** A prepared transaction with its payloads; undefined when these bytes were not prepared for this owner. */
export async function findPrepared(
  db: DbOrTrx,
  owner: Owner,
  id: string,
): Promise<{ prepared: PreparedTransactionTable; payloads: readonly StoredPayload[] } | undefined> {
  const found = await db
    .selectFrom("prepared_transaction as prepared")
    .selectAll("prepared")
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom("kms_payload")
          .select(["id", "provider", "wallet_id", "address", "payload", "used_by"])
          .whereRef("kms_payload.prepared_id", "=", "prepared.id"),
      ).as("payloads"),
    )
    .where("prepared.id", "=", id)
    .where("prepared.tenant_id", "=", owner.tenantId)
    .where("prepared.environment", "=", owner.environment)
    .where("prepared.account_address", "=", owner.accountAddress)
    .executeTakeFirst();
  if (!found) return undefined;
  const { payloads, ...prepared } = found;
  return { prepared, payloads };
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
