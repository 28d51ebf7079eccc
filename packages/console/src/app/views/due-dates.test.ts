import type { StandingOrder } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { duesWithin, lastOf, paymentsLeft, sumsOf, utcOf } from "./due-dates.js";

const at = Date.parse;
const now = at("2026-01-30T12:00:00Z");

const order = (fields: Partial<StandingOrder>): StandingOrder =>
  ({
    id: "one",
    status: "active",
    amount: "1000000",
    currency: "usdc",
    frequency: "monthly",
    start_date: "2025-08-31T09:00:00.000Z",
    next_execution_date: "2026-01-31T09:00:00.000Z",
    ...fields,
  }) as StandingOrder;

describe("the due dates of the next days", () => {
  it("count months from the first date, and the last day where a month is shorter", () => {
    expect(duesWithin([order({})], now, 30).map(({ atMs }) => new Date(atMs).toISOString())).toEqual([
      "2026-01-31T09:00:00.000Z",
      "2026-02-28T09:00:00.000Z",
    ]);
  });

  it("end with the order's end, which counts, and begin with what is overdue", () => {
    const ending = order({
      frequency: "daily",
      start_date: "2026-01-29T09:00:00.000Z",
      next_execution_date: "2026-01-30T09:00:00.000Z",
      end_date: "2026-02-01T09:00:00.000Z",
    });
    expect(duesWithin([ending], now, 30).map(({ atMs }) => new Date(atMs).toISOString().slice(0, 10))).toEqual([
      "2026-01-30",
      "2026-01-31",
      "2026-02-01",
    ]);
  });

  it("are those of active orders alone, the earliest first", () => {
    const weekly = order({
      id: "two",
      frequency: "weekly",
      start_date: "2026-01-30T18:00:00.000Z",
      next_execution_date: "2026-01-30T18:00:00.000Z",
    });
    const found = duesWithin([order({}), weekly, order({ status: "inactive" })], now, 8);
    expect(found.map(({ order: { id } }) => id)).toEqual(["two", "one", "two"]);
  });
});

describe("what a resumed order still pays", () => {
  const left = (fields: Partial<StandingOrder>) => {
    const { nextMs, count } = paymentsLeft(order(fields), now);
    return [nextMs === undefined ? undefined : new Date(nextMs).toISOString(), count];
  };

  it("begins with its next due date, and has no count where it has no end", () => {
    expect(left({})).toEqual(["2026-01-31T09:00:00.000Z", undefined]);
  });

  it("counts the due dates up to its end, which counts, and none behind it", () => {
    const daily = { frequency: "daily", start_date: "2026-01-20T12:00:00.000Z" } as const;
    expect(left({ ...daily, end_date: "2026-02-01T12:00:00.000Z" })).toEqual(["2026-01-30T12:00:00.000Z", 3]);
    expect(left({ ...daily, end_date: "2026-01-29T12:00:00.000Z" })).toEqual([undefined, 0]);
  });
});

describe("what is due", () => {
  const dues = duesWithin([order({}), order({ currency: "sol", amount: "5" })], now, 30);

  it("is summed for each currency, and says from when on it is not covered", () => {
    expect(sumsOf(dues, new Map([["usdc", 1_500_000n]]))).toEqual([
      { currency: "usdc", due: 2_000_000n, held: 1_500_000n, shortFromMs: at("2026-02-28T09:00:00.000Z") },
      { currency: "sol", due: 10n, held: 0n, shortFromMs: at("2026-01-31T09:00:00.000Z") },
    ]);
  });

  it("is covered to the last unit", () => {
    const held = new Map([
      ["usdc", 2_000_000n],
      ["sol", 10n],
    ]);
    expect(sumsOf(dues, held).map(({ shortFromMs }) => shortFromMs)).toEqual([undefined, undefined]);
  });
});

it("the last of twelve months is eleven months behind the first", () => {
  expect(new Date(lastOf("monthly", at("2026-01-31T09:00:00Z"), 12)).toISOString()).toBe("2026-12-31T09:00:00.000Z");
  expect(lastOf("weekly", now, 1)).toBe(now);
});

it("a date and a time are read as UTC, or not at all", () => {
  expect(utcOf("2026-01-30T12:00")).toBe(now);
  expect(utcOf("2026-02-31T12:00")).toBeUndefined();
  expect(utcOf("")).toBeUndefined();
});
