import type { Period } from "./wallet-policy.js";

export const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The first millisecond of a period that contains `now`; of a rolling one, the whole hour in which it begins. */
export function periodStart(period: Period, now: number): number {
  if (period.type === "rolling") return hourOf(now - period.seconds * 1_000);
  const today = now - (((now % dayMs) + dayMs) % dayMs);
  const date = new Date(now);
  switch (period.unit) {
    case "day":
      return today;
    case "week":
      return today - ((date.getUTCDay() + 6) % 7) * dayMs;
    case "month":
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  }
}

/** The hour that an instant is in. */
export const hourOf = (now: number): number => Math.floor(now / hourMs) * hourMs;
