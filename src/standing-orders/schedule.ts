/** When a standing order is due. Pure, and in UTC: a chain knows no zones and no bank holidays. */

/** How often a standing order pays, as the wire says it (gap 42). */
export const frequencies = ["daily", "weekly", "monthly"] as const;
export type Frequency = (typeof frequencies)[number];

/** What a standing order's due dates follow from. Instants are Unix milliseconds. */
export interface Schedule {
  readonly frequency: Frequency;
  /** The first due date. */
  readonly startAt: number;
  /** Inclusive; null: without end. */
  readonly endAt: number | null;
}

/** One due date: its number, counted from zero, and its instant. */
export interface Due {
  readonly index: number;
  readonly dueAt: number;
}

const dayMs = 86_400_000;
const daysOf = { daily: 1, weekly: 7 } as const;

/**
 * The instant of due date `index`, whether or not the order has ended by then: the start and so many periods. Months
 * count from the original day and never from the due date before, so that 31 January is followed by 28 or 29 February
 * and then by 31 March.
 */
export function dueAt({ frequency, startAt }: Pick<Schedule, "frequency" | "startAt">, index: number): number {
  if (frequency !== "monthly") return startAt + index * daysOf[frequency] * dayMs;
  const start = new Date(startAt);
  const timeOfDay = startAt - Date.UTC(start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate());
  const month = start.getUTCMonth() + index;
  // Day 0 of the month after it is the last one of this.
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), month + 1, 0)).getUTCDate();
  return Date.UTC(start.getUTCFullYear(), month, Math.min(start.getUTCDate(), lastDay)) + timeOfDay;
}

/** How many due dates there are, one exactly at the end counted; null: without end. Zero: it ends before the first. */
export function countDues(schedule: Schedule): number | null {
  if (schedule.endAt === null) return null;
  return firstIndexFrom(schedule, schedule.endAt + 1);
}

/** The first due date at or after an instant; undefined when the order has ended by then. */
export function firstDueFrom(schedule: Schedule, instant: number): Due | undefined {
  return dueOf(schedule, firstIndexFrom(schedule, instant));
}

/** Due date `index`; undefined when the order has ended by then. */
export function dueOf(schedule: Schedule, index: number): Due | undefined {
  const at = dueAt(schedule, index);
  return schedule.endAt !== null && at > schedule.endAt ? undefined : { index, dueAt: at };
}

/** The number of the first due date at or after an instant, as if there were no end. */
function firstIndexFrom(schedule: Schedule, instant: number): number {
  const { frequency, startAt } = schedule;
  if (instant <= startAt) return 0;
  if (frequency !== "monthly") return Math.ceil((instant - startAt) / (daysOf[frequency] * dayMs));
  const start = new Date(startAt);
  const at = new Date(instant);
  const months = (at.getUTCFullYear() - start.getUTCFullYear()) * 12 + at.getUTCMonth() - start.getUTCMonth();
  // The due date of that same calendar month has arrived already, or has not.
  return dueAt(schedule, months) >= instant ? months : months + 1;
}
