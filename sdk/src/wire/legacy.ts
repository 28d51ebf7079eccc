import type { PaymentIntentState } from "./payments.js";

/** Interface 4.16. `expiration`: life of the credential bundle in seconds. */
export type LegacyAuthRequest = {
  readonly email: string;
  readonly app_name?: string;
  readonly app_icon_url?: string;
  readonly expiration?: number;
};

/** Interface 4.16. */
export type LegacyStartedAuth = { readonly otp_id: string; readonly mpc_primary_id: string };

/** Interface 4.16, gap 61. `auth_public_key`: base64 SPKI DER, or the uncompressed point in hex. */
export type LegacyVerifyRequest = LegacyStartedAuth & {
  readonly otp_code: string;
  readonly auth_public_key: string;
  readonly expiration?: number;
  readonly smart_account_address?: string;
};

/** Interface 4.16. */
export type LegacyVerified = {
  readonly credential_bundle: string;
  readonly account_info: {
    readonly mpc_primary_id: string;
    readonly smart_account_signer_public_key: string;
    readonly wallet_id: string;
    readonly smart_account_address: string;
    readonly grid_user_id: string;
  };
};

/** Gap 79; `amount` in base units (gap 80). */
export type LegacyPaymentIntentRequest = {
  readonly amount: string;
  readonly source: { readonly currency: string; readonly account?: string; readonly payment_rail?: string };
  readonly destination: {
    readonly address: string;
    readonly confirm_program_address?: boolean;
    readonly currency?: string;
    readonly payment_rail?: string;
  };
  /** What the payee is to read with it, at most 256 bytes of UTF-8 (gap 151). */
  readonly memo?: string;
  readonly transaction_signers?: readonly string[];
  readonly grid_user_id?: string;
  readonly webhook_url?: string;
};

/** Interface 2.15, gap 79. */
export type LegacyPaymentIntent = {
  readonly PaymentProvider: {
    readonly id: string;
    readonly amount: string;
    readonly blockchain_memo: string | null;
    readonly client_reference_id: string | null;
    readonly developer_fee: string;
    readonly on_behalf_of: string;
    readonly state: PaymentIntentState;
    readonly created_at: string;
    readonly updated_at: string;
    readonly currency: string | null;
    readonly return_details: { readonly reason: string } | null;
    readonly source_deposit_instructions: Readonly<Record<string, string>> | null;
    readonly source: LegacyPaymentFields<
      | "bank_beneficiary_address"
      | "bank_beneficiary_name"
      | "bank_name"
      | "bank_routing_number"
      | "description"
      | LegacyEndpointField
    >;
    readonly destination: LegacyPaymentFields<
      | "ach_reference"
      | "blockchain_memo"
      | "sepa_reference"
      | "swift_charges"
      | "swift_reference"
      | "to_address"
      | "trace_number"
      | "uetr"
      | "wire_message"
      | LegacyEndpointField
    >;
    readonly receipt: LegacyPaymentFields<
      | "destination_tx_hash"
      | "developer_fee"
      | "exchange_fee"
      | "exchange_rate"
      | "final_amount"
      | "gas_fee"
      | "initial_amount"
      | "remaining_prefunded_balance"
      | "source_tx_hash"
      | "subtotal_amount"
      | "url"
    >;
  };
};

type LegacyEndpointField =
  | "bridge_wallet_id"
  | "currency"
  | "external_account_id"
  | "from_address"
  | "imad"
  | "omad"
  | "payment_rail";

/** Null: unknown, or nothing that a payment on chain has. */
type LegacyPaymentFields<Names extends string> = { readonly [Name in Names]: string | null };

/** Gap 79. */
export type PreparedLegacyPaymentIntent = LegacyPaymentIntent & {
  /** Base64 wire transaction; null where money comes from a bank: nothing is signed. */
  readonly intent_payload: string | null;
  /** Base64 of the document to sign; null where the account's own keys sign the transaction. */
  readonly mpc_payload: string | null;
};

/** Interface 4.16, gap 79. */
export type ConfirmLegacyPaymentIntentRequest = {
  /** Absent for money from a bank. */
  readonly intent_payload?: string;
  /** JSON of one signed payload, or base64 of it. */
  readonly mpc_payload?: string;
};
