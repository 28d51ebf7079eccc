import { limits } from "@trellis/kernel/limits.js";
import type { SpendingLimit } from "@trellis/program-client";
import { firstDueFrom } from "./schedule.js";
import { released, type StandingOrder, scheduleOf } from "./standing-order-store.js";

/** Whether a limit that is no longer wanted is still checked; later only changes of settings made here show it removed. */
export function isRemovalAwaited(order: StandingOrder, now: number): boolean {
  return order.mandate === "revocation_pending" && now < Number(order.updated_at) + limits.standingOrderRemovalWaitMs;
}

/** Whether a limit stands that a cancelled order no longer wants, and whose removal no caller has asked for. */
export const isUnwanted = ({ status, mandate }: StandingOrder): boolean =>
  status === "cancelled" && mandate === "active";

/** The process that claimed the order releases it for good where its next check is still the one that the claim set. */
export function apartFrom({ attempt_at }: StandingOrder, at: number): number {
  return Number(attempt_at) === at ? at + 1 : at;
}

/** Until when the limit of a cancelled order may land all the same: its transaction is dead by then on any chain. */
export function awaitedUntil(order: Pick<StandingOrder, "valid_until">): number {
  return Number(order.valid_until) + limits.standingOrderAwaitedEndsMs;
}

/** Whether an order that rests or was stopped had been offered a new limit that may still land. */
export function isRenewalAwaited(order: StandingOrder, now: number): boolean {
  const until = Number(order.updated_at) + limits.standingOrderProposalWaitMs;
  const mayAppear = order.status === "inactive" || order.status === "cancelled";
  return mayAppear && order.renewal_limit_address !== null && now < until;
}

/** What an order becomes when its limit is first seen: it owes what is due from the landing on, and nothing before it. */
export function begun(order: StandingOrder, limit: SpendingLimit, now: number): Partial<StandingOrder> {
  // A limit's last reset is the instant it was made, until it is drawn on.
  const mandatedAt = Number(limit.lastReset) * 1000;
  const mandate = { mandate: "active", mandated_at: BigInt(mandatedAt) } as const;
  if (order.status === "cancelled") return { ...mandate, attempt_at: checkedFrom(now) };
  if (order.status !== "pending") {
    const isReleased = order.status === "inactive" && order.reason === released;
    return { ...mandate, attempt_at: isReleased ? BigInt(mandatedAt) : endRefreshAt(order) };
  }
  const next = firstDueFrom(scheduleOf(order), mandatedAt - limits.standingOrderStartGraceMs);
  if (next === undefined) {
    return { ...mandate, status: "completed", reason: null, next_index: null, next_due_at: null, attempt_at: null };
  }
  return {
    ...mandate,
    status: "active",
    reason: null,
    missed_in_a_row: 0,
    next_index: next.index,
    next_due_at: BigInt(next.dueAt),
    attempt_at: BigInt(next.dueAt),
  };
}

/** When an inactive order is due for its end; null: it has none. */
export function endRefreshAt({ status, end_at }: Pick<StandingOrder, "status" | "end_at">): bigint | null {
  return status !== "inactive" || end_at === null ? null : end_at + 1n;
}

/** The first check whether an unwanted limit is removed. */
export const checkedFrom = (now: number): bigint => BigInt(now + limits.mandateChecksApartLeastMs);

/** When an order that still waits for its limit is given up. */
export function lastRefreshAt(order: Pick<StandingOrder, "valid_until">): number {
  return Number(order.valid_until) + limits.standingOrderMandateGraceMs;
}

/** Checks lie ever farther apart, up to six hours; while a limit is awaited the last one is at its very end. */
export function nextRefreshAt(order: StandingOrder, now: number): number {
  const since = Number(order.mandate === "awaited" ? order.created_at : order.updated_at);
  const { mandateChecksApartLeastMs: least, mandateChecksApartMostMs: most } = limits;
  const next = now + Math.min(most, Math.max(least, Math.floor((now - since) / 4)));
  if (order.mandate !== "awaited" || (order.status !== "pending" && now >= awaitedUntil(order))) return next;
  return Math.min(next, Math.max(lastAwaitedAt(order), now + least));
}

/** The last check of a limit that is awaited: when a pending order is given up, or one that was stopped is at rest. */
export function lastAwaitedAt(order: Pick<StandingOrder, "status" | "valid_until">): number {
  return order.status === "pending" ? lastRefreshAt(order) : awaitedUntil(order);
}
