import type { TrellisError } from "@trellis/kernel/errors.js";
import type { FinalOutcome } from "../submissions/submission.js";
import type { Verdict } from "./judge-due.js";
import {
  absentApartMs,
  type Batch,
  type Due,
  spendingLimitMissing,
  textOf,
  type Unpaid,
  underWayApartMs,
} from "./paying.js";
import { lateAfterMs, missedInARowMax, nextTry } from "./retry.js";
import type { ClaimedOrder, ClaimedRun, OrderAfter, RefreshResult } from "./run-store.js";
import { dueOf } from "./schedule.js";
import { accountAt, judgeFailure, worldApartMs } from "./sign-payment.js";
import { type StandingOrder, scheduleOf } from "./standing-order-store.js";

/** After one payment of an order, the next that is due already waits for this, so that an operator can intervene. */
const catchUpApartMs = 60_000;

/** An order at a due date that has had its end moves to the next one, rather than stay there for ever. */
export function skipEnded(batch: Batch, due: Due): RefreshResult {
  const { order } = due.claimed;
  const { state, dueAt } = due.run;
  batch.needs.log.warn(
    { event: "standing_order_due_date_finished", order: order.id, due_at: textOf(dueAt), state },
    "standing order was at a due date that has ended",
  );
  return { claimed: due.claimed, after: afterDue(batch, due, state === "paid" ? catchUpApartMs : 0) };
}

/** What the outcome of a payment does to its run and its order. */
export function outcomeOf(
  batch: Batch,
  due: Due,
  submission: { readonly id: string; readonly wireTransaction: Uint8Array | undefined },
  outcome: FinalOutcome,
): RefreshResult {
  const ended = { id: submission.id, outcome };
  const now = batch.network.clock.now();
  switch (outcome.state) {
    case "landed":
      return { ...paid(batch, due, outcome.blockTime * 1000, outcome.signature), ended };
    case "expired":
      return {
        ...unchanged(due.claimed, { attemptAt: now }),
        run: {
          dueAt: due.run.dueAt,
          state: "retrying",
          error: "blockhash_expired",
          isAttempt: false,
          isRefusal: false,
        },
        ended,
      };
    case "failed": {
      const { order } = due.claimed;
      const addressAt = accountAt(submission.wireTransaction);
      const verdict = judgeFailure(outcome.failure, { order, now, opensTokenAccount: false, addressAt });
      return { ...resultOf(batch, due, verdict), ended };
    }
  }
}

/** What a verdict does to a run and its order. */
export function resultOf(batch: Batch, due: Due, verdict: Unpaid): RefreshResult {
  const { claimed, run } = due;
  const now = batch.network.clock.now();
  const tried = { dueAt: run.dueAt, state: "retrying", isAttempt: false, isRefusal: false } as const;
  switch (verdict.kind) {
    case "found":
      return paid(batch, due, verdict.paidAt, verdict.signature);
    case "wait": {
      const isWorld = verdict.why === "world";
      const attemptAt = isWorld ? Math.max(verdict.until, batch.options.stillUntil ?? 0) : verdict.until;
      const isQuiet = !isWorld && now < run.dueAt + lateAfterMs;
      const to = isQuiet ? { state: openStateOf(run), error: run.error } : { error: verdict.error };
      return { ...unchanged(claimed, { attemptAt }), run: { ...tried, ...to } };
    }
    case "refuse":
      return refused(batch, due, verdict.error);
    case "absent":
      if (verdict.isSure) return stop(batch, due, spendingLimitMissing, "revoked");
      return {
        ...unchanged(claimed, { attemptAt: now + absentApartMs }),
        ...(run.error === spendingLimitMissing ? {} : { run: { ...tried, error: spendingLimitMissing } }),
      };
    case "stop":
      return stop(batch, due, verdict.reason);
  }
}

