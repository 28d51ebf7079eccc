import type { PaymentIntentState } from "./payments.js";
import type { LimitDecision } from "./spending-limits.js";
import type { PreparedTransaction } from "./transactions.js";

/** How often a standing order pays (gap 42). */
export type StandingOrderFrequency = "daily" | "weekly" | "monthly";

/** Gap 42. */
export type StandingOrderStatus = "pending" | "active" | "inactive" | "completed" | "cancelled";

/** Interface 2.12, gap 68. */
export type StandingOrder = {
  readonly id: string;
  readonly status: StandingOrderStatus;
  /** Why it is inactive, or was cancelled. */
  readonly reason?: string;
  /** What stands on chain: no limit yet, one, one that is no longer wanted, none any more. */
  readonly mandate: "awaited" | "active" | "revocation_pending" | "revoked";
  /** Base units of one payment. */
  readonly amount: string;
  readonly ui_amount: string;
  readonly currency: string;
  readonly frequency: StandingOrderFrequency;
  readonly period: StandingOrderFrequency;
  readonly payment_rail: string;
  readonly source: { readonly account: string; readonly currency: string };
  /** Of a bank account: `address` is the owner on chain at which the partner takes the coins (gap 119). */
  readonly destination: {
    readonly address: string;
    readonly currency: string;
    readonly payment_rail: string;
    readonly external_account_id?: string;
    readonly last_4?: string;
  };
  readonly destinations: readonly string[];
  readonly start_date: string;
  readonly end_date?: string;
  readonly occurrences?: number;
  readonly next_execution_date: string;
  readonly last_execution_date?: string;
  readonly remaining_amount?: string;
  readonly spending_limit_address: string;
  readonly executor_address: string;
  readonly proposal_address?: string;
  readonly valid_until: string;
  readonly created_at: string;
  readonly updated_at: string;
};

/** Interface 4.8, gap 66. */
export type CreateStandingOrderRequest = LimitDecision & {
  readonly amount: string;
  readonly frequency: StandingOrderFrequency;
  readonly source: { readonly account: string; readonly currency: string };
  readonly destination:
    | { readonly address: string; readonly currency: string; readonly confirm_program_address?: boolean }
    | { readonly external_account_id: string; readonly payment_rail: string; readonly currency?: string };
  readonly start_date?: string;
  readonly end_date?: string | null;
};

/** Interface 2.12, gap 66. */
export type PreparedStandingOrder = StandingOrder &
  PreparedTransaction & {
    /** The first due dates. */
    readonly next_execution_dates: readonly string[];
    readonly transaction_index?: number;
  };

/** Gaps 70 and 71: with a transaction where anything is to be signed. */
export type ChangedStandingOrder = StandingOrder &
  Partial<PreparedTransaction> & {
    readonly transaction_index?: number;
    readonly renewal_limit_address?: string;
  };

/** Interface 4.9, gap 68. */
export type ListStandingOrdersQuery = {
  readonly status?: StandingOrderStatus;
  readonly currency?: string;
  readonly start_date?: string;
  readonly end_date?: string;
  readonly tx_hash?: string;
  readonly limit?: number;
  readonly cursor?: string;
};

/** One due date of a standing order that has come (gap 69). */
export type StandingOrderRun = {
  readonly due_at: string;
  readonly state: "scheduled" | "sending" | "retrying" | "paid" | "missed";
  readonly attempts: number;
  readonly signature: string | null;
  readonly error: string | null;
  /** Of an order to a bank account: what became of the money there; null: the partner has not told (gap 120). */
  readonly payout?: StandingOrderPayout | null;
};

/** What became of a payment of a standing order at the bank: the bank's word, never the chain's (gap 120). */
export type StandingOrderPayout = {
  readonly id: string;
  readonly state: PaymentIntentState;
  readonly amount: string;
  readonly return_reason: string | null;
  readonly receipt: Readonly<Record<string, string>> | null;
  readonly created_at: string;
  readonly updated_at: string;
};
