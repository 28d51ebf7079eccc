import { InvalidInputError } from "./invalid-input-error.js";

/**
 * An amount as people write it, in base units: `parseUnits("12.5", 6)` is 12_500_000n. `decimals` is the mint's: 6 for the
 * usual dollars, 9 for SOL. Throws a `TypeError` for anything but digits and one point, for a JavaScript number above all,
 * which is not exact; and for more places than the mint has, since nothing is rounded.
 */
export function parseUnits(amount: string, decimals: number): bigint {
  assertDecimals(decimals);
  const match = typeof amount === "string" ? /^([0-9]{1,20})(?:\.([0-9]+))?$/.exec(amount) : null;
  if (match === null) {
    throw new InvalidInputError(
      "invalid_amount",
      `invalid amount: write it as text, with a point and without signs or separators ("12.5"), not ${
        typeof amount === "string" ? JSON.stringify(amount) : `the ${typeof amount} ${String(amount)}`
      }`,
      typeof amount === "string" && /^[0-9. ]*,[0-9]+$/.test(amount) ? "comma" : undefined,
    );
  }
  const [, whole = "", fraction = ""] = match;
  const places = fraction.replace(/0+$/, "");
  if (places.length > decimals) {
    const message = `invalid amount: ${amount} has more than ${decimals} decimals`;
    throw new InvalidInputError("invalid_amount", message, "too_many_decimals");
  }
  return BigInt(whole + places.padEnd(decimals, "0"));
}

/** The same back again, exact and without zeros at its end: `formatUnits(12_500_000n, 6)` is `"12.5"`. */
export function formatUnits(amount: bigint | string, decimals: number): string {
  assertDecimals(decimals);
  const isText = typeof amount === "string" && /^-?[0-9]+$/.test(amount);
  if (typeof amount !== "bigint" && !isText) {
    throw new TypeError(
      `invalid amount: base units are a bigint or its digits, not the ${typeof amount} ${String(amount)}`,
    );
  }
  const units = BigInt(amount);
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return `${units < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

function assertDecimals(decimals: number): void {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 255) {
    throw new TypeError(`invalid decimals: a mint has 0 to 255, not ${String(decimals)}`);
  }
}
