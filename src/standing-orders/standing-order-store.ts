import { limits } from "@trellis/kernel/limits.js";
import type { Db, DbOrTrx, StandingOrderTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { anyOf } from "@trellis/kernel/states.js";
import { type RawBuilder, sql } from "kysely";
import { heldAccountAddress } from "../accounts/account-store.js";
import { submissionStates } from "../submissions/submission-states.js";
import { placedStates, standingMandates } from "./order-states.js";
import { unsentStates } from "./run-states.js";
import { type Due, dueOf, firstDueFrom, type Schedule } from "./schedule.js";

/** A row of `standing_order`. */
export type StandingOrder = StandingOrderTable;

/** A standing order that waits for its limit. */
export type NewStandingOrder = Omit<
  StandingOrder,
  | "status"
  | "reason"
  | "suspended_for"
  | "suspended_from"
  | "mandate"
  | "mandated_at"
  | "next_index"
  | "next_due_at"
  | "attempt_at"
  | "missed_in_a_row"
  | "last_paid_at"
  | "removal_prepared_id"
  | "renewal_limit_address"
  | "place"
  | "leased_until"
  | "prepared_id"
  | "updated_at"
>;

/** The reason of an order that the operator has suspended, and of one that the operator has released, until it resumes (gap 111). */
export const suspended = "operator";
export const released = "released";

/** What an order's due dates follow from. */
export function scheduleOf(order: Pick<StandingOrder, "frequency" | "start_at" | "end_at">): Schedule {
  return {
    frequency: order.frequency,
    startAt: Number(order.start_at),
    endAt: order.end_at === null ? null : Number(order.end_at),
  };
}

/**
 * Inserts an order for every row of the query `remembered`, under its id as the prepared transaction: part of the
 * statement that remembers that one. A row without a free place breaks the column's promise, and the statement with it
 * (`isOutOfPlaces`); so does one whose payout address was forgotten (`isPayeeForgotten`), which is held until then.
 */
export function insertOrder(order: NewStandingOrder, firstRefreshAt: number): RawBuilder<unknown> {
  return sql`
    insert into standing_order (id, tenant_id, environment, account_address, settings_address, status, amount, currency,
      mint, frequency, source, destination, payee, payout_address_id, start_at, end_at, occurrences, executor_address,
      spending_limit_address, limit_expires_at, prepared_id, proposal_address, valid_until, mandate, next_index,
      next_due_at, attempt_at, missed_in_a_row, created_at, updated_at, place)
    select ${order.id}::text, ${order.tenant_id}::text, ${order.environment}::text, ${heldAccountAddress({
      tenantId: order.tenant_id,
      environment: order.environment,
      address: order.account_address,
    })},
      ${order.settings_address}::text, 'pending', ${order.amount}::text, ${order.currency}::text, ${order.mint}::text,
      ${order.frequency}::text, ${order.source}::text, ${order.destination}::text, ${heldPayee(order)},
      ${order.payout_address_id}::text,
      ${order.start_at}::int8, ${order.end_at}::int8, ${order.occurrences}::int4, ${order.executor_address}::text,
      ${order.spending_limit_address}::text, ${order.limit_expires_at}::int8, remembered.id,
      ${order.proposal_address}::text, ${order.valid_until}::int8, 'awaited', 0, ${order.start_at}::int8,
      ${firstRefreshAt}::int8, 0, ${order.created_at}::int8, ${order.created_at}::int8,
      ${freePlace(order.environment, order.account_address)}
    from remembered`;
}

/** Whom the order pays on chain; null where that is a payout address that is not there any more. */
const heldPayee = ({ payee, payout_address_id: id }: NewStandingOrder): RawBuilder<string | null> =>
  id === null
    ? sql`${payee}::text`
    : sql`(select ${payee}::text from rail_payout_address where id = ${id}::text for key share)`;

/** The first place that no open order of the account has; null: there is none. */
export function freePlace(environment: string, accountAddress: string): RawBuilder<number | null> {
  return sql`(
    select min(free.place) from generate_series(0, ${limits.standingOrdersOpenMax - 1}::int4) as free (place)
    where not exists (
      select from standing_order as open
      where open.environment = ${environment}::text and open.account_address = ${accountAddress}::text
        and open.place = free.place and open.status in ${anyOf(placedStates)}))`;
}

/** Whether a statement failed because the account has as many open orders as it may. */
export const isOutOfPlaces = (error: unknown): boolean => lacks(error, "place");

/** Whether a statement failed because the account's rail data were forgotten meanwhile. */
export const isPayeeForgotten = (error: unknown): boolean => lacks(error, "payee");

function lacks(error: unknown, name: string): boolean {
  const { code, column, message = "" } = error as Record<string, string | undefined>;
  return code === "23502" && (column === name || message.includes(`"${name}"`));
}

/** Whether a statement failed because another caller took the same place at the same time. */
function isPlaceClaimed(error: unknown): boolean {
  const { code, constraint, message = "" } = error as Record<string, string | undefined>;
  return code === "23505" && (constraint ?? message).includes("standing_order_place");
}

/**
 * Does what takes a free place, and does it again where another caller took the same place at the same time: at most as
 * often as there are places, since each time one of them is used up.
 */
export async function takingPlace<T>(work: () => Promise<T>): Promise<T> {
  for (let left = limits.standingOrdersOpenMax; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (left <= 0 || !isPlaceClaimed(error)) throw error;
    }
  }
}

