import { knownMints } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { currenciesOf } from "../../parts/currencies.js";
import { blankOrder, draftFaults, type OrderDraft, termsOf } from "./order-draft.js";

const now = Date.parse("2026-01-30T12:00:00Z");
const currencies = currenciesOf("mainnet");
const blank = blankOrder(currencies, now) as OrderDraft;

describe("the currency of an order", () => {
  it("is asked for as it is shown, also where the choice was left as it was", () => {
    expect(currencies).toContain(blank.currency);
    expect(blank.currency).toMatchObject({ symbol: "USDC", mint: knownMints("mainnet").usdc });
    expect(termsOf(blank, 1n, now).currency).toBe(blank.currency.mint);
  });

  it.each(currencies)("is asked for as it was chosen: $symbol", (currency) => {
    expect(termsOf({ ...blank, currency }, 1n, now).currency).toBe(currency.mint ?? "sol");
  });

  it("is none where no currency is known", () => {
    expect(blankOrder([], now)).toBeUndefined();
  });
});

describe("a draft of an order", () => {
  const draft: OrderDraft = { ...blank, frequency: "weekly", start: "", count: "" };
  const read = { amount: { units: 1n }, startMs: now + 1, nowMs: now, isPayee: true };
  const none = { payee: undefined, amount: undefined, start: undefined, end: undefined };

  it("needs a payee, an amount and a start that lies ahead", () => {
    expect(draftFaults(draft, read)).toEqual(none);
    const empty = { amount: { fault: "missing" }, startMs: now - 1, nowMs: now, isPayee: false } as const;
    expect(draftFaults(draft, empty)).toEqual({ ...none, payee: "payee", amount: "missing", start: "start" });
    expect(draftFaults(draft, { ...read, startMs: undefined }).start).toBe("start");
  });

  it.each([
    ["1", undefined],
    ["3654", undefined],
    ["3655", "count"],
    ["0", "count"],
    ["1.5", "count"],
    ["", "count"],
  ])("ends after %j payments", (count, fault) => {
    expect(draftFaults({ ...draft, ending: "count", count }, read).end).toBe(fault);
  });

  it.each([
    ["2026-01-30", undefined],
    ["2026-01-29", "last-day"],
    ["2199-01-01", "last-day"],
    ["", "last-day"],
  ])("ends on %j", (lastDay, fault) => {
    expect(draftFaults({ ...draft, ending: "day", lastDay }, read).end).toBe(fault);
  });
});
