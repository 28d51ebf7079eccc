import { describe, expect, it } from "vitest";
import { readAmount } from "./amount-of.js";

describe("an amount as people write it", () => {
  it.each([
    ["1234.5", 1_234_500_000n],
    ["1,234.50", 1_234_500_000n],
    ["1,234,567", 1_234_567_000_000n],
    ["1,234,567.000001", 1_234_567_000_001n],
    // The point separates decimals, also in front of three of them.
    ["1.234", 1_234_000n],
    ["0.000001", 1n],
    ["12.50000000000", 12_500_000n],
    [" 7 ", 7_000_000n],
    ["007", 7_000_000n],
    ["18446744073709.551615", 18_446_744_073_709_551_615n],
  ])("%s can be meant one way only", (text, units) => {
    expect(readAmount(text, 6)).toEqual({ units });
  });

  it.each([
    ["", "missing"],
    ["  ", "missing"],
    ["1,234", "comma"],
    ["12,5", "comma"],
    ["1.234,50", "comma"],
    ["1,23,456.00", "comma"],
    ["1234,567.00", "comma"],
    ["0,123.00", "comma"],
    [",5", "comma"],
    ["1.234.567", "form"],
    ["1 234.50", "form"],
    ["1'234.50", "form"],
    [".5", "form"],
    ["5.", "form"],
    ["-5", "form"],
    ["+5", "form"],
    ["1e3", "form"],
    ["0x10", "form"],
    ["$5", "form"],
    ["5 USDC", "form"],
    ["１２", "form"],
    ["٣", "form"],
    ["1\u200b0", "form"],
    ["0.0000001", "decimals"],
    ["0", "zero"],
    ["0.00", "zero"],
    ["18446744073709.551616", "large"],
  ])("%s is refused", (text, fault) => {
    expect(readAmount(text, 6)).toEqual({ fault });
  });

  it("has the decimals of its currency", () => {
    expect(readAmount("1.5", 9)).toEqual({ units: 1_500_000_000n });
    expect(readAmount("3", 0)).toEqual({ units: 3n });
    expect(readAmount("3.1", 0)).toEqual({ fault: "decimals" });
    expect(readAmount("3.0", 0)).toEqual({ units: 3n });
  });
});