/** An order of this account; undefined when it is not one of them. */
export async function findOrder(
  db: DbOrTrx,
  network: Pick<Network, "name">,
  owner: { readonly tenantId: string; readonly accountAddress: string },
  id: string,
): Promise<StandingOrder | undefined> {
  return db
    .selectFrom("standing_order")
    .selectAll()
    .where("id", "=", id)
    .where("tenant_id", "=", owner.tenantId)
    .where("environment", "=", network.name)
    .where("account_address", "=", owner.accountAddress)
    .executeTakeFirst();
}

/**
 * The orders of an account whose limit may have landed or been removed: all but those whose limit is known to be removed. The newest
 * `standingOrdersNoticedMax`.
 */
export async function findMandated(
  db: DbOrTrx,
  network: Pick<Network, "name">,
  accountAddress: string,
): Promise<readonly StandingOrder[]> {
  return (
    db
      .selectFrom("standing_order")
      .selectAll()
      .where("environment", "=", network.name)
      .where("account_address", "=", accountAddress)
      // As the index has it.
      .where(sql<boolean>`(mandate <> 'revoked' or renewal_limit_address is not null)`)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(limits.standingOrdersNoticedMax)
      .execute()
  );
}

/** The orders of an account whose limit is on chain, as answers about its settings name them: the newest hundred. */
export async function findRemainingMandates(
  db: DbOrTrx,
  network: Pick<Network, "name">,
  accountAddress: string,
): Promise<{ readonly standing_order_id: string; readonly spending_limit_address: string }[]> {
  return db
    .selectFrom("standing_order")
    .select(["id as standing_order_id", "spending_limit_address"])
    .where("environment", "=", network.name)
    .where("account_address", "=", accountAddress)
    .where("mandate", "in", standingMandates)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(100)
    .execute();
}

