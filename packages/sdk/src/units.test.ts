import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatUnits, parseUnits } from "./units.js";

describe("amounts as people write them", () => {
  it("become base units, exactly", () => {
    expect(parseUnits("12.5", 6)).toBe(12_500_000n);
    expect(parseUnits("0.000001", 6)).toBe(1n);
    expect(parseUnits("18446744073709551615", 0)).toBe(18_446_744_073_709_551_615n);
    expect(parseUnits("007.10", 1)).toBe(71n);
    expect(formatUnits(12_500_000n, 6)).toBe("12.5");
    expect(formatUnits("1", 9)).toBe("0.000000001");
    expect(formatUnits(-1_500_000n, 6)).toBe("-1.5");
    expect(formatUnits(0n, 6)).toBe("0");
  });

  it("are the same after parsing and formatting", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.nat(18), (units, decimals) => {
        expect(parseUnits(formatUnits(units, decimals), decimals)).toBe(units);
      }),
    );
  });

  it("are refused where they are not exact or can be misread", () => {
    for (const wrong of ["", ".5", "5.", "1,5", "1e3", "-1", "+1", " 1", "1 000", "0x10", "12.5.1", "٣"]) {
      expect(() => parseUnits(wrong, 6), wrong).toThrow(TypeError);
    }
    expect(() => parseUnits(12.5 as unknown as string, 6)).toThrow("not the number 12.5");
    expect(() => parseUnits("0.0000001", 6)).toThrow("more than 6 decimals");
    expect(parseUnits("0.1000000", 6)).toBe(100_000n);
    expect(() => parseUnits("1", 1.5)).toThrow("invalid decimals");
    expect(() => formatUnits(1.5 as unknown as bigint, 6)).toThrow("not the number 1.5");
    expect(() => formatUnits("1.5", 6)).toThrow(TypeError);
  });
});
