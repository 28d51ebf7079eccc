import { requireAddress } from "./address.js";
import type { SpendingLimitTerms } from "./assert-spending-limit.js";
import { type GivenAmount, type MaybeAmount, toBaseUnits } from "./base-units.js";
import type { Currencies } from "./mints.js";
import type { RequestedPeriod, SpendingLimit, SpendingLimitPeriod } from "./wire.js";

/** What a limit is to allow, in the caller's words. */
export type NewSpendingLimit = GivenAmount & LimitTerms;

type LimitTerms = {
  /** Symbol (`sol`, `usdc`, …) or mint address. The amount is so much a period. */
  readonly currency: string;
  /** Of the mint, for a `uiAmount` where the client does not know them. */
  readonly decimals?: number;
  readonly period: RequestedPeriod;
  /** Who may use it, one to ten addresses. */
  readonly signers: readonly string[];
  /** Owners that may be paid; absent or empty: anybody. */
  readonly destinations?: readonly string[];
  /** When it ends; absent or null: never. Counts in whole seconds. */
  readonly expiration?: Date | null;
};

/** What is to become otherwise. A `uiAmount` names its currency, as it means nothing without. */
export type LimitChanges = Partial<LimitTerms> & MaybeAmount;

const periods: Readonly<Record<RequestedPeriod, SpendingLimitPeriod>> = {
  one_time: "one_time",
  day: "day",
  daily: "day",
  week: "week",
  weekly: "week",
  month: "month",
  monthly: "month",
};

export function termsOf(limit: NewSpendingLimit, { mintOf, exactAmount }: Currencies): SpendingLimitTerms {
  const mint = mintOf(limit.currency);
  return {
    mint,
    amount: exactAmount(limit, mint, limit.decimals).amount,
    period: periods[limit.period],
    signers: limit.signers,
    destinations: limit.destinations ?? [],
    expiration: secondsOf(limit.expiration ?? null),
  };
}

export function changesOf(changes: LimitChanges, { mintOf, exactAmount }: Currencies): Partial<SpendingLimitTerms> {
  const { currency, period, signers, destinations, expiration, decimals } = changes;
  const mint = currency === undefined ? null : mintOf(currency);
  if (changes.uiAmount !== undefined && currency === undefined) {
    // Else the party that says what the limit was of would say how much it is.
    throw new TypeError("a uiAmount needs its currency beside it");
  }
  const hasAmount = changes.amount !== undefined || changes.uiAmount !== undefined;
  return {
    ...(currency === undefined ? {} : { mint }),
    ...(hasAmount ? { amount: exactAmount(changes, mint, decimals).amount } : {}),
    ...(period === undefined ? {} : { period: periods[period] }),
    ...(signers === undefined ? {} : { signers }),
    ...(destinations === undefined ? {} : { destinations }),
    ...(expiration === undefined ? {} : { expiration: secondsOf(expiration) }),
  };
}

export function termsView(limit: SpendingLimit): SpendingLimitTerms {
  return {
    mint: limit.mint === null ? null : requireAddress(limit.mint),
    amount: toBaseUnits(limit.amount),
    period: limit.period,
    signers: limit.signers,
    destinations: limit.destinations,
    expiration: limit.expiration === null ? null : secondsOf(new Date(limit.expiration)),
  };
}

function secondsOf(instant: Date | null): number | null {
  if (instant === null) return null;
  const ms = instant.getTime();
  if (Number.isNaN(ms)) throw new TypeError("the expiration is no date");
  return Math.floor(ms / 1000);
}

export function requestOf({ mint, amount, period, signers, destinations, expiration }: SpendingLimitTerms) {
  return {
    mint,
    amount: amount.toString(),
    period,
    spending_limit_signers: signers,
    destinations,
    expiration,
  };
}
