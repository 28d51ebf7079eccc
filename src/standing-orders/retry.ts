import { dueAt } from "./schedule.js";
import { type StandingOrder, scheduleOf } from "./standing-order-store.js";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How long after each refusal of a due date it is tried again; the last one repeats. */
const backOffMs = [5 * minuteMs, 30 * minuteMs, 2 * hourMs, 6 * hourMs] as const;
/** How long a due date is tried at the most, and how long before the next one it is given up. */
const triedMostMs = 3 * dayMs;
const triedDailyMs = 12 * hourMs;
const givenUpBeforeMs = dayMs;

/** How many due dates in a row may be missed before an order rests. */
export const missedInARowMax = 3;

/** A limit that is not full again so long after a due date is said to hold it up. */
export const lateAfterMs = 2 * dayMs;

/** What becomes of a due date after a refusal: when it is tried again, or undefined: it is missed. */
export function nextTry(
  order: Pick<StandingOrder, "frequency" | "start_at" | "end_at" | "next_index">,
  dueInstant: number,
  refusalsBefore: number,
  now: number,
): number | undefined {
  const window = triedForMs(order, dueInstant);
  const tried = triedAfter(refusalsBefore);
  if (tried >= window) return undefined;
  return now + Math.min(backOff(refusalsBefore), window - tried);
}

/**
 * For how long a due date is tried: counted in the pauses between refusals and not by the calendar, so that no time in which
 * no process could try uses it up.
 */
function triedForMs(
  order: Pick<StandingOrder, "frequency" | "start_at" | "end_at" | "next_index">,
  due: number,
): number {
  if (order.frequency === "daily") return triedDailyMs;
  const next = dueAt(scheduleOf(order), (order.next_index ?? 0) + 1);
  return Math.max(0, Math.min(triedMostMs, next - due - givenUpBeforeMs));
}

function triedAfter(refusals: number): number {
  let sum = 0;
  for (let i = 0; i < refusals; i += 1) sum += backOff(i);
  return sum;
}

function backOff(refusal: number): number {
  return backOffMs[Math.min(refusal, backOffMs.length - 1)] ?? 0;
}
