import type { StandingOrder } from "@trellis/sdk";

/** What a calendar needs of an order. */
export type PlannedOrder = Pick<
  StandingOrder,
  | "id"
  | "account"
  | "amount"
  | "ui_amount"
  | "currency"
  | "frequency"
  | "start_date"
  | "end_date"
  | "next_execution_date"
  | "destinations"
>;

/** One payment of an order that is to come. */
export interface DuePayment {
  readonly order: PlannedOrder;
  /** Unix milliseconds. */
  readonly at: number;
}

/** What an account is to pay of one currency. */
export interface DueSum {
  readonly account: string;
  readonly currency: string;
  readonly count: number;
  /** In base units. */
  readonly units: bigint;
  /** In whole units, times ten to the eighteenth. */
  readonly whole: bigint;
}

const dayMs = 86_400_000;
/** No coin has more decimals. */
export const wholeDecimals = 18;

/**
 * The payments of these orders before an instant, the earliest first. The next one of each counts also where its date has passed: it is
 * being made. An order that moved on while pages were read is there twice, and each of its dates once.
 */
export function duePayments(orders: readonly PlannedOrder[], before: number): readonly DuePayment[] {
  const found = new Map<string, DuePayment>();
  for (const order of orders) for (const at of datesOf(order, before)) found.set(`${order.id} ${at}`, { order, at });
  return [...found.values()].sort((a, b) => a.at - b.at || (a.order.id < b.order.id ? -1 : 1));
}

function datesOf({ frequency, start_date, end_date, next_execution_date }: PlannedOrder, before: number): number[] {
  const [start, next] = [Date.parse(start_date), Date.parse(next_execution_date)];
  const end = end_date === undefined ? Number.POSITIVE_INFINITY : Date.parse(end_date);
  const dates = next < before ? [next] : [];
  // Too early rather than too late: a month has 31 days at most.
  const span = { daily: 1, weekly: 7, monthly: 31 }[frequency] * dayMs;
  for (let index = Math.max(0, Math.floor((next - start) / span)); ; index += 1) {
    const at = dateOf(frequency, start, index);
    if (!(at < before && at <= end)) return dates;
    if (at > next) dates.push(at);
  }
}

/** Due date number `index`, in UTC. Months are counted from the first day: 31 January, then 28 February, then 31 March. */
function dateOf(frequency: PlannedOrder["frequency"], start: number, index: number): number {
  if (frequency !== "monthly") return start + index * (frequency === "daily" ? 1 : 7) * dayMs;
  const first = new Date(start);
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth() + index];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(first.getUTCDate(), lastDay)) + (start % dayMs);
}

/** What each account pays of each currency in all of these payments. */
export function sumsOf(payments: readonly DuePayment[]): readonly DueSum[] {
  const sums = new Map<string, DueSum>();
  for (const { order } of payments) {
    const { account, currency } = order;
    const sum = sums.get(`${account} ${currency}`) ?? { account, currency, count: 0, units: 0n, whole: 0n };
    sums.set(`${account} ${currency}`, {
      ...sum,
      count: sum.count + 1,
      units: sum.units + BigInt(order.amount),
      whole: sum.whole + scaled(order.ui_amount, wholeDecimals),
    });
  }
  return [...sums.values()];
}

/** A decimal as whole number of its smallest part: `12.5` with 6 decimals is 12500000. What is smaller is cut off. */
export function scaled(decimal: string, decimals: number): bigint {
  const [whole = "", fraction = ""] = decimal.split(".");
  return BigInt(`${whole}${fraction.slice(0, decimals).padEnd(decimals, "0")}`);
}

/** The payments by the reader's own days, each by its first instant. */
export function byDay(payments: readonly DuePayment[]): readonly (readonly [number, readonly DuePayment[]])[] {
  const days = new Map<number, DuePayment[]>();
  for (const payment of payments) {
    const day = new Date(payment.at).setHours(0, 0, 0, 0);
    days.set(day, [...(days.get(day) ?? []), payment]);
  }
  return [...days];
}
