import { Buffer } from "node:buffer";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db, DbOrTrx, RailTransferTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { BankRail, Coin, Fiat, PartnerRef, RailTransfer, RailTransferState } from "@trellis/kernel/ports/rails.js";
import { anyOf } from "@trellis/kernel/states.js";
import { type Selectable, sql } from "kysely";
import { waitingStates } from "../submissions/intent-states.js";
import { partnerRows } from "./partner-rows.js";
import type { RailAccount } from "./rail-kind.js";
import type { RailNeeds } from "./rail-needs.js";
import { endedStates } from "./transfer-states.js";
import { whileVerified } from "./verification-store.js";

export type TransferRow = Selectable<RailTransferTable>;

export const transferRows = partnerRows<TransferRow>("rail_transfer");

export const isSignature = (text: string): boolean => /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text);

/** What the sealed column of a row is bound to. */
export const instructionsContext = (id: string): string => `rail_transfer/${id}/instructions`;

export const receiptContext = (id: string): string => `rail_transfer/${id}/receipt`;
export const referenceContext = (id: string): string => `rail_transfer/${id}/reference`;
export const returnReasonContext = (id: string): string => `rail_transfer/${id}/return_reason`;

const seal = (keyring: Keyring, text: string, context: string) => keyring.wrap(Buffer.from(text), context);
const open = (keyring: Keyring, sealed: Uint8Array, context: string) =>
  Buffer.from(keyring.unwrap(sealed, context)).toString("utf8");

/** What the partner reported of amounts, fees and signatures. Personal data. */
export function openReceipt(
  keyring: Keyring,
  { id, receipt, sealed_receipt: sealed }: Pick<TransferRow, "id" | "receipt" | "sealed_receipt">,
): Readonly<Record<string, string>> | undefined {
  const text = sealed === null ? receipt : open(keyring, sealed, receiptContext(id));
  return text === null ? undefined : (JSON.parse(text) as Readonly<Record<string, string>>);
}

/** What the payee's statement says. Personal data. */
export function openReference(
  keyring: Keyring,
  { id, reference, sealed_reference: sealed }: Pick<TransferRow, "id" | "reference" | "sealed_reference">,
): string | null {
  return sealed === null ? reference : open(keyring, sealed, referenceContext(id));
}

/** Why a bank gave it back, in its words; null: it did not. Personal data. */
export function openReturnReason(
  keyring: Keyring,
  {
    id,
    return_reason,
    sealed_return_reason: sealed,
  }: Pick<TransferRow, "id" | "return_reason" | "sealed_return_reason">,
): string | null {
  return sealed === null ? return_reason : open(keyring, sealed, returnReasonContext(id));
}

/** Whether a bank gave it back. */
export const isBack = (row: Pick<TransferRow, "return_reason" | "sealed_return_reason">): boolean =>
  row.return_reason !== null || row.sealed_return_reason !== null;

/** Seals what earlier releases kept in clear, so much in one pass; says how many rows that were. */
export async function sealOldTransfers({ db, keyring }: Pick<RailNeeds, "db" | "keyring">): Promise<number> {
  const batch = 250;
  for (let sealed = 0; ; ) {
    const { rows } = await sql<Pick<TransferRow, "id" | "receipt" | "reference" | "return_reason">>`
      select id, receipt, reference, return_reason from rail_transfer where id = any(array(
        (select id from rail_transfer where receipt is not null or reference is not null order by id limit ${batch}::int4)
        union (select id from rail_transfer where return_reason is not null order by id limit ${batch}::int4)))
      order by id limit ${batch}::int4`.execute(db);
    for (const { id, receipt, reference, return_reason: reason } of rows) {
      // What was reported meanwhile is newer, and sealed.
      await sql`update rail_transfer set receipt = null, reference = null, return_reason = null,
          sealed_return_reason = coalesce(sealed_return_reason,
            ${reason === null ? null : seal(keyring, reason, returnReasonContext(id))}::bytea),
          sealed_receipt = coalesce(sealed_receipt, ${receipt === null ? null : seal(keyring, receipt, receiptContext(id))}::bytea),
          sealed_reference = coalesce(sealed_reference,
            ${reference === null ? null : seal(keyring, reference, referenceContext(id))}::bytea)
        where id = ${id} and receipt is not distinct from ${receipt}::text
          and return_reason is not distinct from ${reason}::text`.execute(db);
    }
    sealed += rows.length;
    if (rows.length < batch || sealed >= 5_000) return sealed;
  }
}

/** Where the payer of a pay-in sends the money; undefined where no caller gets it. Personal data. */
export function openInstructions(keyring: Keyring, row: Pick<TransferRow, "id" | "instructions">) {
  if (row.instructions === null) return undefined;
  const text = Buffer.from(keyring.unwrap(row.instructions, instructionsContext(row.id))).toString("utf8");
  return JSON.parse(text) as Readonly<Record<string, string>>;
}