function refused(batch: Batch, due: Due, error: string): RefreshResult {
  const { claimed, run } = due;
  const { order } = claimed;
  const now = batch.network.clock.now();
  const again = nextTry(order, run.dueAt, run.refusals, now);
  const counted = { dueAt: run.dueAt, error, isAttempt: true, isRefusal: true };
  if (again !== undefined) {
    return { ...unchanged(claimed, { attemptAt: again }), run: { ...counted, state: "retrying" } };
  }
  const missedInARow = order.missed_in_a_row + 1;
  batch.needs.log.warn(
    { event: "standing_order_due_date_missed", order: order.id, due_at: textOf(run.dueAt), err: error },
    "due date of a standing order was missed",
  );
  const next = { ...afterDue(batch, due, 0), missedInARow };
  const isOver = missedInARow >= missedInARowMax && next.status === "active";
  const after = isOver ? { ...next, ...inactive(order, "missed_repeatedly", now) } : next;
  return { claimed, after, run: { ...counted, state: "missed" } };
}

function paid(batch: Batch, due: Due, paidAt: number, signature: string): RefreshResult {
  return {
    claimed: due.claimed,
    after: { ...afterDue(batch, due, catchUpApartMs), missedInARow: 0, paidAt },
    run: { dueAt: due.run.dueAt, state: "paid", error: null, isAttempt: false, isRefusal: false, signature },
  };
}

/** The order once this due date has its end: on to the next one, `apartMs` from now at the earliest. */
function afterDue({ network }: Batch, { claimed, run }: Due, apartMs: number): OrderAfter {
  const { order } = claimed;
  // An order that was stopped may be at no due date any more.
  if (order.next_due_at === null || Number(order.next_due_at) !== run.dueAt) return unchanged(claimed, {}).after;
  const next = dueOf(scheduleOf(order), (order.next_index ?? 0) + 1);
  const { after } = unchanged(claimed, {});
  if (next === undefined) return { ...after, status: "completed", nextIndex: null, nextDueAt: null, attemptAt: null };
  const attemptAt = Math.max(next.dueAt, network.clock.now() + apartMs);
  return { ...after, nextIndex: next.index, nextDueAt: next.dueAt, attemptAt };
}

export function stop(batch: Batch, { claimed, run }: Due, reason: string, mandate?: "revoked"): RefreshResult {
  const now = batch.network.clock.now();
  batch.needs.log.warn(
    { event: "standing_order_inactive", order: claimed.order.id, reason },
    "standing order is inactive",
  );
  return {
    ...unchanged(claimed, { ...inactive(claimed.order, reason, now), ...(mandate === undefined ? {} : { mandate }) }),
    run: { dueAt: run.dueAt, state: "retrying", error: reason, isAttempt: false, isRefusal: false },
  };
}

/** An order at rest is due once more at its end. */
function inactive({ end_at }: StandingOrder, reason: string, now: number) {
  const end = end_at === null ? null : Number(end_at) + 1;
  return { status: "inactive", reason, attemptAt: end !== null && end > now ? end : null } as const;
}

/** A result that changes no more of an order than it says. */
export function unchanged(claimed: ClaimedOrder, to: Partial<OrderAfter>): RefreshResult {
  const { order } = claimed;
  return {
    claimed,
    after: {
      status: order.status,
      reason: order.reason,
      mandate: order.mandate,
      nextIndex: order.next_index,
      nextDueAt: order.next_due_at === null ? null : Number(order.next_due_at),
      attemptAt: null,
      missedInARow: order.missed_in_a_row,
      ...to,
    },
  };
}

function openStateOf({ state }: ClaimedRun): "scheduled" | "retrying" {
  return state === "retrying" ? "retrying" : "scheduled";
}

/** The budget of a day is restored; the number of accounts that are opened for one account does not. */
export function judgeBudget(batch: Pick<Batch, "network">, { code }: TrellisError): Unpaid {
  return code === "rent_not_sponsored" ? { kind: "refuse", error: code } : waitForWorld(batch, code);
}

/** What does not depend on the order at all is waited for: it makes nothing missed. */
export function waitForWorld(
  { network }: Pick<Batch, "network">,
  error: string,
): Extract<Verdict, { readonly kind: "wait" }> {
  const apart = error === "chain_unavailable" ? underWayApartMs : worldApartMs;
  return { kind: "wait", until: network.clock.now() + apart, why: "world", error };
}
