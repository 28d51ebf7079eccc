/**
 * An amount of base units as the caller gives it: a bigint, or its decimal digits. Throws a `TypeError` for anything else,
 * a JavaScript number above all, which is not exact.
 */
export function toBaseUnits(amount: bigint | string): bigint {
  if (typeof amount === "bigint") return amount;
  if (typeof amount === "string" && /^[0-9]{1,20}$/.test(amount)) return BigInt(amount);
  throw invalidAmount(amount);
}

/** Throws a `TypeError` unless an expected amount is a bigint: of another type it would be equal to no amount at all. */
export function assertBaseUnits(amount: bigint): void {
  if (typeof amount !== "bigint") throw invalidAmount(amount);
}

function invalidAmount(amount: unknown): TypeError {
  return new TypeError(
    `invalid amount: base units are a bigint (5_000_000n, or parseUnits("5", 6)) or a string of digits ("5000000"), not ${
      typeof amount === "string" ? JSON.stringify(amount) : `the ${typeof amount} ${String(amount)}`
    }`,
  );
}
