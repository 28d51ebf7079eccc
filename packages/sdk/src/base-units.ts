import type { Address } from "@solana/addresses";
import { InvalidInputError } from "./invalid-input-error.js";
import { parseUnits } from "./units.js";

/** How much: in base units, or as people write it; one of the two. */
export type GivenAmount =
  | {
      /** Base units, as a bigint or its digits. */
      readonly amount: bigint | string;
      readonly uiAmount?: undefined;
    }
  | {
      /**
       * As people write it, `"12.5"`: exact, and refused with more decimals than the mint has. How many those are is known of
       * the usual currencies; of others they are named in the client's option `decimals`, or with the call.
       */
      readonly uiAmount: string;
      readonly amount?: undefined;
    };

/** The same where there need be none. */
export type MaybeAmount = GivenAmount | { readonly amount?: undefined; readonly uiAmount?: undefined };

/** An amount that means one thing, and the decimals it was read with, where it depends on them. */
export type ExactAmount = { readonly amount: bigint; readonly decimals?: number };

/**
 * Brings a given amount of a mint to base units. `decimals` is what the caller says the mint has. Throws a `TypeError` for no
 * amount, for two, for one that is not exact, and for `uiAmount` of a mint whose decimals are not given.
 */
export function toExactAmount(given: MaybeAmount, mint: Address | null, decimals: number | undefined): ExactAmount {
  const { amount, uiAmount } = given;
  if (uiAmount === undefined) {
    if (amount === undefined)
      throw new InvalidInputError("invalid_amount", 'no amount: give `amount` in base units, or `uiAmount`, "12.5"');
    return { amount: toBaseUnits(amount), ...(decimals === undefined ? {} : { decimals }) };
  }
  if (amount !== undefined) {
    throw new InvalidInputError(
      "invalid_amount",
      "two amounts: give `amount` in base units, or `uiAmount`, and not both",
    );
  }
  if (decimals === undefined) {
    throw new TypeError(
      `how many decimals ${String(mint)} has is not known here: name them in the option decimals, or give the amount in base units`,
    );
  }
  return { amount: parseUnits(uiAmount, decimals), decimals };
}

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

function invalidAmount(amount: unknown): InvalidInputError {
  const isDecimal = typeof amount === "string" && /^[0-9]+\.[0-9]+$/.test(amount);
  return new InvalidInputError(
    "invalid_amount",
    `invalid amount: base units are a bigint (5_000_000n, or parseUnits("5", 6)) or a string of digits ("5000000"), not ${
      typeof amount === "string" ? JSON.stringify(amount) : `the ${typeof amount} ${String(amount)}`
    }${isDecimal ? "; as people write it, it goes into uiAmount" : ""}`,
  );
}
