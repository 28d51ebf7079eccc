import { describe, expect, it } from "vitest";
import { byDay, duePayments, type PlannedOrder, scaled, sumsOf } from "./due-payments.js";

const order = (some: Partial<PlannedOrder> = {}): PlannedOrder => ({
  id: "one",
  account: "Household",
  amount: "12500000",
  ui_amount: "12.5",
  currency: "usdc",
  frequency: "weekly",
  start_date: "2026-01-05T09:30:00Z",
  next_execution_date: "2026-01-12T09:30:00Z",
  destinations: ["Landlord"],
  ...some,
});
const datesOf = (orders: readonly PlannedOrder[], before: string): readonly string[] =>
  duePayments(orders, Date.parse(before)).map(({ at }) => new Date(at).toISOString().slice(0, 16));

describe("the payments to come", () => {
  it("follow the next one week by week, before the end of what is asked for", () => {
    expect(datesOf([order()], "2026-02-02T09:30:00Z")).toEqual([
      "2026-01-12T09:30",
      "2026-01-19T09:30",
      "2026-01-26T09:30",
    ]);
  });

  it("count months from the first day", () => {
    const monthly = { frequency: "monthly", start_date: "2026-01-31T23:59:00Z" } as const;
    const dates = datesOf([order({ ...monthly, next_execution_date: "2026-02-28T23:59:00Z" })], "2026-06-01T00:00:00Z");
    expect(dates).toEqual(["2026-02-28T23:59", "2026-03-31T23:59", "2026-04-30T23:59", "2026-05-31T23:59"]);
  });

  it("count months after many years", () => {
    const monthly = { frequency: "monthly", start_date: "2024-02-29T12:00:00Z" } as const;
    const dates = datesOf([order({ ...monthly, next_execution_date: "2032-02-29T12:00:00Z" })], "2032-04-01T00:00:00Z");
    expect(dates).toEqual(["2032-02-29T12:00", "2032-03-29T12:00"]);
  });

  it("have one exactly at the end, and none behind it", () => {
    const daily = order({ frequency: "daily", end_date: "2026-01-13T09:30:00Z" });
    expect(datesOf([daily], "2026-02-01T00:00:00Z")).toEqual(["2026-01-12T09:30", "2026-01-13T09:30"]);
  });

  it("have one that is late, and none of an order whose next one is behind the bound", () => {
    const late = order({ next_execution_date: "2026-01-05T09:30:00Z" });
    const later = order({ id: "two", next_execution_date: "2026-01-19T09:30:00Z" });
    expect(datesOf([later, late], "2026-01-13T00:00:00Z")).toEqual(["2026-01-05T09:30", "2026-01-12T09:30"]);
  });

  it("have each date once of an order that moved on between two pages", () => {
    const moved = order({ next_execution_date: "2026-01-19T09:30:00Z" });
    expect(datesOf([order(), moved], "2026-01-27T00:00:00Z")).toHaveLength(3);
  });

  it("have the earliest first, whichever order they are of", () => {
    const other = order({ id: "two", frequency: "daily", next_execution_date: "2026-01-11T09:30:00Z" });
    const ids = duePayments([order(), other], Date.parse("2026-01-13T00:00:00Z")).map(({ order: { id } }) => id);
    expect(ids).toEqual(["two", "one", "two"]);
  });
});

describe("sums", () => {
  it("are exact, of each account and each currency", () => {
    const before = Date.parse("2026-01-20T00:00:00Z");
    const other = order({ id: "two", currency: "sol", amount: "1", ui_amount: "0.000000001" });
    expect(sumsOf(duePayments([order(), other], before))).toEqual([
      { account: "Household", currency: "usdc", count: 2, units: 25_000_000n, whole: 25n * 10n ** 18n },
      { account: "Household", currency: "sol", count: 2, units: 2n, whole: 2n * 10n ** 9n },
    ]);
  });

  it.each([
    ["12.5", 6, 12_500_000n],
    ["0", 9, 0n],
    ["18446744073709551615", 0, 18_446_744_073_709_551_615n],
    ["0.0000019", 6, 1n],
  ])("%s with %d decimals is %s", (text, decimals, units) => {
    expect(scaled(text, decimals)).toBe(units);
  });
});

it("a day has the payments of the reader's day", () => {
  const days = byDay(duePayments([order({ frequency: "daily" })], Date.parse("2026-01-15T00:00:00Z")));
  expect(days.map(([, payments]) => payments.length)).toEqual([1, 1, 1]);
  expect(days.map(([day]) => new Date(day).getHours())).toEqual([0, 0, 0]);
});
