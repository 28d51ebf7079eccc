import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatUnits, parseBaseUnits } from "./money.js";

describe("amounts", () => {
  it("are whole numbers of base units in decimal", () => {
    expect(parseBaseUnits("1", "amount")).toBe(1n);
    expect(parseBaseUnits("18446744073709551615", "amount")).toBe(18_446_744_073_709_551_615n);
  });

  it.each(["0", "", "-1", "1.5", "1e9", " 1", "0x10", "18446744073709551616", "٣", "99999999999999999999999"])(
    "refuses %j",
    (text) => {
      expect(() => parseBaseUnits(text, "amount")).toThrow(expect.objectContaining({ code: "invalid_amount" }));
    },
  );

  it("are written exactly in major units", () => {
    expect(formatUnits(1_500_000n, 6)).toBe("1.5");
    expect(formatUnits(1n, 9)).toBe("0.000000001");
    expect(formatUnits(0n, 6)).toBe("0");
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.integer({ min: 0, max: 12 }), (amount, decimals) => {
        const [whole = "", fraction = ""] = formatUnits(amount, decimals).split(".");
        expect(BigInt(whole + fraction.padEnd(decimals, "0"))).toBe(amount);
      }),
    );
  });
});
