import type { Db, DbOrTrx, PreparedTransactionTable } from "@trellis/kernel/ports/database.js";
import { CompiledQuery, type RawBuilder, sql } from "kysely";
import type { StoredPayload } from "../custody/match-stamps.js";
import type { PreparedTransaction } from "./prepared-transaction.js";

/** Whose transaction it is. */
export interface Owner {
  readonly tenantId: string;
  readonly environment: string;
  readonly accountAddress: string;
}

/** Statements, or one, that write for every row of the query `remembered`. */
export type Alongside = RawBuilder<unknown> | readonly RawBuilder<unknown>[];

/**
 * Remembers a prepared transaction and its payloads in one statement, together with whatever each of `alongside` writes for
 * every row of the query `remembered`. Returns false, and remembers nothing, when this identity was prepared before.
 */
export async function insertPrepared(
  db: Db,
  owner: Owner,
  prepared: PreparedTransaction,
  alongside: Alongside = [],
): Promise<boolean> {
  const payloads = prepared.payloads.map(
    ({ id, provider, walletId, address, payload }) =>
      sql`(${id}::text, ${provider}::text, ${walletId}::text, ${address}::text, ${payload}::text)`,
  );
  const members = [alongside].flat() as readonly RawBuilder<unknown>[];
  const { rows } = await sql<{ remembered: boolean }>`
    with remembered as (
      insert into prepared_transaction (id, tenant_id, environment, account_address, kind, transaction,
        transaction_signers, fee_payer, fee_lamports, rent_lamports, last_valid_block_height, created_at, expires_at, follows, buffer_step,
        simulated_slot)
      values (${prepared.id}, ${owner.tenantId}, ${owner.environment}, ${owner.accountAddress}, ${prepared.kind},
        ${prepared.transaction}, ${JSON.stringify(prepared.signers)}, ${prepared.feePayer}, ${prepared.feeLamports},
        ${prepared.rentLamports}, ${prepared.lifetime.lastValidBlockHeight}, ${prepared.createdAt}, ${prepared.expiresAt},
        ${prepared.follows}, ${prepared.bufferStep && JSON.stringify(prepared.bufferStep)},
        ${prepared.simulatedSlot})
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
    ${
      members.length === 0
        ? sql``
        : sql`, ${sql.join(members.map((member, at) => sql`${sql.ref(`alongside_${at}`)} as (${member})`))}`
    }
    select exists (select 1 from remembered) as remembered`.execute(db);
  return rows[0]?.remembered === true;
}

/** Plain text, as every submit asks it. */
const preparedQuery = `select prepared.*,
    (select coalesce(json_agg(json_build_object('id', payload.id, 'provider', payload.provider, 'wallet_id',
        payload.wallet_id, 'address', payload.address, 'payload', payload.payload, 'used_by', payload.used_by)), '[]')
      from kms_payload as payload where payload.prepared_id = prepared.id) as payloads,
    exists (select from submission where submission.id = prepared.id) as is_submitted
  from prepared_transaction as prepared
  where prepared.id = $1 and prepared.tenant_id = $2 and prepared.environment = $3 and prepared.account_address = $4`;

/** A prepared transaction with what belongs to it. */
export interface FoundPrepared {
  readonly prepared: PreparedTransactionTable;
  readonly payloads: readonly StoredPayload[];
  /** Whether there is a submission of it, however it stands. */
  readonly isSubmitted: boolean;
}

/** A prepared transaction with its payloads; undefined when these bytes were not prepared for this owner. */
export async function findPrepared(db: DbOrTrx, owner: Owner, id: string): Promise<FoundPrepared | undefined> {
  type Row = PreparedTransactionTable & { payloads: readonly StoredPayload[]; is_submitted: boolean };
  const parameters = [id, owner.tenantId, owner.environment, owner.accountAddress];
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(preparedQuery, parameters));
  if (!rows[0]) return undefined;
  const { payloads, is_submitted: isSubmitted, ...prepared } = rows[0];
  return { prepared, payloads, isSubmitted };
}

/**
 * Base64 of the transactions that were prepared for an account and expire after `since` (environment time), the latest
 * first, at most `count`.
 */
export async function listLatelyPrepared(
  db: DbOrTrx,
  { tenantId, environment, accountAddress }: Owner,
  since: number,
  count: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("prepared_transaction")
    .select("transaction")
    .where("environment", "=", environment)
    .where("expires_at", ">", BigInt(Math.floor(since)))
    .where("account_address", "=", accountAddress)
    .where("tenant_id", "=", tenantId)
    .orderBy("expires_at", "desc")
    .limit(count)
    .execute();
  return rows.map(({ transaction }) => transaction);
}