/** Whether bytes that would give the limit may still land: they were submitted, and it is not known yet what became of it. */
export async function isMandateUnderWay(db: DbOrTrx, preparedId: string): Promise<boolean> {
  const row = await db
    .selectFrom("submission")
    .select("id")
    .where("id", "=", preparedId)
    .where("state", "in", submissionStates.open)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Changes an order that still is as it was read, in status and mandate, and in its reason where that or its next check
 * changes: of two who noticed the same, one writes, and what the operator has done meanwhile stays. A run whose payment is
 * under way keeps the order among those the scheduler checks, whatever it becomes.
 */
export async function changeOrder(
  db: DbOrTrx,
  order: Pick<StandingOrder, "id" | "status" | "mandate" | "reason">,
  to: Partial<StandingOrder>,
  now: number,
): Promise<boolean> {
  const { attempt_at, ...rest } = to;
  const isReasonToHold = to.reason !== undefined || attempt_at !== undefined;
  const changed = await db
    .updateTable("standing_order")
    .set({
      ...rest,
      updated_at: BigInt(now),
      ...(attempt_at === undefined ? {} : { attempt_at: keepingWhatIsSent(attempt_at, now) }),
    })
    .where("id", "=", order.id)
    .where("status", "=", order.status)
    .where("mandate", "=", order.mandate)
    .$if(isReasonToHold, (query) => query.where("reason", "is not distinct from", order.reason))
    .returning("id")
    .executeTakeFirst();
  return changed !== undefined;
}

/**
 * Ends an order that still is as it was read, in one statement with what it leaves behind: its open run, and due dates that
 * arrived by `now` while it was not paid, become runs that were missed, `order_inactive`. A payment under way still gets its own
 * end. Of an order that never had its limit nothing was due. False when it was not as it was read.
 */
export async function endOrder(
  db: Db,
  order: StandingOrder,
  to: { readonly status: "cancelled" | "completed"; readonly reason: string | null; readonly attemptAt: number | null },
  now: number,
): Promise<boolean> {
  const isOver = to.status === "completed";
  const next = firstDueFrom(scheduleOf(order), now + 1);
  const left = order.mandated_at === null ? [] : skippedDues(scheduleOf(order), order.next_index, next).map(BigInt);
  const attemptAt = to.attemptAt === null ? null : BigInt(to.attemptAt);
  const { rows } = await sql`
    with ended as (
      update standing_order set status = ${to.status}::text, reason = ${to.reason}::text, updated_at = ${now}::int8,
        ${isOver ? sql`next_index = null, next_due_at = null,` : sql``} attempt_at = ${keepingWhatIsSent(attemptAt, now)}
      where id = ${order.id} and status = ${order.status} and mandate = ${order.mandate}
        and reason is not distinct from ${order.reason}::text
      returning id, environment
    ), left_open as (
      update standing_order_run as run set state = 'missed', error = 'order_inactive', updated_at = ${now}::int8
      from ended where run.order_id = ended.id and run.state in ${anyOf(unsentStates)}
    ), left_unpaid as (
      insert into standing_order_run (order_id, due_at, environment, state, attempts, error, created_at, updated_at)
      select ended.id, due.due_at, ended.environment, 'missed', 0, 'order_inactive', ${now}::int8, ${now}::int8
      from ended, unnest(${left}::int8[]) as due (due_at)
      on conflict (order_id, due_at) do nothing
    )
    select id from ended`.execute(db);
  return rows.length > 0;
}

/**
 * Resumes an inactive order with the first due date at or after `from`. Due dates that arrived before it while the order
 * was inactive are not paid any more: they become runs that were missed, `order_inactive`, in the same statement. An order
 * with none left is completed. No process holds the order any more then. False when it was not as it was read (also where it
 * was offered another limit since), has a payment under way, finds no free place among the account's open orders, is
 * suspended by the operator, or pays a bank account that cannot be paid now. Not for use in a transaction: a refused
 * statement ends that.
 */
export async function resumeOrder(
  db: Db,
  order: StandingOrder,
  to: Partial<StandingOrder>,
  from: number,
  now: number,
): Promise<boolean> {
  const schedule = scheduleOf(order);
  const next = firstDueFrom(schedule, from);
  const skipped = skippedDues(schedule, order.next_index, next).map(BigInt);
  const statement = sql<{ id: string }>`
    with resumed as (
      update standing_order set ${sql.join(assignments({ ...to, ...resumedAt(next) }))},
        -- A process that still is at an earlier due date no longer holds the order.
        leased_until = null,
        ${next === undefined ? sql`` : sql`place = ${freePlace(order.environment, order.account_address)},`}
        updated_at = ${now}::int8
      where id = ${order.id} and status = 'inactive' and mandate = ${order.mandate} and prepared_id = ${order.prepared_id}
        and reason is distinct from ${suspended}::text
        and (payout_address_id is null or payout_hold(payout_address_id) is null)
        and not exists (select from standing_order_run as run where run.order_id = ${order.id} and run.state = 'sending')
      returning id, environment
    ), skipped as (
      insert into standing_order_run (order_id, due_at, environment, state, attempts, error, created_at, updated_at)
      select resumed.id, due.due_at, resumed.environment, 'missed', 0, 'order_inactive', ${now}::int8, ${now}::int8
      from resumed, unnest(${skipped}::int8[]) as due (due_at)
      on conflict (order_id, due_at) do update set state = 'missed', error = 'order_inactive', updated_at = ${now}::int8
      where standing_order_run.state in ${anyOf(unsentStates)}
    )
    select id from resumed`;
  try {
    return (await takingPlace(() => statement.execute(db))).rows.length > 0;
  } catch (error) {
    if (isOutOfPlaces(error)) return false;
    throw error;
  }
}

function resumedAt(next: Due | undefined): Partial<StandingOrder> {
  if (next === undefined) {
    return { status: "completed", reason: null, next_index: null, next_due_at: null, attempt_at: null };
  }
  return {
    status: "active",
    reason: null,
    missed_in_a_row: 0,
    next_index: next.index,
    next_due_at: BigInt(next.dueAt),
    attempt_at: BigInt(next.dueAt),
  };
}

/** The due dates from `fromIndex` on that are before `next`, or before the end. */
function skippedDues(schedule: Schedule, fromIndex: number | null, next: Due | undefined): number[] {
  const skipped: number[] = [];
  for (
    let index = fromIndex ?? Number.POSITIVE_INFINITY;
    index < (next?.index ?? Number.POSITIVE_INFINITY);
    index += 1
  ) {
    const due = dueOf(schedule, index);
    if (due === undefined) break;
    skipped.push(due.dueAt);
  }
  return skipped;
}

function assignments(to: Partial<StandingOrder>): RawBuilder<unknown>[] {
  return Object.entries(to).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
}

/** Notes, for every row of `remembered`, the transaction that takes an order's limit away: part of its statement. */
export function noteRemoval(id: string, now: number, refreshAt: number): RawBuilder<unknown> {
  return sql`
    update standing_order set removal_prepared_id = remembered.id, mandate = 'revocation_pending', updated_at = ${now}::int8,
      attempt_at = ${keepingWhatIsSent(BigInt(refreshAt), now)}
    from remembered where standing_order.id = ${id}::text and standing_order.mandate <> 'revoked'`;
}

/** The limit that takes an old one's place, and where it has to be voted on; undefined: its signers give it at once. */
export interface Renewal {
  readonly limitAddress: string;
  readonly proposalAddress: string | undefined;
}

/**
 * Notes, for every row of `remembered`, the transaction that gives an inactive order a new limit. Notes nothing where the
 * order is no longer inactive, or has been offered another limit since it was read (`isRenewalOf`): an order knows of one
 * offer, so there must not be a second one that could land.
 */
export function noteRenewal(
  order: Pick<StandingOrder, "id" | "prepared_id">,
  { limitAddress, proposalAddress }: Renewal,
  now: number,
  refreshAt: number,
): RawBuilder<unknown> {
  return sql`
    update standing_order set prepared_id = remembered.id, renewal_limit_address = ${limitAddress}::text,
      proposal_address = ${proposalAddress ?? null}::text, updated_at = ${now}::int8,
      attempt_at = ${keepingWhatIsSent(BigInt(refreshAt), now)}
    from remembered where standing_order.id = ${order.id}::text and standing_order.status = 'inactive'
      and standing_order.prepared_id = ${order.prepared_id}::text`;
}

/** Whether this prepared transaction is the one that an inactive order was last offered a limit by. */
export async function isRenewalOf(db: DbOrTrx, id: string, preparedId: string): Promise<boolean> {
  const row = await db
    .selectFrom("standing_order")
    .select("id")
    .where("id", "=", id)
    .where("status", "=", "inactive")
    .where("prepared_id", "=", preparedId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the account may have one more open order. */
export async function freePlaceLeft(
  db: DbOrTrx,
  order: Pick<StandingOrder, "environment" | "account_address">,
): Promise<boolean> {
  const { rows } = await sql<{ place: number | null }>`
    select ${freePlace(order.environment, order.account_address)} as place`.execute(db);
  return typeof rows[0]?.place === "number";
}

/** Only moves the next check; nothing is noted as changed. */
export async function refreshAgain(db: DbOrTrx, id: string, attemptAt: number | null): Promise<void> {
  await db
    .updateTable("standing_order")
    .set({ attempt_at: attemptAt === null ? null : BigInt(attemptAt) })
    .where("id", "=", id)
    .where("status", "<>", "active")
    .execute();
}

function keepingWhatIsSent(attemptAt: bigint | null, now: number): RawBuilder<bigint | null> {
  return sql`case when exists (
    select from standing_order_run as run where run.order_id = standing_order.id and run.state = 'sending')
    then ${now}::int8 else ${attemptAt}::int8 end`;
}
