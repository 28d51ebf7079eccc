import { type Coin, type Fiat, factsOf } from "@trellis/kernel/ports/coins.js";
import type { BankRail, PayIn } from "@trellis/kernel/ports/rails.js";
import { magicOfDeposit } from "./magic-cents.js";
import { payInCoins } from "./partner-coins.js";

/** What the simulated partner turns into what. */
export const simulatedPayIns: readonly PayIn[] = [
  { from: "usd", to: payInCoins("usd"), rails: ["ach_push", "wire"], endorsement: "base" },
  { from: "eur", to: payInCoins("eur"), rails: ["sepa"], endorsement: "sepa" },
  { from: "gbp", to: payInCoins("gbp"), rails: ["faster_payments"], endorsement: "faster_payments" },
  { from: "mxn", to: payInCoins("mxn"), rails: ["spei"], endorsement: "spei" },
  { from: "brl", to: payInCoins("brl"), rails: ["pix"], endorsement: "pix" },
];

/** Its rates never move: what one unit of a bank's currency is worth in hundredths of a dollar. */
const dollarCents: Readonly<Record<Fiat, bigint>> = { usd: 100n, eur: 110n, gbp: 125n, mxn: 5n, brl: 20n };

/** What its customers pay for a deposit, in hundredths of a percent, and the same as a decimal. */
const feeBasisPoints = 50n;
export const simulatedFeePercent = "0.5";

/** What becomes of a deposit. Everything in cents; `net` is cents of the coin. */
export interface SimulatedMoney {
  readonly fee: bigint;
  readonly net: bigint;
}

/** Fees are rounded up, and what is paid is cut to whole cents. */
export function convert(amountCents: bigint, from: Fiat, to: Coin): SimulatedMoney {
  const fee = (amountCents * feeBasisPoints + 9_999n) / 10_000n;
  const left = amountCents - fee;
  const net = (left * dollarCents[from]) / dollarCents[factsOf(to).standsFor];
  return { fee, net };
}

/** Reads a decimal with at most two places into cents; undefined when it is none. */
export function parseCents(amount: string): bigint | undefined {
  const parts = /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(amount);
  if (parts === null) return undefined;
  const [, whole = "", fraction = ""] = parts;
  return BigInt(whole) * 100n + BigInt(fraction.padEnd(2, "0"));
}

export const formatCents = (cents: bigint): string => `${cents / 100n}.${(cents % 100n).toString().padStart(2, "0")}`;

/** Whose payment the chain refuses rests for a minute, or for as long as it has been there already. */
export const restOf = (sinceMs: number): number => Math.max(60_000, sinceMs);

const bank = { bank_name: "SANDBOX - DO NOT PAY", bank_address: "1 Nowhere Street, Sandbox" };

/**
 * Details that no bank has: every number that carries a check fails it. They follow from the account's number, so that the
 * same one always has the same.
 */
export function instructionsOf(currency: Fiat, number: bigint): Readonly<Record<string, string>> {
  const digits = (length: number) => number.toString().padStart(length, "0");
  switch (currency) {
    case "usd":
      return {
        ...bank,
        bank_routing_number: "000000001",
        bank_account_number: `99${digits(10)}`,
        bank_beneficiary_name: "SANDBOX CUSTOMER",
        bank_beneficiary_address: "2 Nowhere Street, Sandbox",
      };
    case "eur":
      // Check digits begin with 02.
      return { ...bank, iban: `DE00${digits(18)}`, bic: "SANDXX00XXX", account_holder_name: "SANDBOX CUSTOMER" };
    case "gbp":
      return {
        ...bank,
        account_number: digits(8),
        sort_code: "000000",
        account_holder_name: "SANDBOX CUSTOMER",
      };
    case "mxn":
      return { ...bank, clabe: brokenClabe(digits(14)), account_holder_name: "SANDBOX CUSTOMER" };
    case "brl":
      return { ...bank, br_code: `SANDBOX-DO-NOT-PAY-${digits(10)}`, account_holder_name: "SANDBOX CUSTOMER" };
  }
}

/** With the check digit that is one too high. */
function brokenClabe(digits: string): string {
  const body = `000${digits}`;
  const sum = [...body].reduce((total, digit, i) => total + ((Number(digit) * ([3, 7, 1][i % 3] ?? 0)) % 10), 0);
  return `${body}${(11 - (sum % 10)) % 10}`;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** One state that a deposit reaches, in milliseconds after it was sent. */
export interface Step {
  readonly state: "received" | "in_review" | "submitted" | "processed" | "refunded" | "not_credited";
  readonly afterMs: number;
}

/** How long it lasts, where everything else happens at once, what would otherwise never be seen. */
const visibleMs = 30_000;

/** What happens to a deposit, by its cents (`magic-cents.ts`). `share` (0 to 1) picks the time a bank takes. */
export function stepsOf(cents: bigint, rail: BankRail, pace: "instant" | "realistic", share: number): readonly Step[] {
  const isInstant = pace === "instant";
  const arrival = isInstant ? 0 : arrivalOf(rail, share);
  const soon = isInstant ? 0 : minuteMs;
  const received: Step = { state: "received", afterMs: arrival };
  const paidAfter = (afterMs: number): Step[] => [
    { state: "submitted", afterMs: afterMs + soon },
    { state: "processed", afterMs: afterMs + 2 * soon },
  ];
  switch (magicOfDeposit(cents)?.way) {
    case "never_paid":
      return [{ state: "not_credited", afterMs: arrival }];
    case "reviewed": {
      const decided = arrival + (isInstant ? visibleMs : hourMs);
      return [received, { state: "in_review", afterMs: arrival }, ...paidAfter(decided)];
    }
    case "sent_back":
      return [received, { state: "refunded", afterMs: arrival + (isInstant ? 0 : dayMs) }];
    case "paid_and_sent_back":
      return [
        received,
        ...paidAfter(arrival),
        { state: "refunded", afterMs: arrival + (isInstant ? visibleMs : 2 * dayMs) },
      ];
    default:
      return [received, ...paidAfter(arrival)];
  }
}

function arrivalOf(rail: BankRail, share: number): number {
  const between = (least: number, most: number) => Math.floor(least + share * (most - least));
  if (rail === "ach_push") return between(dayMs, 3 * dayMs);
  if (rail === "wire") return between(hourMs, 6 * hourMs);
  return between(minuteMs, 10 * minuteMs);
}
