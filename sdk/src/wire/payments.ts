import type { CustodyProvider } from "./common.js";
import type { PreparedTransaction } from "./transactions.js";

/** Gap 33; `amount` in base units. */
export type PrepareTransferRequest = {
  readonly amount: string;
  readonly source: { readonly account: string; readonly currency: string };
  readonly destination: {
    readonly address: string;
    readonly currency: string;
    readonly confirm_program_address?: boolean;
  };
  /** What the payee is to read with it, at most 256 bytes of UTF-8 (gap 151). */
  readonly memo?: string;
  readonly provider?: CustodyProvider;
  readonly transaction_signers?: readonly string[];
  readonly grid_user_id?: string;
  readonly webhook_url?: string;
};

/** Gap 33. */
export type PreparedTransfer = PreparedTransaction &
  Omit<PaymentIntent, "transaction_signature" | "confirmed_at" | "error"> & {
    /** With `webhook_url`: what those events are signed with. It is not shown again. */
    readonly webhook_secret?: string;
  };

/** How money moves between banks. */
export type BankRail = "ach_push" | "wire" | "sepa" | "faster_payments" | "spei" | "pix";

/** Currencies of banks. */
export type BankCurrency = "usd" | "eur" | "gbp" | "mxn" | "brl";

/** Gap 102; `amount` in base units, whole cents. */
export type PrepareBankPaymentRequest = {
  readonly amount: string;
  readonly source: { readonly account: string; readonly currency: string };
  readonly destination: {
    readonly payment_rail: BankRail;
    readonly currency: BankCurrency;
    readonly external_account_id: string;
    /** What the payee's statement says. */
    readonly reference?: string;
  };
  readonly provider?: CustodyProvider;
  readonly transaction_signers?: readonly string[];
  readonly webhook_url?: string;
};

/** Gap 103; `amount` is a decimal in the bank's currency. */
export type ReceiveFromBankRequest = {
  readonly amount: string;
  readonly source: { readonly payment_rail: BankRail; readonly currency: BankCurrency };
  /** The coin; the partner's usual one if absent. */
  readonly destination: { readonly address?: string; readonly currency?: string };
  readonly webhook_url?: string;
};

/** Gap 103: nothing is signed. `source_deposit_instructions` says where the money has to be sent. */
export type OpenedPayIn = Omit<PaymentIntent, "transaction_signature" | "confirmed_at" | "error"> & {
  readonly webhook_secret?: string;
};

/** Gap 101. Numbers are write-only. */
export type AddExternalAccountRequest = {
  readonly account_type: "us" | "iban" | "gb" | "clabe" | "pix";
  readonly currency: BankCurrency;
  readonly account_owner_name: string;
  readonly account_owner_type?: "individual" | "business";
  readonly first_name?: string;
  readonly last_name?: string;
  readonly business_name?: string;
  readonly bank_name?: string;
  readonly account?: {
    readonly account_number: string;
    readonly routing_number?: string;
    readonly checking_or_savings?: "checking" | "savings";
    readonly sort_code?: string;
  };
  readonly iban?: { readonly account_number: string; readonly bic?: string; readonly country?: string };
  readonly clabe?: { readonly account_number: string };
  readonly pix?: { readonly pix_key: string; readonly document_number?: string };
  readonly address?: {
    readonly street_line_1: string;
    readonly street_line_2?: string;
    readonly city: string;
    readonly state?: string;
    readonly postal_code: string;
    readonly country: string;
  };
};

/** Gap 101. */
export type ExternalAccount = {
  readonly id: string;
  readonly account: string;
  readonly account_type: "us" | "iban" | "gb" | "clabe" | "pix";
  readonly currency: BankCurrency;
  readonly account_owner_name: string;
  readonly bank_name: string | null;
  readonly last_4: string;
  readonly active: boolean;
  readonly created_at: string;
  readonly updated_at: string;
};

/** Gap 45. A payment on chain knows the first five; the others are a bank's. */
export type PaymentIntentState =
  | "awaiting_funds"
  | "payment_submitted"
  | "payment_processed"
  | "canceled"
  | "error"
  | "in_review"
  | "funds_received"
  | "undeliverable"
  | "returned"
  | "refunded";

/** Gap 78. */
export type PaymentIntent = {
  readonly id: string;
  readonly state: PaymentIntentState;
  /** Base units. */
  readonly amount: string;
  readonly currency: string;
  readonly source: { readonly account?: string; readonly currency: string; readonly payment_rail?: string };
  readonly destination: {
    readonly address?: string;
    readonly currency: string;
    readonly payment_rail?: string;
    readonly external_account_id?: string;
    /** In the transaction of a payment on chain (gap 151). */
    readonly memo?: string;
  };
  /** With a bank at either end: where the money has to be sent (gaps 102, 103). */
  readonly source_deposit_instructions?: Readonly<Record<string, string>>;
  /** Of one from a bank that waits for its money: when it is cancelled at the partner (gap 112). */
  readonly expires_at?: string;
  readonly return_details?: { readonly reason: string };
  /** With a bank: what its partner tells. */
  readonly receipt?: Readonly<Record<string, string>>;
  readonly created_at: string;
  /** When the state last moved. */
  readonly updated_at: string;
  /** From `payment_submitted` on. */
  readonly transaction_signature?: string;
  readonly confirmed_at?: string;
  /** Why nothing was paid. */
  readonly error?: { readonly code: string; readonly message: string };
};

/** Gap 78. */
export type ListPaymentIntentsQuery = {
  readonly state?: PaymentIntentState | readonly PaymentIntentState[];
  readonly limit?: number;
  /** From the page before. */
  readonly cursor?: string;
};
