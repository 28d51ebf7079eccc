import type { Generated } from "kysely";

export interface PaymentIntentTable {
  id: string;
  tenant_id: string;
  environment: string;
  account_address: string;
  /** Null where money comes from a bank: nothing is signed for that. */
  prepared_id: string | null;
  /** Which end is a bank's; then a transfer of a partner has the same id. Null: both are on chain. */
  rail: "in" | "out" | null;
  /** Of one that is canceled, or in error, by more than its transaction: what brought that about. Null where that says it. */
  ended_by: "partner" | "time" | "bank_removed" | "data_deleted" | null;
  /** Decimal string: base units, of money from a bank in its currency. */
  amount: string;
  currency: string;
  /** JSON endpoint objects. */
  source: string;
  destination: string;
  /**
   * Moves with the submission of its prepared transaction, in the same statements: `submissions/intent-states.ts`.
   */
  state:
    | "awaiting_funds"
    | "in_review"
    | "funds_received"
    | "payment_submitted"
    | "payment_processed"
    | "canceled"
    | "error"
    | "undeliverable"
    | "returned"
    | "refunded";
  /** Environment time, as the next: when the state last moved. */
  updated_at: bigint;
  created_at: bigint;
  /**
   * Until which block height its transaction can land without the service, where its fee payer's key is the holder's: the clock
   * does not cancel it. Null: the service's key has to sign, or it is proven that it has not landed and never will.
   */
  open_until_height: bigint | null;
  /** With the former: a slot at which it had not landed. */
  prepared_slot: bigint | null;
  /** When the chain's history is searched for it next, environment time; null: there is nothing to search for. */
  attempt_at: bigint | null;
  /** The last signature of that history that was searched, where the search continues. */
  searched_to: string | null;
  /** When it was reported to operators that its outcome cannot be determined, environment time. */
  alarmed_at: bigint | null;
}

/** A payment that is made again and again, within a spending limit that the account gave the executor on chain (gap 42). */
export interface StandingOrderTable {
  id: string;
  tenant_id: string;
  environment: string;
  account_address: string;
  settings_address: string;
  status: "pending" | "active" | "inactive" | "completed" | "cancelled";
  /** Why it is inactive or was cancelled, as clients see it; null otherwise. */
  reason: string | null;
  /** Why the operator has suspended it, for operators alone; null: the operator has not. */
  suspended_for: string | null;
  /** Of one that was inactive before that: the reason it had. */
  suspended_from: string | null;
  /** Decimal string in base units, of one payment. */
  amount: string;
  /** As it was asked for: a symbol, or a mint. */
  currency: string;
  /** Null is SOL. */
  mint: string | null;
  frequency: "daily" | "weekly" | "monthly";
  /** JSON endpoint objects, as answered. */
  source: string;
  destination: string;
  /** The owner that is paid. */
  payee: string;
  /** Where the payee is a bank account: the address on chain that passes coins on to it. */
  payout_address_id: string | null;
  /** The first due date: environment time, Unix milliseconds, as every instant here. */
  start_at: bigint;
  /** Inclusive; null: without end. */
  end_at: bigint | null;
  /** How many due dates there are; null without an end. */
  occurrences: number | null;
  /** The key of the service that may draw on the limit. */
  executor_address: string;
  spending_limit_address: string;
  /** When the limit on chain ends, Unix seconds; null: never. */
  limit_expires_at: bigint | null;
  /** The latest transaction that was prepared to give the limit, or to renew it. */
  prepared_id: string;
  /** Where the limit has to be voted on; null where it is given at once. */
  proposal_address: string | null;
  /** The latest transaction that was prepared to take the limit away again. */
  removal_prepared_id: string | null;
  /** The limit that would replace the present one, where the order was offered a new one; null once it has. */
  renewal_limit_address: string | null;
  /** Of the bounded number of open orders an account may have, the one this takes while it is pending or active. */
  place: number;
  /** Until when a pending order waits for its limit. */
  valid_until: bigint;
  /** What stands on chain: not given yet, given, given and no longer wanted, removed. */
  mandate: "awaited" | "active" | "revocation_pending" | "revoked";
  /** When the limit was first seen on chain. */
  mandated_at: bigint | null;
  /**
   * The next due date that has no end yet: its number, counted from zero, and its instant. Null: none is left. What was
   * cancelled or is inactive keeps the one it had.
   */
  next_index: number | null;
  next_due_at: bigint | null;
  /** When the scheduler checks this order next; null: not before something changes it. */
  attempt_at: bigint | null;
  /** Until when the process that checks it has it to itself, also the name of that check: real time. Null: no process does. */
  leased_until: bigint | null;
  missed_in_a_row: number;
  last_paid_at: bigint | null;
  created_at: bigint;
  updated_at: bigint;
}

/** One due date of a standing order that has been reached: paid, or given up, at most once. */
export interface StandingOrderRunTable {
  order_id: string;
  /** Environment time, Unix milliseconds, as every instant here. With `order_id` the key. */
  due_at: bigint;
  environment: string;
  /** `sending`: signed bytes are stored. `retrying`: something stood in the way, and it is tried again. */
  state: "scheduled" | "sending" | "retrying" | "paid" | "missed";
  /** How many transactions were signed for it, or found to fail before. */
  attempts: number;
  /** How often something stood in the way that time or the account's people have to remove: what back-off counts by. */
  refusals: Generated<number>;
  /** When it was paid, by the block it landed in. */
  paid_at: bigint | null;
  /** The submission that carries it, the latest one. */
  submission_id: string | null;
  /** Of the payment that landed, or that is under way. */
  signature: string | null;
  /** What stood in the way last; null once it is paid. */
  error: string | null;
  /** The last signature of the limit's history that was searched, where the search continues; null: there is none, or it has ended. */
  searched_to: string | null;
  created_at: bigint;
  updated_at: bigint;
}
