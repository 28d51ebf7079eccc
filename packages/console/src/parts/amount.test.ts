import { expect, it } from "vitest";
import { formatUnits } from "./amount.js";

it.each([
  ["0", 6, "0"],
  ["1", 6, "0.000001"],
  ["12500000", 6, "12.5"],
  ["1234567890123456789", 9, "1,234,567,890.123456789"],
  ["18446744073709551615", 0, "18,446,744,073,709,551,615"],
  ["1000", 0, "1,000"],
  ["-1500000", 6, "−1.5"],
  ["-1", 9, "−0.000000001"],
  ["100000000000", 6, "100,000"],
])("%s base units of %d decimals are written %s", (units, decimals, expected) => {
  expect(formatUnits(units, decimals)).toBe(expected);
});
