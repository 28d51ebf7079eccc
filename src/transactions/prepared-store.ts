import { groupCommit } from "@trellis/kernel/group-commit.js";
import type { Db, DbOrTrx, PreparedTransactionTable } from "@trellis/kernel/ports/database.js";
import { readTogether } from "@trellis/kernel/read-together.js";
import { type Columns, namesOf, type RowOf, typedRows } from "@trellis/kernel/typed-rows.js";
import { type RawBuilder, sql } from "kysely";
import type { StoredPayload } from "../custody/match-stamps.js";
import type { PreparedTransaction } from "./prepared-transaction.js";

/** Whose transaction it is. */
export interface Owner {
  readonly tenantId: string;
  readonly environment: string;
  readonly accountAddress: string;
}

/** A row that is written for a prepared transaction: rows of a kind that are remembered together go into one statement. */
export interface RowAlongside {
  readonly kind: AlongsideKind;
  readonly row: RowOf<Columns>;
}

/** `columns` has `prepared_id`, and `write` makes a statement of such rows, given as a table, and of the query `remembered`. */
export interface AlongsideKind {
  readonly columns: Columns;
  readonly write: (rows: (name: string) => RawBuilder<unknown>) => RawBuilder<unknown>;
}

/** What writes for every row of the query `remembered`: a row of a kind, or a statement or several. */
export type Alongside = RowAlongside | RawBuilder<unknown> | readonly RawBuilder<unknown>[];

const preparedColumns = {
  id: "text",
  tenant_id: "text",
  environment: "text",
  account_address: "text",
  kind: "text",
  transaction: "text",
  transaction_signers: "text",
  fee_payer: "text",
  fee_lamports: "int8",
  rent_lamports: "int8",
  last_valid_block_height: "int8",
  created_at: "int8",
  expires_at: "int8",
  follows: "text",
  buffer_step: "text",
  simulated_slot: "int8",
} as const;

const payloadColumns = {
  id: "text",
  prepared_id: "text",
  provider: "text",
  wallet_id: "text",
  address: "text",
  payload: "text",
  expires_at: "int8",
} as const;

interface Remembering {
  readonly owner: Owner;
  readonly prepared: PreparedTransaction;
  readonly alongside: Alongside;
}

/**
 * Remembers a prepared transaction and its payloads, together with whatever each of `alongside` writes for every row of the
 * query `remembered`: all or nothing, and in one statement with the others that a tenant prepares at that moment. Returns false, and
 * remembers nothing, when this identity was prepared before.
 */
export async function insertPrepared(
  db: Db,
  owner: Owner,
  prepared: PreparedTransaction,
  alongside: Alongside = [],
): Promise<boolean> {
  const one = { owner, prepared, alongside };
  // Statements of its own are written alone.
  if (!("kind" in alongside)) return (await insertAll(db, [one]))[0] === true;
  return insertTogether(db, one);
}

const insertTogether = groupCommit<Db, Remembering, boolean>(
  { laneOf: ({ owner }) => `${owner.environment} ${owner.tenantId}`, keyOf: ({ prepared }) => prepared.id },
  insertAll,
);

async function insertAll(db: Db, all: readonly Remembering[]): Promise<readonly boolean[]> {
  const rows = all.map(({ owner, prepared }) => ({
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
    last_valid_block_height: prepared.lifetime.lastValidBlockHeight,
    created_at: BigInt(prepared.createdAt),
    expires_at: BigInt(prepared.expiresAt),
    follows: prepared.follows,
    buffer_step: prepared.bufferStep && JSON.stringify(prepared.bufferStep),
    simulated_slot: prepared.simulatedSlot,
  }));
  const payloads = all.flatMap(({ prepared }) =>
    prepared.payloads.map(({ id, provider, walletId, address, payload }) => ({
      id,
      prepared_id: prepared.id,
      provider,
      wallet_id: walletId,
      address,
      payload,
      expires_at: BigInt(prepared.expiresAt),
    })),
  );
  const statement = sql<{ id: string }>`
    with remembered as (
      insert into prepared_transaction (${namesOf(preparedColumns)})
      select * from ${typedRows("prepared", preparedColumns, rows)}
      on conflict (id) do nothing
      returning id
    )
    ${
      payloads.length === 0
        ? sql``
        : sql`, payloads as (
            insert into kms_payload (${namesOf(payloadColumns)})
            select payload.* from remembered join ${typedRows("payload", payloadColumns, payloads)}
              on payload.prepared_id = remembered.id)`
    }
    ${sql.join(
      membersOf(all).map((member, at) => sql`, ${sql.ref(`alongside_${at}`)} as (${member})`),
      sql` `,
    )}
    select id from remembered`;
  const remembered = new Set((await statement.execute(db)).rows.map(({ id }) => id));
  return all.map(({ prepared }) => remembered.has(prepared.id));
}

function membersOf(all: readonly Remembering[]): readonly RawBuilder<unknown>[] {
  const rows = new Map<AlongsideKind, RowOf<Columns>[]>();
  const members: RawBuilder<unknown>[] = [];
  for (const { alongside } of all) {
    if (!("kind" in alongside)) members.push(...[alongside].flat());
    else rows.set(alongside.kind, [...(rows.get(alongside.kind) ?? []), alongside.row]);
  }
  for (const [{ columns, write }, some] of rows) members.push(write((name) => typedRows(name, columns, some)));
  return members;
}

const ownedColumns = { id: "text", tenant_id: "text", environment: "text", account_address: "text" } as const;

const readPrepared = readTogether<typeof ownedColumns, FoundRow>(
  ownedColumns,
  (asked) => `select asked.at as asked_at, prepared.*,
    (select coalesce(json_agg(json_build_object('id', payload.id, 'provider', payload.provider, 'wallet_id',
        payload.wallet_id, 'address', payload.address, 'payload', payload.payload, 'used_by', payload.used_by)), '[]')
      from kms_payload as payload where payload.prepared_id = prepared.id) as payloads,
    exists (select from submission where submission.id = prepared.id) as is_submitted
  from ${asked} join prepared_transaction as prepared on prepared.id = asked.id and prepared.tenant_id = asked.tenant_id
    and prepared.environment = asked.environment and prepared.account_address = asked.account_address`,
);

type FoundRow = PreparedTransactionTable & { payloads: readonly StoredPayload[]; is_submitted: boolean };

/** A prepared transaction with what belongs to it. */
export interface FoundPrepared {
  readonly prepared: PreparedTransactionTable;
  readonly payloads: readonly StoredPayload[];
  /** Whether there is a submission of it, however it stands. */
  readonly isSubmitted: boolean;
}

/** A prepared transaction with its payloads; undefined when these bytes were not prepared for this owner. */
export async function findPrepared(db: DbOrTrx, owner: Owner, id: string): Promise<FoundPrepared | undefined> {
  const { tenantId, environment, accountAddress } = owner;
  const [found] = await readPrepared(db, { id, tenant_id: tenantId, environment, account_address: accountAddress });
  if (!found) return undefined;
  const { payloads, is_submitted: isSubmitted, ...prepared } = found;
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
