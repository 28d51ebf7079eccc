import { TrellisError } from "./errors.js";

const u64Max = 18_446_744_073_709_551_615n;

/**
 * Reads an amount in base units: a decimal string of digits, above zero, within 64 bits (gap 9).
 * Throws `invalid_amount` naming the field.
 */
export function parseBaseUnits(text: string, field: string): bigint {
  if (!/^[0-9]{1,20}$/.test(text)) {
    throw new TrellisError("invalid_amount", {
      field,
      ...(/^[0-9]*[.,][0-9]+$/.test(text)
        ? { suggestion: "Count in the smallest unit, without a point: of a token with six decimals 1.5 is 1500000." }
        : {}),
    });
  }
  const amount = BigInt(text);
  if (amount === 0n) throw new TrellisError("invalid_amount", { field });
  if (amount > u64Max) {
    throw new TrellisError("invalid_amount", { field, message: `An amount on chain is at most ${u64Max} base units.` });
  }
  return amount;
}

/** Base units as a decimal number in major units, exactly: `formatUnits(1500000n, 6)` is `"1.5"`. */
export function formatUnits(baseUnits: bigint, decimals: number): string {
  const digits = baseUnits.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? "" : digits.slice(-decimals).replace(/0+$/, "");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
