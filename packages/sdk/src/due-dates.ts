import type { StandingOrderFrequency } from "./wire.js";

const dayMs = 86_400_000;
/** No order has more due dates than this (gap 66). */
const duesMax = 3_654;

/**
 * Due date `index` of a standing order, from 0, in Unix milliseconds as `start` is. Months are counted in UTC from the original day, and
 * have their last day where they do not have it (gap 42).
 */
export function dueAt(frequency: StandingOrderFrequency, start: number, index: number): number {
  if (frequency !== "monthly") return start + index * (frequency === "daily" ? 1 : 7) * dayMs;
  const first = new Date(start);
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth() + index];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const timeOfDay = start - Date.UTC(year, first.getUTCMonth(), first.getUTCDate());
  return Date.UTC(year, month, Math.min(first.getUTCDate(), lastDay)) + timeOfDay;
}

/** How many due dates there are up to the end, which counts. Throws a `TypeError` where there are none, or too many. */
export function countDues(frequency: StandingOrderFrequency, start: number, end: number): number {
  let count = 0;
  while (count <= duesMax && dueAt(frequency, start, count) <= end) count += 1;
  if (count > 0 && count <= duesMax) return count;
  throw new TypeError(`an order has 1 to ${duesMax} due dates between its start and its end`);
}