/** A transfer as it is asked for. */
export interface WantedTransfer {
  readonly account: RailAccount & { readonly userId: string };
  readonly partner: string;
  readonly customer: PartnerRef;
  /** By which the account's holder is that customer. */
  readonly verificationId: string;
  readonly operationId: string | undefined;
  readonly direction: "in" | "out";
  readonly externalAccount?: { readonly id: string; readonly ref: PartnerRef };
  readonly coin: Coin;
  readonly mint: string;
  readonly decimals: number;
  readonly baseUnits: string;
  readonly fiat: Fiat;
  readonly rail: BankRail;
  readonly amount: string;
  readonly reference?: string;
}

/**
 * Records that a transfer is wanted, with its keys, before the partner hears of it; the recorded one where it is known. Throws
 * 403 `kyc_required` where the account's rail data was forgotten.
 */
export async function recordTransfer(needs: RailNeeds, network: Network, wanted: WantedTransfer): Promise<TransferRow> {
  const { db, random, keyring } = needs;
  const { account, externalAccount } = wanted;
  const id = random.uuid();
  const now = Math.floor(network.clock.now());
  const realNow = Math.floor(needs.realClock.now());
  return whileVerified(db, wanted.verificationId, async (trx) => {
    const { rows } = await sql<TransferRow>`
    insert into rail_transfer as mine (id, tenant_id, environment, account_address, user_id, partner, customer_ref,
      operation_id, operation_key, operation_begun_at, cancel_key, direction, external_account_id, external_account_ref, coin,
      mint, decimals, base_units, fiat, rail, amount, sealed_reference, state, told, active_since, look_at, created_at, updated_at)
    values (${id}, ${account.tenantId}, ${account.environment}, ${account.address}, ${account.userId},
      ${wanted.partner}, ${wanted.customer}, ${wanted.operationId ?? null}, ${random.uuid()}, ${realNow}, ${random.uuid()},
      ${wanted.direction}, ${externalAccount?.id ?? null}, ${externalAccount?.ref ?? null}, ${wanted.coin}, ${wanted.mint},
      ${wanted.decimals}, ${wanted.baseUnits}, ${wanted.fiat}, ${wanted.rail}, ${wanted.amount},
      ${wanted.reference === undefined ? null : seal(keyring, wanted.reference, referenceContext(id))}, 'awaiting_funds', 'awaiting_funds', ${realNow}, ${realNow + limits.railAbandonMs}, ${now}, ${now})
    on conflict (tenant_id, environment, operation_id) where operation_id is not null
      do update set look_at = greatest(mine.look_at, excluded.look_at)
    returning mine.*`.execute(trx);
    return rows[0] as TransferRow;
  });
}

/** The one that an earlier attempt under the same idempotency key recorded. */
export async function findTransferOf(
  db: DbOrTrx,
  network: Network,
  tenantId: string,
  operationId: string | undefined,
): Promise<TransferRow | undefined> {
  if (operationId === undefined) return undefined;
  return db
    .selectFrom("rail_transfer")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("environment", "=", network.name)
    .where("operation_id", "=", operationId)
    .executeTakeFirst();
}

/** The row of an id, of any tenant: for passes. */
export const readTransferRow = transferRows.read;

/**
 * Writes down what a partner reported, and moves the payment intent of the same id with it. False: another process wrote since `row`
 * was read, so that it has to be read and asked anew.
 */
