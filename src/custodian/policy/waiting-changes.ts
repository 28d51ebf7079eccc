/** Changes of settings that wait for their delay. Pure: the wallet was locked and read before. */
import { createHash } from "node:crypto";
import type { Verdict } from "./judge.js";
import type { Pending } from "./wallet-state.js";

/** One that waits, or that can be signed now. Times are Unix milliseconds of the environment's time. */
export interface WaitingChange {
  /** Of this one time that it waits: the same change that begins again has another one. */
  readonly id: string;
  readonly from: number;
  readonly until: number;
  /** What it does, as canonical JSON; null: it began before this was kept. */
  readonly change: string | null;
}

export interface WaitingChanges {
  /** The next to be signed first. */
  readonly changes: readonly WaitingChange[];
  readonly asOf: number;
}

/** Why a change is not cancelled. `over`: it was signed, or its window is over. */
export type CancelFault = "altered" | "not_found" | "over";

/** At once: all of them stand in one certificate, so that none is hidden behind others. */
export const waitingMax = 8;

export const changeIdOf = ({ what, notBefore }: Pick<Pending, "what" | "notBefore">): string =>
  createHash("sha256")
    .update(JSON.stringify([what, notBefore]))
    .digest("hex");

/** Whether a delay runs or has run out and was not used, except by this very message. */
export function isOpen({ cancelledAt, endsAt, usedAt, usedBy }: Pending, now: number, by: string | null): boolean {
  return cancelledAt === null && now < endsAt && (usedAt === null || (by !== null && usedBy === by));
}

export function waitingAmong(pending: readonly Pending[], now: number): WaitingChanges {
  const open = pending.filter((one) => isOpen(one, now, null));
  const changes = open.map((one) => ({
    id: changeIdOf(one),
    from: one.notBefore,
    until: one.endsAt,
    change: one.change,
  }));
  return { changes: changes.sort((one, other) => one.from - other.from || (one.id < other.id ? -1 : 1)), asOf: now };
}

/** What is pending without one: the same list where it was cancelled before. */
export function cancelled(
  pending: readonly Pending[],
  id: string,
  now: number,
): readonly Pending[] | Exclude<CancelFault, "altered"> {
  const one = pending.find((each) => changeIdOf(each) === id);
  if (one === undefined) return "not_found";
  if (one.cancelledAt !== null) return pending;
  if (!isOpen(one, now, null)) return "over";
  return pending.map((each) => (each === one ? { ...one, cancelledAt: now } : each));
}

/**
 * Another instant than the last time, where that began in the same one: it has another id, and what cancelled that one does not cancel
 * this one.
 */
const laterThan = (last: number, from: number): number => (last >= from && last < from + 1_000 ? last + 1 : from);

/** Begins a delay, lets it go on, or uses it up. */
export function takeTurn(
  pending: readonly Pending[],
  { what, change, delayMs, windowMs }: NonNullable<Verdict["delayed"]>,
  { now, by }: { readonly now: number; readonly by: string },
): { readonly pending: readonly Pending[]; readonly isReady: boolean; readonly one: Pending } | "too_many" {
  const others = pending.filter((one) => one.what !== what);
  const last = pending.find((one) => one.what === what);
  const isGoingOn = last !== undefined && isOpen(last, now, by);
  if (!isGoingOn && others.filter((one) => isOpen(one, now, null)).length >= waitingMax) return "too_many";
  const notBefore = laterThan(last?.notBefore ?? 0, now + delayMs);
  const one: Pending = isGoingOn
    ? last
    : { what, change, notBefore, endsAt: notBefore + windowMs, cancelledAt: null, usedAt: null, usedBy: null };
  const isReady = now >= one.notBefore;
  const next = isReady && one.usedAt === null ? { ...one, usedAt: now, usedBy: by } : one;
  return { pending: [...others, next], isReady, one: next };
}
