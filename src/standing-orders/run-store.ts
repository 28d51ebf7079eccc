import type { Db, StandingOrderRunTable, SubmissionTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { anyOf } from "@trellis/kernel/states.js";
import { chooseInTurns } from "@trellis/kernel/tenant-turns.js";
import { type RowOf, typedRows } from "@trellis/kernel/typed-rows.js";
import { sql } from "kysely";
import { reportExhausted } from "../sponsorship/report-exhausted.js";
import { type Reservation, takeFromBudgets, withBudgetErrors } from "../sponsorship/sponsorship.js";
import type { FinalOutcome, SignedSubmission } from "../submissions/submission.js";
import { finalMembers, storeSigned, toOutcome } from "../submissions/submission-store.js";
import { orderStates } from "./order-states.js";
import { runStates, unsentStates } from "./run-states.js";
import type { StandingOrder } from "./standing-order-store.js";

/** The run of an order that was claimed, as it stood. */
export interface ClaimedRun
  extends Pick<StandingOrderRunTable, "state" | "attempts" | "error" | "submission_id" | "signature"> {
  readonly dueAt: number;
  readonly refusals: number;
  /** Environment time, Unix milliseconds: when it last changed. */
  readonly changedAt: number;
  /** What became of its submission, where one is under way and its outcome is known. */
  readonly outcome: FinalOutcome | undefined;
  /** The bytes of one that failed. */
  readonly wireTransaction: Uint8Array | undefined;
}

/** An order that one process holds alone until its lease is over, with the run to check. */
export interface ClaimedOrder {
  readonly order: StandingOrder;
  /** Real time, Unix milliseconds; in the row it tells this claim from every other one. */
  readonly lease: bigint;
  /** The one that is under way, else that of an active order's due date that has arrived. */
  readonly run: ClaimedRun | undefined;
}

/** Who takes orders, and for how long. */
export interface Claim {
  /** Environment time, Unix milliseconds. */
  readonly now: number;
  /** Real time, Unix milliseconds. */
  readonly realNow: number;
  readonly limit: number;
  /** How long no other process claims them: real time, milliseconds. */
  readonly leaseMs: number;
  /** The call that moves the sandbox's time continues while all others rest; undefined: one of the others. */
  readonly player: string | undefined;
}

/** A claimed order is due again after this, should no process finish it: environment time, milliseconds. */
const claimedAgainMs = 60_000;

/** The row of `meta` that says who moves the sandbox's time along the due dates, and until when at most. */
export const playerKey = "standing_orders.player";

interface ClaimedRow extends StandingOrder {
  readonly run_due_at: bigint | null;
  readonly run_state: StandingOrderRunTable["state"] | null;
  readonly run_attempts: number;
  readonly run_refusals: number;
  readonly run_error: string | null;
  readonly run_submission_id: string | null;
  readonly run_signature: string | null;
  readonly run_updated_at: bigint;
  readonly submission_state: SubmissionTable["state"] | null;
  readonly submission_failure: string | null;
  readonly submission_slot: bigint | null;
  readonly submission_block_time: bigint | null;
  readonly submission_wire: Uint8Array | null;
}

/**
 * Claims orders that are due: tenants take turns, and of each those are first that have waited longest. Each order goes to one caller,
 * whatever processes do this at once. An active order whose due date has arrived gets its run's row, once. What a caller leaves
 * unfinished is due again when the lease is over.
 */
export async function claimOrders(
  db: Db,
  network: Pick<Network, "name">,
  claim: Claim,
): Promise<readonly ClaimedOrder[]> {
  const { now, realNow } = claim;
  const lease = BigInt(realNow + claim.leaseMs);
  const rests = sql`not exists (
    select from meta where key = ${playerKey} and split_part(value, ' ', 1)::int8 > ${realNow}::int8
      and split_part(value, ' ', 2) <> ${claim.player ?? ""}::text)`;
  const { rows } = await sql<ClaimedRow>`
    with recursive ${chooseInTurns({
      table: "standing_order",
      turnsKey: `standing_orders.turn.${network.name}`,
      environment: network.name,
      open: sql`attempt_at is not null`,
      since: "attempt_at",
      due: sql`attempt_at <= ${now}::int8 and (leased_until is null or leased_until <= ${realNow}::int8)
        -- What is under way is seen to its end.
        and (not is_frozen(tenant_id) or exists (
          select from standing_order_run as begun where begun.order_id = standing_order.id and begun.state = 'sending'))
        ${network.name === "sandbox" ? sql`and ${rests}` : sql``}`,
      limit: claim.limit,
    })}, claimed as (
      update standing_order as held set attempt_at = ${now + claimedAgainMs}::int8, leased_until = ${lease}::int8
      from chosen where held.id = chosen.id
      returning held.*
    ), scheduled as (
      insert into standing_order_run (order_id, due_at, environment, state, attempts, created_at, updated_at)
      select id, next_due_at, environment, 'scheduled', 0, ${now}::int8, ${now}::int8 from claimed
      where status = 'active' and next_due_at <= ${now}::int8
      on conflict (order_id, due_at) do nothing
    )
    select claimed.*, run.due_at as run_due_at, run.state as run_state, coalesce(run.attempts, 0) as run_attempts,
      coalesce(run.refusals, 0) as run_refusals, run.error as run_error, run.submission_id as run_submission_id,
      run.signature as run_signature, coalesce(run.updated_at, ${now}::int8) as run_updated_at,
      carrier.state as submission_state, carrier.failure as submission_failure, carrier.slot as submission_slot,
      carrier.block_time as submission_block_time,
      case when carrier.state = 'failed' then carrier.wire_transaction end as submission_wire
    from claimed
    left join lateral (
      select under_way.due_at from standing_order_run as under_way
      where under_way.order_id = claimed.id and under_way.state = 'sending' limit 1
    ) as sending on true
    left join standing_order_run as run
      on run.order_id = claimed.id and run.due_at = coalesce(sending.due_at, claimed.next_due_at)
    left join submission as carrier on carrier.id = run.submission_id and run.state = 'sending'
    order by claimed.next_due_at, claimed.id`.execute(db);
  return rows.map((row) => ({ order: row, lease, run: runOf(row, now) }));
}

function runOf(row: ClaimedRow, now: number): ClaimedRun | undefined {
  const dueAt = row.run_due_at ?? row.next_due_at;
  const isDue = row.status === "active" && row.next_due_at !== null && Number(row.next_due_at) <= now;
  if (dueAt === null || (row.run_state !== "sending" && !isDue)) return undefined;
  const outcome =
    row.submission_state === null
      ? undefined
      : toOutcome({
          state: row.submission_state,
          signature: row.run_signature ?? "",
          failure: row.submission_failure,
          slot: row.submission_slot,
          block_time: row.submission_block_time,
        });
  return {
    dueAt: Number(dueAt),
    state: row.run_state ?? "scheduled",
    attempts: row.run_attempts,
    refusals: row.run_refusals,
    error: row.run_error,
    submission_id: row.run_submission_id,
    signature: row.run_signature,
    changedAt: Number(row.run_updated_at),
    outcome,
    wireTransaction: row.submission_wire ?? undefined,
  };
}

/** A payment that is signed, and what it costs the service. */
export interface SignedPayment {
  readonly claimed: ClaimedOrder;
  readonly dueAt: number;
  readonly signed: SignedSubmission;
  readonly reservation: Omit<Reservation, "realNow">;
}

const paymentColumns = {
  order_id: "text",
  lease: "int8",
  due_at: "int8",
  submission_id: "text",
  signature: "text",
} as const;

/**
 * The moment payments become real, as one statement: stores the signed bytes, notes in each run that they are under way,
 * takes the costs out of the budgets and enters them in the ledger. Of each payment all or nothing, and nothing where the
 * order is no longer held, active and at this due date, or the run has a payment under way or has ended. Returns the ids of
 * the submissions that are real now.
 *
 * Throws `sponsorship_limit_exceeded` and `rent_not_sponsored`, and has stored none of them then. `now` is environment
 * time in Unix milliseconds.
 */
export async function storePayments(
  db: Db,
  network: Network,
  payments: readonly SignedPayment[],
  { now, realNow }: { readonly now: number; readonly realNow: number },
): Promise<ReadonlySet<string>> {
  const rows = payments.map(({ claimed, dueAt, signed }) => ({
    order_id: claimed.order.id,
    lease: claimed.lease,
    due_at: BigInt(dueAt),
    submission_id: signed.id,
    signature: signed.signature,
  }));
  const statement = sql<{ id: string }>`
    with payment as (select * from ${typedRows("payment", paymentColumns, rows)}), open as materialized (
      select payment.order_id, payment.due_at, payment.submission_id as id
      from payment join standing_order as held on held.id = payment.order_id
        join standing_order_run as run on (run.order_id, run.due_at) = (payment.order_id, payment.due_at)
      where held.status = 'active' and held.leased_until = payment.lease and held.next_due_at = payment.due_at
        and run.state in ${anyOf(unsentStates)}
        -- No coins are sent to where no bank account gets them any more.
        and (held.payout_address_id is null or payout_hold(held.payout_address_id) is null)
      order by held.id for update of held, run
    ), recorded as (${storeSigned(
      payments.map(({ signed }) => signed),
      now,
      "open",
    )}), noted as (
      update standing_order_run as run set state = 'sending', attempts = run.attempts + 1, error = null,
        submission_id = payment.submission_id, signature = payment.signature, updated_at = ${now}::int8
      from recorded join payment on payment.submission_id = recorded.id
      where (run.order_id, run.due_at) = (payment.order_id, payment.due_at)
    ), ${takeFromBudgets(
      network,
      payments.map(({ signed, reservation }) => ({ ...reservation, submissionId: signed.id })),
      realNow,
      "recorded",
    )}
    select id from recorded`;
  const [first, ...others] = payments;
  // Which of several met the end of a budget is known once each is stored alone.
  const onSpent =
    first === undefined || others.length > 0
      ? undefined
      : () => reportExhausted(db, network, { tenantId: first.claimed.order.tenant_id, realNow }, now);
  const stored = await withBudgetErrors(realNow, statement.execute(db), onSpent);
  return new Set(stored.rows.map(({ id }) => id));
}

/** What an order becomes after a check of it; of one that is not active any more only what its run does to it. */
export interface OrderAfter {
  readonly status: StandingOrder["status"];
  readonly reason: string | null;
  readonly mandate: StandingOrder["mandate"];
  readonly nextIndex: number | null;
  readonly nextDueAt: number | null;
  readonly attemptAt: number | null;
  readonly missedInARow: number;
  /** Environment time, Unix milliseconds; undefined: it was not paid by this. */
  readonly paidAt?: number;
}

/** The outcome of a check of an order. */
export interface RefreshResult {
  readonly claimed: ClaimedOrder;
  readonly after: OrderAfter;
  /** What becomes of its run; undefined: nothing. */
  readonly run?: {
    readonly dueAt: number;
    readonly state: Exclude<StandingOrderRunTable["state"], "sending">;
    readonly error: string | null;
    /** Whether it counts as an attempt that was not signed, and as something in the way. */
    readonly isAttempt: boolean;
    readonly isRefusal: boolean;
    /** Of a payment that was found on chain. */
    readonly signature?: string;
  };
  /** The submission whose outcome this is. */
  readonly ended?: { readonly id: string; readonly outcome: FinalOutcome };
}

const refreshColumns = {
  id: "text",
  lease: "int8",
  was_due_at: "int8",
  status: "text",
  reason: "text",
  mandate: "text",
  next_index: "int4",
  next_due_at: "int8",
  attempt_at: "int8",
  missed_in_a_row: "int4",
  paid_at: "int8",
  run_due_at: "int8",
  run_state: "text",
  run_error: "text",
  attempt: "int4",
  refusal: "int4",
  signature: "text",
  submission_id: "text",
} as const;

function refreshRow({ claimed, after, run, ended }: RefreshResult): RowOf<typeof refreshColumns> {
  const instant = (at: number | null | undefined) => (at === null || at === undefined ? null : BigInt(at));
  return {
    id: claimed.order.id,
    lease: claimed.lease,
    was_due_at: claimed.order.next_due_at,
    status: after.status,
    reason: after.reason,
    mandate: after.mandate,
    next_index: after.nextIndex,
    next_due_at: instant(after.nextDueAt),
    attempt_at: instant(after.attemptAt),
    missed_in_a_row: after.missedInARow,
    paid_at: instant(after.paidAt),
    run_due_at: instant(run?.dueAt),
    run_state: run?.state ?? null,
    run_error: run?.error ?? null,
    attempt: run?.isAttempt ? 1 : 0,
    refusal: run?.isRefusal ? 1 : 0,
    signature: run?.signature ?? null,
    submission_id: ended?.id ?? null,
  };
}

/**
 * Writes down the outcomes of checks, as one statement: outcomes of submissions that are still open, runs, and orders, whose
 * leases end. What another process has claimed meanwhile, or moved to another due date, is left to it; a run whose payment
 * is under way only changes with that payment's outcome. `now` is environment time in Unix milliseconds.
 */
export async function recordRefreshes(db: Db, results: readonly RefreshResult[], now: number): Promise<void> {
  if (results.length === 0) return;
  const ended = results.flatMap((result) => result.ended ?? []);
  await sql`
    with reported as (select * from ${typedRows("reported", refreshColumns, results.map(refreshRow))}
    ), held as materialized (
      select reported.*, standing_order.status as was, standing_order.status = 'active'
        and standing_order.next_due_at is not distinct from reported.was_due_at as is_as_claimed,
        -- An order that has ended meanwhile is not tried again.
        standing_order.status in ${anyOf(orderStates.final)} and reported.run_state in ${anyOf(unsentStates)} as is_over
      from reported join standing_order on standing_order.id = reported.id
      where standing_order.leased_until = reported.lease
      order by standing_order.id for update of standing_order
    ), ${finalMembers(ended, now)}, runs as (
      update standing_order_run as run
      set state = case when held.is_over then 'missed' else held.run_state end,
        error = case when held.is_over then 'order_inactive' else held.run_error end, attempts = run.attempts + held.attempt,
        refusals = run.refusals + held.refusal, signature = coalesce(held.signature, run.signature),
        paid_at = held.paid_at, updated_at = ${now}::int8
      from held
      where (run.order_id, run.due_at) = (held.id, held.run_due_at) and held.run_state is not null
        and case when held.submission_id is null then run.state in ${anyOf(unsentStates)}
          else run.state = 'sending' and run.submission_id = held.submission_id end
    )
    update standing_order
    set status = case when held.is_as_claimed then held.status else standing_order.status end,
      reason = case when held.is_as_claimed then held.reason else standing_order.reason end,
      mandate = case when held.is_as_claimed then held.mandate else standing_order.mandate end,
      -- Who has moved it to another due date meanwhile has the last word on that.
      next_index = case when standing_order.next_due_at = held.was_due_at then held.next_index
        else standing_order.next_index end,
      next_due_at = case when standing_order.next_due_at = held.was_due_at then held.next_due_at
        else standing_order.next_due_at end,
      -- Its present state is read anew.
      attempt_at = case when held.is_as_claimed then held.attempt_at else ${now}::int8 end,
      missed_in_a_row = case when standing_order.next_due_at is not distinct from held.was_due_at then held.missed_in_a_row
        else standing_order.missed_in_a_row end,
      last_paid_at = coalesce(held.paid_at, standing_order.last_paid_at),
      leased_until = null,
      updated_at = case when held.run_state in ${anyOf(runStates.final)} or (held.is_as_claimed and held.status <> held.was)
        then ${now}::int8 else standing_order.updated_at end
    from held where standing_order.id = held.id`.execute(db);
}

/**
 * Releases orders that were checked without paying them. Where no process has set another check, the next is at `at`: Unix
 * milliseconds of environment time, null for none.
 */
export async function releaseOrders(
  db: Db,
  refreshed: readonly { readonly claimed: ClaimedOrder; readonly at: number | null }[],
): Promise<void> {
  if (refreshed.length === 0) return;
  const rows = [...refreshed].sort((a, b) => (a.claimed.order.id < b.claimed.order.id ? -1 : 1));
  await sql`
    with reported as (
      select * from unnest(${rows.map(({ claimed }) => claimed.order.id)}::text[],
        ${rows.map(({ claimed }) => claimed.lease)}::int8[], ${rows.map(({ claimed }) => claimed.order.attempt_at)}::int8[],
        ${rows.map(({ at }) => (at === null ? null : BigInt(at)))}::int8[]) as reported (id, lease, claimed_at, at)
    ), held as (
      select reported.* from reported join standing_order on standing_order.id = reported.id
      where standing_order.leased_until = reported.lease
      order by standing_order.id for update of standing_order
    )
    update standing_order set leased_until = null,
      -- One that has become active meanwhile has a check of its own, be it by chance at the same instant.
      attempt_at = case when standing_order.attempt_at = held.claimed_at
        and (held.at is not null or standing_order.status <> 'active') then held.at else standing_order.attempt_at end
    from held where standing_order.id = held.id`.execute(db);
}

/** How many of each order's due dates were paid at or after an instant: Unix milliseconds of environment time. */
export async function countPaidSince(
  db: Db,
  asked: readonly { readonly id: string; readonly since: number }[],
): Promise<ReadonlyMap<string, number>> {
  if (asked.length === 0) return new Map();
  const { rows } = await sql<{ id: string; paid: number }>`
    select asked.id, (
      select count(*)::int4 from standing_order_run as run
      where run.order_id = asked.id and run.paid_at is not null and run.paid_at >= asked.since) as paid
    from unnest(${asked.map(({ id }) => id)}::text[], ${asked.map(({ since }) => BigInt(since))}::int8[])
      as asked (id, since)`.execute(db);
  return new Map(rows.map(({ id, paid }) => [id, paid]));
}

/** Which of these orders had a token account opened for their payee by a payment after an instant. */
export async function findOpenedSince(db: Db, ids: readonly string[], since: number): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select distinct run.order_id as id from standing_order_run as run
    join sponsored_cost as cost on cost.submission_id = run.submission_id
    where run.order_id = any(${[...ids]}::text[]) and run.paid_at > ${since}::int8 and run.state = 'paid'
      and cost.kind = 'token_account_rent' and cost.spent_lamports is distinct from 0`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** How far the chain's history was searched for a payment of a due date that no run knows; null: from its beginning on. */
export async function findSearchedTo(db: Db, orderId: string, dueAt: number): Promise<string | null> {
  const row = await db
    .selectFrom("standing_order_run")
    .select("searched_to")
    .where("order_id", "=", orderId)
    .where("due_at", "=", BigInt(dueAt))
    .executeTakeFirst();
  return row?.searched_to ?? null;
}

/** Notes how far that was. */
export async function noteSearched(db: Db, orderId: string, dueAt: number, signature: string | null): Promise<void> {
  await db
    .updateTable("standing_order_run")
    .set({ searched_to: signature })
    .where("order_id", "=", orderId)
    .where("due_at", "=", BigInt(dueAt))
    .execute();
}

/** Which of these signatures are payments of runs. */
export async function findKnownSignatures(db: Db, signatures: readonly string[]): Promise<ReadonlySet<string>> {
  if (signatures.length === 0) return new Set();
  const rows = await db
    .selectFrom("standing_order_run")
    .select("signature")
    .where("signature", "in", signatures)
    .execute();
  return new Set(rows.flatMap(({ signature }) => signature ?? []));
}

/** When the next order is to be checked, environment time in Unix milliseconds, and whether a process holds one now. */
export async function findNextAttempt(
  db: Db,
  network: Pick<Network, "name">,
  realNow: number,
): Promise<{ readonly at: number | undefined; readonly isBusy: boolean }> {
  const { rows } = await sql<{ at: bigint | null; busy: boolean }>`
    select (
      select attempt_at from standing_order where environment = ${network.name} and attempt_at is not null
        and not is_frozen(tenant_id)
      order by attempt_at, id limit 1
    ) as at, exists (
      select from standing_order where environment = ${network.name} and leased_until is not null
        and leased_until > ${realNow}::int8
    ) as busy`.execute(db);
  const [found] = rows;
  return { at: found?.at === null || found === undefined ? undefined : Number(found.at), isBusy: found?.busy === true };
}

/** How many active orders should have been checked by `now` and were not, `most` at most. */
export async function countBehind(
  db: Db,
  network: Pick<Network, "name">,
  { now, most }: { readonly now: number; readonly most: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int4 as count from (
      select from standing_order
      where environment = ${network.name} and attempt_at <= ${now}::int8 and status = 'active'
        and not is_frozen(tenant_id)
      limit ${most}::int4) as behind`.execute(db);
  return rows[0]?.count ?? 0;
}
