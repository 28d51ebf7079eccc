import type { Address } from "@solana/addresses";
import { requireAddress } from "./address.js";
import type { SpendingLimitTerms } from "./assert-spending-limit.js";
import type { GivenAmount } from "./base-units.js";
import { countDues, dueAt } from "./due-dates.js";
import type { Currencies } from "./mints.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { CreateStandingOrderRequest, SpendingLimitPeriod, StandingOrder, StandingOrderFrequency } from "./wire.js";

/** A bank account that is paid through an address on chain at which the service's partner takes the coins (gap 119). */
export type BankPayee = {
  readonly externalAccountId: string;
  /** `ach_push`, `wire`, `sepa`, `faster_payments`, `spei` or `pix`. */
  readonly rail: string;
  /** That address, where the caller knows it from an earlier order: any other is refused. */
  readonly address?: string;
};

/** What is to be paid, to whom and when. */
export type StandingOrderTerms = GivenAmount & OrderTerms;

type OrderTerms = {
  /** Symbol (`sol`, `usdc`, …) or mint address. The amount is that of one payment. */
  readonly currency: string;
  /** Of the mint, for a `uiAmount` where the client does not know them. */
  readonly decimals?: number;
  /** An owner's address, never a token account; or a bank account. */
  readonly payee: string | BankPayee;
  /** True: `payee` is an address that a program signs for, such as a vault that was never used (gap 147). */
  readonly confirmProgramAddress?: boolean;
  readonly frequency: StandingOrderFrequency;
  /** The first due date; absent: now. Needed where there is an end, as the sum follows from both. */
  readonly start?: Date;
  /** Inclusive; absent: without end. */
  readonly end?: Date;
};

/** The same with an amount in base units. */
export type ExactOrder = OrderTerms & { readonly mint: Address | null; readonly amount: bigint };

/** A start that is a little past is now; the service moves it by this at most (gap 66). */
const startMovesMs = 300_000;
const limitOutlivesMs = 7 * 86_400_000;

const periodOf: Readonly<Record<StandingOrderFrequency, SpendingLimitPeriod>> = {
  daily: "day",
  weekly: "week",
  monthly: "month",
};

export function exactOrder(order: StandingOrderTerms, { mintOf, exactAmount }: Currencies): ExactOrder {
  const mint = mintOf(order.currency);
  return { ...order, mint, amount: exactAmount(order, mint, order.decimals).amount };
}

/** The limit that these terms take, but for its sum (gap 42). */
export function termsOf(
  order: ExactOrder,
  executor: string | undefined,
  reportedExecutor: string,
  start: number,
  reported: StandingOrder["destination"],
): Omit<SpendingLimitTerms, "amount"> {
  if (executor !== undefined && executor !== reportedExecutor) {
    throw new TransactionMismatchError("settings_change", "another key would pay the order", {
      expected: executor,
      actual: reportedExecutor,
    });
  }
  const end = endOf(order);
  const last = end === null ? null : dueAt(order.frequency, start, countDues(order.frequency, start, end) - 1);
  return {
    mint: order.mint,
    period: last === null ? periodOf[order.frequency] : "one_time",
    signers: [requireAddress(reportedExecutor)],
    destinations: [payeeOf(order, reported)],
    expiration: last === null ? null : Math.ceil((last + limitOutlivesMs) / 1000),
  };
}

/**
 * Whom the limit may pay. Which address leads to a bank account only the service and its partner can say: what is
 * checked is that it is reported for this bank account and rail, and is the one the caller knows, if any.
 */
function payeeOf({ payee }: OrderTerms, reported: StandingOrder["destination"]): Address {
  if (typeof payee === "string") return requireAddress(payee);
  const asked = { externalAccountId: payee.externalAccountId, rail: payee.rail === "ach" ? "ach_push" : payee.rail };
  if (reported.external_account_id !== asked.externalAccountId || reported.payment_rail !== asked.rail) {
    throw new TransactionMismatchError("settings_change", "the order pays another bank account", {
      expected: `${asked.externalAccountId} by ${asked.rail}`,
      actual: `${reported.external_account_id} by ${reported.payment_rail}`,
    });
  }
  if (payee.address !== undefined && payee.address !== reported.address) {
    throw new TransactionMismatchError("settings_change", "the bank account is paid through another address", {
      expected: payee.address,
      actual: reported.address,
    });
  }
  return requireAddress(reported.address);
}

/** All payments together; twice the amount where there is no end. */
export function sumOf({ amount, frequency, ...order }: ExactOrder, start: number): bigint {
  const end = endOf(order);
  return amount * BigInt(end === null ? 2 : countDues(frequency, start, end));
}

function endOf({ end }: Pick<OrderTerms, "end">): number | null {
  return end === undefined ? null : requireInstant(end, "end");
}

/** The start the service names, if it is the one asked for: it moves one that has just passed to now. */
export function requireStart(order: OrderTerms, reported: string): number {
  const view = Date.parse(reported);
  const asked = order.start === undefined ? view : requireInstant(order.start, "start");
  if (view >= asked && view - asked <= startMovesMs) return view;
  throw new TransactionMismatchError("settings_change", "the order begins at another time", {
    expected: new Date(asked).toISOString(),
    actual: reported,
  });
}

export function requestOf(account: Address, order: ExactOrder): CreateStandingOrderRequest {
  requireStartOfBounded(order);
  return {
    amount: order.amount.toString(),
    frequency: order.frequency,
    source: { account, currency: order.currency },
    destination:
      typeof order.payee === "string"
        ? {
            address: requireAddress(order.payee),
            currency: order.currency,
            ...(order.confirmProgramAddress === true ? { confirm_program_address: true } : {}),
          }
        : { external_account_id: order.payee.externalAccountId, payment_rail: order.payee.rail },
    ...(order.start === undefined ? {} : { start_date: order.start.toISOString() }),
    ...(order.end === undefined ? {} : { end_date: order.end.toISOString() }),
  };
}

/** Without it, the party that names the start also chooses how many payments there are until the end. */
export function requireStartOfBounded({ start, end }: Pick<OrderTerms, "start" | "end">): void {
  if (end === undefined || start !== undefined) return;
  throw new TypeError("an order with an end names its start: the sum of all its payments follows from both");
}

function requireInstant(date: Date, name: string): number {
  const instant = date.getTime();
  if (Number.isNaN(instant)) throw new TypeError(`${name} is no date`);
  return instant;
}
