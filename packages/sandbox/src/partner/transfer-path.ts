import { type Coin, type Fiat, factsOf } from "@trellis/kernel/ports/coins.js";
import type { BankRail, PayOut, RailTransferState } from "@trellis/kernel/ports/rails.js";
import { magicOfTransfer, undeliverableCents } from "./magic-cents.js";
import { payOutCoins } from "./partner-coins.js";

/** One state a simulated transfer is to reach, and how long after the one before, in environment milliseconds. */
export interface Step {
  readonly state: RailTransferState;
  readonly waitMs: number;
  /** The same where everything else happens at once; absent: at once. */
  readonly instantMs?: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How long what would otherwise never be seen lasts where everything happens at once. */
const visibleMs = 30_000;

/** What it pays out. */
export const simulatedPayOuts: readonly PayOut[] = [
  { from: payOutCoins("usd"), to: "usd", rails: ["ach_push", "wire"], endorsement: "base", minimum: "1.00" },
  { from: payOutCoins("eur"), to: "eur", rails: ["sepa"], endorsement: "sepa", minimum: "1.00" },
  { from: payOutCoins("gbp"), to: "gbp", rails: ["faster_payments"], endorsement: "faster_payments", minimum: "3.00" },
  { from: payOutCoins("mxn"), to: "mxn", rails: ["spei"], endorsement: "spei", minimum: "1.00" },
  { from: payOutCoins("brl"), to: "brl", rails: ["pix"], endorsement: "pix", minimum: "1.00" },
];

/** How long banks take, where things take time. */
const bankMs: Readonly<Record<BankRail, number>> = {
  ach_push: 24 * hourMs,
  wire: 4 * hourMs,
  sepa: 10 * minuteMs,
  faster_payments: minuteMs,
  spei: minuteMs,
  pix: minuteMs,
};

/** Hundredths of each currency for a dollar: the sandbox's rates never move. */
const perDollar: Readonly<Record<Fiat, bigint>> = { usd: 100n, eur: 90n, gbp: 80n, mxn: 2_000n, brl: 500n };

/** Cents of one currency in cents of another, the rest cut off. */
export const convert = (cents: bigint, from: Fiat, to: Fiat): bigint => (cents * perDollar[to]) / perDollar[from];

/** The rate, as a decimal. */
export const rateOf = (from: Fiat, to: Fiat): string =>
  from === to ? "1" : (Number(perDollar[to]) / Number(perDollar[from])).toFixed(4);

/** Whole cents of an amount as banks write it; undefined for anything else. */
export function centsOf(amount: string): bigint | undefined {
  const [, whole, cents = ""] = /^([0-9]{1,12})(?:\.([0-9]{1,2}))?$/.exec(amount) ?? [];
  return whole === undefined ? undefined : BigInt(whole) * 100n + BigInt(cents.padEnd(2, "0"));
}

export const formatCents = (cents: bigint): string => `${cents / 100n}.${(cents % 100n).toString().padStart(2, "0")}`;

/** Where its money goes from the moment it has arrived: the cents of the amount say so (`magic-cents.ts`). */
export function pathOf(transfer: {
  readonly direction: string;
  readonly amount: string;
  readonly rail: BankRail;
}): readonly Step[] {
  const bank = bankMs[transfer.rail];
  const step = (state: RailTransferState, waitMs = 30_000): Step => ({ state, waitMs });
  const isOut = transfer.direction === "out";
  switch (magicOfTransfer(centsOf(transfer.amount) ?? 0n)?.way) {
    case "reviewed":
      return [
        step("in_review"),
        { ...step("funds_received", 10 * minuteMs), instantMs: visibleMs },
        step("payment_submitted"),
        step("payment_processed", isOut ? bank : 30_000),
      ];
    case "refunded":
      return [step("funds_received"), step("refunded", bank)];
    case "undeliverable":
      // Coins that were paid to an account do not return automatically.
      return isOut
        ? [
            step("funds_received"),
            step("payment_submitted"),
            step("undeliverable", bank),
            step("returned", bank),
            step("refunded"),
          ]
        : [step("funds_received"), step("undeliverable"), step("returned", bank), step("refunded")];
    default:
      return [step("funds_received"), step("payment_submitted"), step("payment_processed", isOut ? bank : 30_000)];
  }
}

/** Where coins go that arrived at a payout address: the same way, or back where the bank account is removed; too few are kept. */
export function payoutPathOf(
  payout: { readonly cents: bigint; readonly rail: BankRail; readonly coin: Coin; readonly currency: Fiat },
  isKnown: boolean,
): readonly Step[] {
  const { cents, rail, coin, currency } = payout;
  const { minimum = "0" } = simulatedPayOuts.find(({ to }) => to === currency) ?? {};
  if (convert(cents, factsOf(coin).standsFor, currency) < (centsOf(minimum) ?? 0n))
    return [{ state: "error", waitMs: 0 }];
  return pathOf({ direction: "out", amount: formatCents(isKnown ? cents : undeliverableCents), rail });
}

/** What a row has to say so that it takes these steps by the environment's clock, after what happened at `since`. */
export function planSteps(
  steps: readonly Step[],
  { since, pace }: { readonly since: number; readonly pace: "instant" | "realistic" },
): { readonly steps: string; readonly due_at: bigint | null } {
  const [next] = steps;
  const wait = (pace === "instant" ? next?.instantMs : next?.waitMs) ?? 0;
  return { steps: JSON.stringify(steps), due_at: next === undefined ? null : BigInt(since + wait) };
}

const over: readonly string[] = ["canceled", "error", "refunded"];

/**
 * The steps by which a transfer is moved at once to where a caller wants it; undefined where it cannot get there. `held`:
 * its money is with the partner.
 */
export function stepsTo(
  transfer: { readonly direction: string; readonly amount: string; readonly rail: BankRail; readonly state: string },
  target: RailTransferState,
  held: boolean,
): readonly Step[] | undefined {
  const { direction, state } = transfer;
  const now = (wanted: RailTransferState): Step => ({ state: wanted, waitMs: 0 });
  if (over.includes(state)) return undefined;
  if (!held) {
    if (target === "in_review" || target === "canceled" || target === "error") return [now(target)];
    // The money of a pay-in comes from a bank that cannot be seen here; that of a pay-out has to be on chain.
    if (direction === "out" || target === "awaiting_funds") return undefined;
  }
  const order: readonly RailTransferState[] = [
    "in_review",
    "funds_received",
    "payment_submitted",
    "payment_processed",
    "undeliverable",
    "returned",
    "refunded",
  ];
  if (target === "error") return state === "payment_processed" ? undefined : [now(target)];
  const from = order.indexOf(state as RailTransferState);
  const to = order.indexOf(target);
  if (to < 0 || to <= from) return undefined;
  if (to > 3) {
    // What was paid on chain has left the partner.
    if (direction === "in" && from >= 2) return undefined;
    return [...(held ? [] : [now("funds_received")]), now(target)];
  }
  return order.slice(Math.max(from + 1, target === "in_review" ? 0 : 1), to + 1).map(now);
}
