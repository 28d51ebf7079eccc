import { TrellisError } from "@trellis/kernel/errors.js";
import { readDateTime } from "@trellis/kernel/instants.js";
import { limits } from "@trellis/kernel/limits.js";
import { countDues, dueAt, type Frequency, type Schedule } from "./schedule.js";

/** How often, in every word that clients use for it. */
export const frequencyNames = ["daily", "weekly", "monthly", "day", "week", "month"] as const;

const frequencyOf: Readonly<Record<(typeof frequencyNames)[number], Frequency>> = {
  daily: "daily",
  day: "daily",
  weekly: "weekly",
  week: "weekly",
  monthly: "monthly",
  month: "monthly",
};

/** What is asked for about time. */
export interface RequestedDates {
  readonly frequency: (typeof frequencyNames)[number];
  readonly start_date?: string;
  readonly end_date?: string | null;
}

/** The due dates of a new order; `occurrences` is null without an end. */
export interface ParsedDates {
  readonly schedule: Schedule;
  readonly occurrences: number | null;
}

/**
 * Reads when a new order is due (gap 66). A start in the last five minutes, or none, is now. `now` is environment time,
 * Unix milliseconds. Throws `start_date_in_past`, and `invalid_request` for what cannot be a schedule.
 */
export function parseDates({ frequency, start_date, end_date }: RequestedDates, now: number): ParsedDates {
  const asked = start_date === undefined ? now : parseInstant(start_date, "start_date");
  if (asked < now - limits.standingOrderStartGraceMs)
    throw new TrellisError("start_date_in_past", { field: "start_date" });
  if (asked > now + limits.standingOrderAheadMs) {
    throw new TrellisError("invalid_request", {
      field: "start_date",
      message: "The start lies more than ten years ahead.",
    });
  }
  const endAt = end_date === undefined || end_date === null ? null : parseInstant(end_date, "end_date");
  const schedule: Schedule = { frequency: frequencyOf[frequency], startAt: Math.max(asked, now), endAt };
  const occurrences = countDues(schedule);
  if (occurrences === 0) {
    throw new TrellisError("invalid_request", {
      field: "end_date",
      message: "The order would end before its first payment.",
    });
  }
  if (occurrences !== null && occurrences > limits.standingOrderDuesMax) {
    throw new TrellisError("invalid_request", {
      field: "end_date",
      message: `That is ${occurrences} payments; ${limits.standingOrderDuesMax} are possible, which is ten years of days.`,
    });
  }
  return { schedule, occurrences };
}

/** When the one-time limit of an order with `occurrences` dues expires, Unix seconds. */
export function expirationOf(schedule: Schedule, occurrences: number): bigint {
  return BigInt(Math.ceil((dueAt(schedule, occurrences - 1) + limits.standingOrderLimitOutlivesMs) / 1000));
}

/** A date-time with its zone, as Unix milliseconds. Throws `invalid_request`. */
export function parseInstant(text: string, field: string): number {
  const instant = readDateTime(text);
  if (instant !== undefined) return instant;
  throw new TrellisError("invalid_request", {
    field,
    message: `${field} must be a date-time with its zone, like 2026-12-01T08:00:00Z.`,
  });
}
