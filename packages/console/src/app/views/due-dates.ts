import { dueAt, type StandingOrder, type StandingOrderFrequency } from "@trellis/sdk";

/** A payment of an order that is still to come. */
export interface Due {
  readonly atMs: number;
  readonly order: StandingOrder;
}

/** What is due in one currency, and whether what is held covers it. Both in base units. */
export interface DueSum {
  readonly currency: string;
  readonly due: bigint;
  readonly held: bigint;
  /** The first due date that is no longer covered, in Unix milliseconds. */
  readonly shortFromMs: number | undefined;
}

const dayMs = 86_400_000;

/** The due dates of active orders from their next one until `days` after `nowMs`, the earliest first; what is overdue comes with them. */
export function duesWithin(orders: readonly StandingOrder[], nowMs: number, days: number): readonly Due[] {
  const endMs = nowMs + days * dayMs;
  const dues = orders
    .filter(({ status }) => status === "active")
    .flatMap((order) => datesOf(order, endMs).map((atMs) => ({ atMs, order })));
  return dues.sort((one, other) => one.atMs - other.atMs);
}

function datesOf(
  { frequency, start_date: start, next_execution_date: next, end_date: end }: StandingOrder,
  untilMs: number,
): readonly number[] {
  const [startMs, nextMs] = [Date.parse(start), Date.parse(next)];
  const lastMs = Math.min(untilMs, end === undefined ? untilMs : Date.parse(end));
  const dates: number[] = [];
  for (let index = 0; ; index += 1) {
    const atMs = dueAt(frequency, startMs, index);
    if (Number.isNaN(atMs) || atMs > lastMs) return dates;
    if (atMs >= nextMs) dates.push(atMs);
  }
}

/**
 * When an order pays next once it is resumed, from `nowMs` on, and how many payments are left then; undefined: none, or that it has no end.
 */
export function paymentsLeft(
  { frequency, start_date: start, end_date: end }: StandingOrder,
  nowMs: number,
): { readonly nextMs: number | undefined; readonly count: number | undefined } {
  const [startMs, endMs] = [Date.parse(start), end === undefined ? undefined : Date.parse(end)];
  let nextMs: number | undefined;
  for (let index = 0, left = 0; ; index += 1) {
    const atMs = dueAt(frequency, startMs, index);
    if (Number.isNaN(atMs)) return { nextMs: undefined, count: undefined };
    if (endMs !== undefined && atMs > endMs) return { nextMs, count: left };
    if (atMs < nowMs) continue;
    nextMs ??= atMs;
    if (endMs === undefined) return { nextMs, count: undefined };
    left += 1;
  }
}

/** What these payments come to, of each currency, against what is held of it in base units. */
export function sumsOf(dues: readonly Due[], holdings: ReadonlyMap<string, bigint>): readonly DueSum[] {
  const currencies = [...new Set(dues.map(({ order }) => order.currency))];
  return currencies.map((currency) => {
    const held = holdings.get(currency) ?? 0n;
    let due = 0n;
    let shortFromMs: number | undefined;
    for (const { atMs, order } of dues) {
      if (order.currency !== currency) continue;
      due += BigInt(order.amount);
      if (due > held) shortFromMs ??= atMs;
    }
    return { currency, due, held, shortFromMs };
  });
}

/** The last of so many due dates, in Unix milliseconds. */
export const lastOf = (frequency: StandingOrderFrequency, startMs: number, count: number): number =>
  dueAt(frequency, startMs, count - 1);

/** What a field for a date and a time says, read as UTC, in Unix milliseconds; undefined where it says none. */
export function utcOf(text: string): number | undefined {
  const date = new Date(`${text}:00.000Z`);
  // A day that a month does not have is read as one of the next month.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${text}:00.000`) ? date.getTime() : undefined;
}

/** The end of a day in UTC, in Unix milliseconds; undefined where the text is no day. */
export function dayEndOf(text: string): number | undefined {
  const atMs = utcOf(`${text}T23:59`);
  return atMs === undefined ? undefined : atMs + 59_000;
}

/** As a field for a date and a time has it, in UTC. */
export const isoMinute = (atMs: number): string => new Date(atMs).toISOString().slice(0, 16);