export async function writeTransfer(
  { db, keyring }: Pick<RailNeeds, "db" | "keyring">,
  network: Network,
  row: TransferRow,
  written: {
    readonly told: Pick<RailTransfer, "ref" | "state" | "instructions" | "receipt" | "returned">;
    readonly state: RailTransferState;
    readonly credited:
      | { readonly signature: string; readonly received: bigint; readonly at: number | null }
      | undefined;
    readonly refreshAt: number | null;
    readonly activeSince: number;
    /** Environment time; null: nothing is known of coins that no party moves on. */
    readonly astraySince: number | null;
    /** Whether an operator has to handle it anew, whether or not one has handled it before. */
    readonly isAlarming: boolean;
  },
): Promise<boolean> {
  const { told: reported, state, credited, refreshAt, astraySince } = written;
  const now = Math.floor(network.clock.now());
  const toAddress = row.direction === "out" ? (reported.instructions?.to_address ?? row.to_address) : null;
  const instructions =
    row.direction === "in" && reported.instructions !== null
      ? keyring.wrap(Buffer.from(JSON.stringify(reported.instructions)), instructionsContext(row.id))
      : null;
  const hash = reported.receipt?.destination_tx_hash;
  const refunded =
    row.direction === "out" && state === "refunded" && hash !== undefined && isSignature(hash) ? hash : null;
  const receipt =
    reported.receipt === null ? null : seal(keyring, JSON.stringify(reported.receipt), receiptContext(row.id));
  // What follows an end is no end again, unless money that arrived all the same cannot be given back.
  const isOnward = ![
    "awaiting_funds",
    "in_review",
    "canceled",
    ...(reported.returned === null ? ["error"] : []),
  ].includes(state);
  const reason =
    reported.returned === null ? null : seal(keyring, reported.returned.reason, returnReasonContext(row.id));
  const { rows } = await sql<{ id: string }>`
    -- The transaction is held before its intent, and that before the transfer, as everywhere (intent-states.ts): an intent
    -- that ends wakes its transfer.
    with intent as materialized (
      select id, prepared_id from payment_intent where id = ${row.id}
    ), transaction as materialized (
      select id from prepared_transaction where id = (select prepared_id from intent) for update
    ), held as materialized (
      select id from payment_intent where (select count(*) from transaction) >= 0 and id = ${row.id} for update
    ), written as (
      update rail_transfer set partner_ref = ${reported.ref}, told = ${reported.state}, state = ${state},
        to_address = coalesce(to_address, ${toAddress}::text),
        instructions = coalesce(${instructions}::bytea, instructions),
        sealed_receipt = coalesce(${receipt}::bytea, sealed_receipt),
        receipt = case when ${receipt}::bytea is null then receipt end,
        sealed_return_reason = coalesce(${reason}::bytea, sealed_return_reason),
        return_reason = case when ${reason}::bytea is null then return_reason end,
        signature = coalesce(${credited?.signature ?? refunded}::text, signature),
        received = coalesce(${credited?.received.toString() ?? null}::text, received),
        credited_at = case when ${credited !== undefined}::boolean then coalesce(credited_at, ${credited?.at ?? now}::int8) else credited_at end,
        updated_at = case when state <> ${state} then ${now}::int8 else updated_at end,
        active_since = ${Math.floor(written.activeSince)}::int8,
        astray_since = ${astraySince === null ? null : Math.floor(astraySince)}::int8,
        acknowledged_at_real = case when ${written.isAlarming}::boolean then null else acknowledged_at_real end,
        look_at = ${refreshAt === null ? null : Math.floor(refreshAt)}::int8, version = version + 1
      where (select count(*) from held) >= 0 and id = ${row.id} and version = ${row.version}::int8
      returning id, state, given_up_at, astray_since is distinct from ${row.astray_since}::int8
        or ${credited !== undefined}::boolean as is_moved
    ), refused as (
      -- Nothing more is paid to an address that is not followed any more, nor what another transaction has paid. What was
      -- submitted before stays what it is.
      update prepared_transaction set refused_at = ${now}::int8
      where id = (select prepared_id from payment_intent join written using (id)
          where written.state not in ${anyOf(waitingStates)})
        and refused_at is null
      returning id
    ), moved as (
      update payment_intent set state = written.state, updated_at = greatest(payment_intent.updated_at, ${now}::int8),
        ended_by = case when written.state in ${anyOf(endedStates)}
          then case when payment_intent.rail = 'in' and given_up_at is not null then 'time' else 'partner' end end
      from written
      where payment_intent.id = written.id and payment_intent.rail is not null and payment_intent.state <> written.state
        and (payment_intent.state not in ${anyOf(endedStates)} or ${isOnward}::boolean)
      returning payment_intent.id
    ), reported as (
      -- Why it ended is said anew: where its coins are has changed.
      update payment_intent set updated_at = greatest(payment_intent.updated_at + 1, ${now}::int8) from written
      where payment_intent.id = written.id and payment_intent.rail is not null
        and (is_moved or ${written.isAlarming}::boolean) and payment_intent.state in ${anyOf(endedStates)}
        and (payment_intent.state = written.state or not ${isOnward}::boolean)
      returning payment_intent.id
    )
    select id from written`.execute(db);
  return rows.length > 0;
}

/**
 * Cancels the payments to a bank account that were not submitted, and has their transactions refused from then on; what was
 * submitted continues. `now`: environment time, Unix milliseconds.
 */
export async function cancelPaymentsToBank(
  db: Db,
  bank: { readonly id: string; readonly environment: string; readonly account_address: string },
  now: number,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string }>`select id from prepared_transaction where id = any(array(
        select intent.prepared_id from rail_transfer as transfer join payment_intent as intent on intent.id = transfer.id
        where transfer.environment = ${bank.environment} and transfer.account_address = ${bank.account_address}
          and transfer.external_account_id = ${bank.id} and intent.state in ${anyOf(waitingStates)}
          -- What can land without the service is the chain's to decide.
          and intent.open_until_height is null))
      order by id for update`.execute(trx);
    if (rows.length === 0) return;
    // A statement of its own, which sees what was submitted until the transactions were held. From here on nothing is.
    await sql`with over as materialized (
        select id from unnest(${rows.map(({ id }) => id)}::text[]) as held (id)
        where not exists (select from submission where submission.id = held.id)
      ), refused as (
        update prepared_transaction set refused_at = ${Math.floor(now)}::int8
        where id in (select id from over) and refused_at is null
      )
      update payment_intent set state = 'canceled', ended_by = 'bank_removed', updated_at = ${Math.floor(now)}::int8
      where prepared_id in (select id from over) and state in ${anyOf(waitingStates)}`.execute(trx);
  });
}
