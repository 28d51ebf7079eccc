import type { Address, ReadonlyUint8Array } from "@solana/kit";
import { ZERO_ADDRESS } from "./addresses.js";
import { getSpendingLimitDecoder, SPENDING_LIMIT_DISCRIMINATOR } from "./generated/accounts/index.js";
import { Period, type SpendingLimitState } from "./generated/types/index.js";
import { decodeAccountData } from "./program-data.js";

/** The expiration of a limit that never expires. */
export const NEVER_EXPIRES = 9_223_372_036_854_775_807n;

/** Seconds after which the allowance is full again; a one-time limit never is. */
export const PERIOD_SECONDS: Readonly<Record<Period, bigint | null>> = {
  [Period.OneTime]: null,
  [Period.Day]: 86_400n,
  [Period.Week]: 604_800n,
  [Period.Month]: 2_592_000n,
};

/** An allowance its signers may use without votes. */
export type SpendingLimit = {
  readonly settings: Address;
  readonly seed: Address;
  readonly accountIndex: number;
  /** Null: SOL. */
  readonly mint: Address | null;
  /** Per period. */
  readonly amountBaseUnits: bigint;
  readonly period: Period;
  /** As stored; a period that has passed is only refilled by the next payment, see `remainingAt`. */
  readonly remainingBaseUnits: bigint;
  /** Unix seconds. */
  readonly lastReset: bigint;
  readonly bump: number;
  readonly signers: readonly Address[];
  /** Owners, not token accounts; empty: anybody may be paid. */
  readonly destinations: readonly Address[];
  /** Unix seconds; null: never. */
  readonly expiration: bigint | null;
};

const decoder = getSpendingLimitDecoder();

/** Reads the data of a spending limit account. Throws a `ProgramDataError` for anything else. */
export function decodeSpendingLimit(data: ReadonlyUint8Array): SpendingLimit {
  return spendingLimitOfState(decodeAccountData("spending limit", data, SPENDING_LIMIT_DISCRIMINATOR, decoder));
}

/** The plain form of a spending limit that was received inside an event. */
export function spendingLimitOfState(state: SpendingLimitState): SpendingLimit {
  return {
    settings: state.settings,
    seed: state.seed,
    accountIndex: state.accountIndex,
    mint: state.mint === ZERO_ADDRESS ? null : state.mint,
    amountBaseUnits: state.amount,
    period: state.period,
    remainingBaseUnits: state.remainingAmount,
    lastReset: state.lastReset,
    bump: state.bump,
    signers: state.signers,
    destinations: state.destinations,
    expiration: state.expiration === NEVER_EXPIRES ? null : state.expiration,
  };
}

/** A limit as a payment at some moment would find it. */
export type LimitStanding = {
  /** What the payment may take. */
  readonly remainingBaseUnits: bigint;
  /** Unix seconds: since when the allowance counts. */
  readonly lastReset: bigint;
  /** Unix seconds: the first at which it is full again; null for a one-time limit. */
  readonly nextReset: bigint | null;
};

/**
 * What the program makes of a limit at `unixSeconds`. The allowance is full again once strictly more than a period has
 * passed since the last reset, which then moves by whole periods. Does not check the expiration.
 */
export function standingAt(limit: SpendingLimit, unixSeconds: bigint): LimitStanding {
  const seconds = PERIOD_SECONDS[limit.period];
  const { remainingBaseUnits, lastReset } = limit;
  if (seconds === null) return { remainingBaseUnits, lastReset, nextReset: null };
  const elapsed = unixSeconds - lastReset;
  if (elapsed <= seconds) return { remainingBaseUnits, lastReset, nextReset: lastReset + seconds + 1n };
  const moved = lastReset + (elapsed / seconds) * seconds;
  return { remainingBaseUnits: limit.amountBaseUnits, lastReset: moved, nextReset: moved + seconds + 1n };
}

/** What a payment at `unixSeconds` may take, see `standingAt`. */
export function remainingAt(limit: SpendingLimit, unixSeconds: bigint): bigint {
  return standingAt(limit, unixSeconds).remainingBaseUnits;
}

/** Bytes of a spending limit account. */
export const spendingLimitSize = (signerCount: number, destinationCount: number): number =>
  147 + 32 * (signerCount + destinationCount);
