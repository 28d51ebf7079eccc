/** What lists of transfers and transactions are asked with, besides a type and a status (gap 82). */
export type HistoryQuery = {
  /** A symbol, or a mint. */
  readonly currency?: string;
  /** A date, a date-time, or Unix seconds as text; both ends are included. */
  readonly start_date?: string;
  readonly end_date?: string;
  /** A transaction's signature. */
  readonly tx_hash?: string;
  readonly limit?: number;
  readonly cursor?: string;
};

/** Money that came to an account or left it (gap 34). */
export type SplTransfer = {
  readonly id: string;
  readonly grid_user_id: string;
  readonly main_account_address: string;
  /** The system program's address for SOL. */
  readonly mint: string;
  readonly is_token_2022: boolean;
  readonly signature: string;
  readonly confirmation_status: "confirmed" | "finalized";
  /** Owners; the system program's address where nobody is named. */
  readonly from_address: string;
  readonly to_address: string;
  /** Base units. */
  readonly amount: string;
  /** Major units, exact. */
  readonly ui_amount: string;
  readonly decimals: number;
  readonly confirmed_at: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly direction: "inflow" | "outflow";
  readonly environment: "sandbox" | "devnet" | "mainnet";
  readonly instruction_index: number;
};

/** How it moved is the key. */
export type Transfer =
  | { readonly Spl: SplTransfer; readonly Bridge?: never }
  | { readonly Bridge: RailMovement; readonly Spl?: never };

/** One end of a movement: a bank's, or one on chain. */
export type RailMovementEnd = {
  readonly currency: string;
  readonly payment_rail?: string;
  readonly from_address?: string;
  readonly to_address?: string;
  readonly external_account_id?: string;
};

/** Money that a partner moves between a bank and an account. */
export type RailMovement = {
  /** Of the deposit, or of the payment intent. */
  readonly id: string;
  readonly kind: "deposit" | "pay_in" | "pay_out";
  readonly virtual_account_id?: string;
  readonly grid_user_id: string;
  readonly main_account_address: string;
  readonly direction: "inflow" | "outflow";
  /** Where the partner has it (gap 45). */
  readonly state:
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
  /** A decimal in `currency`. */
  readonly amount: string;
  readonly currency: string;
  readonly source: RailMovementEnd;
  readonly destination: RailMovementEnd;
  readonly receipt: {
    readonly initial_amount: string;
    readonly developer_fee?: string;
    readonly exchange_fee?: string;
    readonly gas_fee?: string;
    readonly exchange_rate?: string;
    readonly subtotal_amount?: string;
    /** What arrived, on chain or at the bank, in major units. */
    readonly final_amount?: string;
    /** Of a payment to a bank: the `Spl` item of the same signature is what it cost. */
    readonly source_tx_hash?: string;
    /** The `Spl` item of the same signature is what it brought; of a payment to a bank: what came back. */
    readonly destination_tx_hash?: string;
    readonly url?: string;
  };
  readonly return_details?: { readonly reason: string };
  /** Whether the chain shows its payment to the account, or to the partner, final. */
  readonly credited: boolean;
  readonly confirmed_at?: string;
  readonly environment: "sandbox" | "devnet" | "mainnet";
  readonly created_at: string;
  readonly updated_at: string;
};

/** A transaction that had to do with an account (gap 34). */
export type HistoryTransaction = {
  readonly id: string;
  readonly signature: string;
  readonly status: "confirmed" | "finalized" | "failed";
  readonly created_at: string;
  readonly confirmed_at: string;
  readonly kind:
    | "account_creation"
    | "settings_change"
    | "spending_limit_payment"
    | "payment"
    | "custom"
    | "proposal_execution"
    | "proposal_creation"
    | "proposal_vote"
    | "proposal_close"
    | "deposit"
    | "other";
  /** Why it failed, as the chain puts it. */
  readonly error?: unknown;
};
