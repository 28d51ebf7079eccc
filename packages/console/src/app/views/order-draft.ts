import type { StandingOrderFrequency, StandingOrderTerms } from "@trellis/sdk";
import type { Currency } from "../../parts/currencies.js";
import type { AmountFault, ReadAmount } from "./amount-of.js";
import { nameOf, usualOf } from "./currencies.js";
import { dayEndOf, isoMinute, lastOf } from "./due-dates.js";

/** A standing order as people type it. */
export interface OrderDraft {
  readonly payee: string;
  /** The very one that is shown and paid. */
  readonly currency: Currency;
  readonly amount: string;
  readonly frequency: StandingOrderFrequency;
  readonly start: string;
  readonly ending: "none" | "count" | "day";
  readonly count: string;
  readonly lastDay: string;
}

/** Why a field of a draft cannot be as it is, other than its amount. */
export type OrderFault = "payee" | "start" | "count" | "last-day";

/** An order has no more payments than this. */
const paymentsMax = 3_654;
const dayMs = 86_400_000;

/** A draft that nobody has typed in yet; undefined where no currency is known. */
export function blankOrder(currencies: readonly Currency[], nowMs: number): OrderDraft | undefined {
  const currency = usualOf(currencies);
  if (currency === undefined) return undefined;
  return {
    payee: "",
    currency,
    amount: "",
    frequency: "monthly",
    start: isoMinute(nowMs + dayMs),
    ending: "none",
    count: "12",
    lastDay: "",
  };
}

/** Why the draft is no order yet, by field; `amount` and `startMs` are what its amount and its start say. */
export function draftFaults(
  { frequency, ending, count, lastDay }: OrderDraft,
  {
    amount,
    startMs,
    nowMs,
    isPayee,
  }: {
    readonly amount: ReadAmount;
    readonly startMs: number | undefined;
    readonly nowMs: number;
    readonly isPayee: boolean;
  },
): Readonly<Record<"payee" | "start" | "end", OrderFault | undefined>> & { readonly amount: AmountFault | undefined } {
  const lastMs = dayEndOf(lastDay);
  const isWrongCount = !/^[1-9]\d{0,3}$/.test(count) || Number(count) > paymentsMax;
  const tooManyFromMs = startMs === undefined ? undefined : lastOf(frequency, startMs, paymentsMax + 1);
  const isWrongDay =
    lastMs === undefined ||
    (startMs !== undefined && lastMs < startMs) ||
    (tooManyFromMs !== undefined && lastMs >= tooManyFromMs);
  return {
    payee: isPayee ? undefined : "payee",
    amount: amount.fault,
    start: startMs === undefined || startMs < nowMs ? "start" : undefined,
    end: ending === "count" && isWrongCount ? "count" : ending === "day" && isWrongDay ? "last-day" : undefined,
  };
}

/** What the service is asked for, of a draft without faults; `units` and `startMs` are what its amount and its start say. */
export function termsOf(draft: OrderDraft, units: bigint, startMs: number): StandingOrderTerms {
  const endMs = endOf(draft, startMs);
  return {
    currency: nameOf(draft.currency),
    amount: units,
    payee: draft.payee.trim(),
    frequency: draft.frequency,
    start: new Date(startMs),
    ...(endMs === undefined ? {} : { end: new Date(endMs) }),
  };
}

/** When the order ends, in Unix milliseconds; undefined: it has no end. */
export function endOf({ frequency, ending, count, lastDay }: OrderDraft, startMs: number): number | undefined {
  if (ending === "count") return lastOf(frequency, startMs, Number(count));
  return ending === "day" ? dayEndOf(lastDay) : undefined;
}
