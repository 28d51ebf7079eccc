import type { CustodyProvider } from "./common.js";
import type { PreparedTransaction } from "./transactions.js";

/** How often a spending limit starts anew; a month has 30 days (gap 41). */
export type SpendingLimitPeriod = "one_time" | "day" | "week" | "month";

/** Gap 41: requests may use either word. */
export type RequestedPeriod = SpendingLimitPeriod | "daily" | "weekly" | "monthly";

/** Gap 41. */
export type SpendingLimit = {
  readonly address: string;
  readonly settings_address: string;
  readonly main_account_address: string;
  readonly environment: "sandbox" | "devnet" | "mainnet";
  /** Null is SOL. */
  readonly mint: string | null;
  readonly currency?: string;
  /** Base units per period. */
  readonly amount: string;
  /** What a payment could take now, balance aside. */
  readonly remaining_amount: string;
  readonly period: SpendingLimitPeriod;
  readonly last_reset: string;
  /** Null for a one-time limit. */
  readonly next_reset: string | null;
  readonly signers: readonly string[];
  /** Empty: anybody may be paid. */
  readonly destinations: readonly string[];
  /** Null: never. */
  readonly expiration: string | null;
  readonly usable: boolean;
};

/** Gap 41: who signs the change and who pays for it. */
export type LimitDecision = {
  readonly transaction_signers?: readonly string[];
  readonly provider?: CustodyProvider;
  readonly fee_config?: { readonly self_managed_fees?: boolean; readonly [member: string]: unknown };
  readonly payer_address?: string;
};

/** Gap 41. */
export type CreateSpendingLimitRequest = LimitDecision & {
  /** Base units; a number has to be a safe integer. */
  readonly amount: string | number;
  /** Currency or mint address; null is SOL. */
  readonly mint: string | null;
  readonly period: RequestedPeriod;
  readonly spending_limit_signers: readonly string[];
  readonly destinations?: readonly string[];
  /** ISO 8601 or Unix seconds; absent or null: never. */
  readonly expiration?: string | number | null;
};

/** Gap 41: what is absent stays. */
export type UpdateSpendingLimitRequest = Partial<CreateSpendingLimitRequest>;

/** Gap 41. */
export type PreparedSpendingLimit = PreparedTransaction & { readonly spending_limit_address: string };

/** Gap 41. */
export type PayFromSpendingLimitRequest = {
  readonly amount: string | number;
  readonly signer_address: string;
  readonly recipient_address: string;
  /** True: the recipient is an address that a program signs for (gap 147). */
  readonly confirm_program_address?: boolean;
  readonly fee_config?: { readonly self_managed_fees?: boolean; readonly [member: string]: unknown };
  readonly payer_address?: string;
};

/** Gap 41. */
export type ListSpendingLimitsQuery = {
  readonly limit?: number;
  readonly cursor?: string;
  readonly mint?: string;
  readonly signer?: string;
};
