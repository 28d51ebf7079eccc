/** Bodies as they travel: names and shapes of the wire, so snake_case where the wire has it. */

/** `production` is another word for `mainnet` (gap 1). */
export type WireEnvironment = "sandbox" | "devnet" | "mainnet" | "production";

/** Interface 2.9. */
export type Provider = "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
/** The providers that hold keys at the service (gap 35). */
export type CustodyProvider = "kms_a" | "kms_b";

/** Interface 2.2. */
export type Permission = "CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE";

/** Interface 2.1. */
export type Envelope<Data> = {
  readonly data: Data;
  readonly metadata: {
    readonly request_id: string;
    readonly timestamp: string;
    readonly next_cursor?: string;
    readonly complete_at?: string;
  };
};

/** Interface 2.3. `role` is `primary` or `backup` (gap 15). */
export type PolicySigner = {
  readonly address: string;
  readonly permissions: readonly Permission[];
  readonly role?: "primary" | "backup";
  readonly provider?: Provider;
};

/** Interface 2.3; `time_lock` in seconds (gap 16). */
export type Policies = {
  readonly signers: readonly PolicySigner[];
  readonly threshold: number;
  readonly admin_address: string | null;
  readonly time_lock: number;
};

/** Interface 4.1, e-mail form. */
export type CreateEmailAccountRequest = {
  readonly type: "email";
  readonly email: string;
  readonly memo?: string;
};

/** Interface 4.1, signer form with plain keys, which get all three permissions (gap 14). */
export type CreateSignersAccountRequest = {
  readonly type: "signers";
  readonly signers: readonly string[];
  readonly threshold: number;
  readonly memo?: string;
};

/** Interface 4.1, signer form with policies (gap 14). */
export type CreatePoliciesAccountRequest = {
  readonly type: "signers";
  readonly policies: {
    readonly signers: readonly PolicySigner[];
    readonly threshold: number;
    readonly time_lock?: number;
    readonly admin_address?: string;
  };
  readonly memo?: string;
};

/** Interface 2.3: a wallet that a custodian makes for the address. */
export type EmailSigner = {
  readonly type: "email";
  readonly email: string;
  readonly permissions: readonly Permission[];
  readonly provider?: Provider;
  readonly role?: "primary" | "backup";
};

/** Interface 2.3: a key that exists already. */
export type KeySigner = PolicySigner & { readonly type?: "pubkey" };

/** Interface 4.3. `admin_address` absent: the signers decide about the settings, for good (gap 16). */
export type CreateCustomAccountRequest = {
  readonly policies: {
    readonly signers: readonly (EmailSigner | KeySigner)[];
    readonly threshold: number;
    readonly time_lock?: number;
    readonly admin_address?: string;
  };
  readonly memo?: string;
};

export type CreateAccountRequest =
  | CreateEmailAccountRequest
  | CreateSignersAccountRequest
  | CreatePoliciesAccountRequest;

/** Interface 2.5, gap 13. */
export type PendingAccount = {
  readonly type: "email";
  readonly status: string;
  readonly email: string;
  readonly otp_sent: boolean;
  readonly created_at: string;
  readonly expires_at: string;
  readonly memo?: string;
};

/** Gap 14. */
export type SignersAccount = {
  readonly type: "signers";
  readonly status: string;
  readonly address: string;
  readonly settings_address: string;
  readonly grid_user_id: string;
  readonly policies: Policies;
  readonly memo?: string;
};

/** Interface 2.6: here, and only here, two members are in camel case. */
export type CustomAccount = {
  readonly type: "custom";
  readonly address: string;
  readonly settings_address: string;
  readonly grid_user_id: string;
  readonly policies: {
    readonly signers: readonly PolicySigner[];
    readonly threshold: number;
    readonly adminAddress: string | null;
    readonly timeLock: number;
  };
  readonly memo?: string;
};

/** An account that was made elsewhere, to be served here (gap 114). */
export type ImportAccountRequest = {
  /** The smart account; found where it has sent something lately. */
  readonly address?: string;
  readonly settings_address?: string;
  /** Whose wallets are to be made. */
  readonly email?: string;
  readonly memo?: string;
  /** By one of its signers: `message` is the text of the challenge. */
  readonly proof?: { readonly signer_address: string; readonly message: string; readonly signature: string };
};

/** Gap 114. */
export type ImportedAccount = {
  readonly address: string;
  readonly settings_address: string;
  readonly status: "unproven" | "active";
  readonly policies: Policies;
  readonly grid_user_id?: string;
  readonly wallets: readonly { readonly address: string; readonly provider: Provider }[];
  readonly challenge?: { readonly message: string; readonly expires_at: string };
};

/** What create answers, by the form of the request. */
export type CreatedAccount<Request extends CreateAccountRequest> = Request extends CreateEmailAccountRequest
  ? PendingAccount
  : SignersAccount;

/** Interface 4.2. `expiration` in Unix seconds. */
export type VerifyAccountRequest = {
  readonly email: string;
  readonly otp_code: string;
  readonly provider?: CustodyProvider;
  readonly kms_provider_config: { readonly encryption_public_key: string };
  readonly expiration?: number;
};

/** Interface 2.4, gap 24. */
export type Account = {
  readonly address: string;
  readonly settings_address: string;
  readonly grid_user_id: string;
  readonly type: "email" | "signers" | "custom";
  readonly status: string;
  readonly policies: Policies;
  readonly email?: string;
  readonly memo?: string;
  readonly created_at: string;
  readonly updated_at: string;
};

/** Gap 34; `amount_decimal` is exact where `amount` is a number. */
export type TokenBalance = {
  readonly token_address: string;
  readonly amount: number;
  readonly amount_decimal: string;
  readonly decimals: number;
  readonly name?: string;
  readonly symbol?: string;
  readonly logo_url?: string;
};

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

/** Gap 34. */
export type Balances = {
  readonly address: string;
  readonly lamports: number;
  readonly sol: number;
  readonly tokens: readonly TokenBalance[];
};

/** Gap 21. */
export type StartAuthRequest = {
  readonly email: string;
  readonly provider?: CustodyProvider;
  readonly expiration?: number;
};

/** Gap 21. */
export type StartedAuth = {
  readonly email: string;
  readonly otp_id: string;
  readonly otp_sent: boolean;
  readonly provider: CustodyProvider;
  readonly status: string;
  readonly type: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly requested_provider?: CustodyProvider;
  readonly fallback_reason?: string;
};

/** Interface 4.7, gap 17. */
export type VerifyAuthRequest = {
  readonly email: string;
  readonly otp_code: string;
  readonly smart_account_address?: string;
  readonly provider?: CustodyProvider;
  readonly kms_provider_config: { readonly encryption_public_key: string; readonly otp_id?: string };
  readonly expiration?: number;
};

/** Interface 2.7, gap 19. */
export type EncryptedAuthorizationKey = {
  readonly encapsulated_key: string;
  readonly ciphertext: string;
  readonly encryption_type?: string;
};

/** Interface 2.7. */
export type SessionWallet = {
  readonly id: string;
  readonly address: string;
  readonly public_key?: string;
  readonly owner_id?: string;
  readonly chain_type?: string;
  readonly created_at?: number;
  readonly exported_at?: number | null;
  readonly imported_at?: number | null;
  readonly policy_ids?: readonly string[];
  readonly additional_signers?: readonly {
    readonly signer_id: string;
    readonly override_policy_ids: readonly string[];
  }[];
};

/** Interface 2.7, gap 20: what stands under `KmsA` or `KmsB`. `expires_at` in Unix milliseconds. */
export type CustodySession = {
  readonly user_id: string;
  readonly token?: string;
  readonly kms_a_access_token?: string;
  readonly refresh_token: string;
  readonly session: {
    readonly encrypted_authorization_key: EncryptedAuthorizationKey;
    readonly expires_at: number;
    readonly wallets: readonly SessionWallet[];
  };
};

/** The session object of one provider: keyed `KmsA` or `KmsB` (gap 20). */
export type ProviderSession = {
  readonly KmsA?: CustodySession;
  readonly KmsB?: CustodySession;
};

export type ProviderAuthentication = {
  readonly provider: CustodyProvider;
  readonly session: ProviderSession;
};

/** Interface 2.7: the answer of both verify endpoints. */
export type Authentication = {
  readonly address: string;
  readonly grid_user_id: string;
  readonly policies: Policies;
  readonly authentication: readonly ProviderAuthentication[];
};

/**
 * Gap 20. `signature` only for another public key than at verify: base64 DER, by the live authorization key, over the
 * canonical JSON of `{encryption_public_key, refresh_token}`; see `signKeyChange`.
 */
export type RefreshSessionRequest = {
  readonly encryption_public_key: string;
  readonly kms_payload: ProviderAuthentication;
  readonly signature?: string;
};

/** Gap 20. */
export type RefreshedSession = { readonly kms_payload: ProviderAuthentication };

/** Gap 124: a JWT, and when it ends by the real clock. */
export type IdentityToken = { readonly token: string; readonly expires_at: string };

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
  readonly destination: { readonly address: string; readonly currency?: string; readonly payment_rail?: string };
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

/** Interface 2.8. */
export type KmsPayload = {
  readonly address: string;
  readonly payload: string;
  readonly provider: Provider;
};

/** Gap 51; lamports as decimal strings (gap 9). */
export type TransactionFee = {
  readonly lamports: string;
  readonly rent_lamports: string;
  readonly paid_by: string;
};

/** Gap 30. For reading; what is signed is judged by the decoded transaction. */
export type SummaryEntry = { readonly type: string; readonly [member: string]: unknown };

/** Interface 2.8, gap 25. */
export type PreparedTransaction = {
  readonly transaction: string;
  readonly transaction_signers: readonly string[];
  readonly kms_payloads: readonly KmsPayload[];
  readonly expires_at: string;
  readonly summary: readonly SummaryEntry[];
  readonly fee: TransactionFee;
};

/** What a policy is to become; absent stays as it is (interface 4.5, gap 23). */
export type PolicyChange = {
  /** The whole new list. */
  readonly signers?: readonly PolicySigner[];
  readonly threshold?: number;
  /** Seconds. */
  readonly time_lock?: number;
  /** Null removes the admin, for good. */
  readonly admin_address?: string | null;
};

/** Interface 4.5. */
export type UpdateAccountRequest = PolicyChange & {
  readonly transaction_signers?: readonly string[];
  readonly provider?: CustodyProvider;
};

/**
 * Gap 23; addresses of limits that a removed signer could still use. With `proposal_address` the change is not made at
 * once: the transaction puts it to a vote.
 */
export type PreparedUpdate = PreparedTransaction & {
  readonly remaining_spending_limits: readonly string[];
  readonly proposal_address?: string;
  readonly transaction_index?: number;
};

/** Gap 32. */
export type PrepareTransactionRequest = {
  readonly transaction: string;
  readonly account_signers?: readonly string[];
  readonly provider?: CustodyProvider;
  readonly fee_config?: { readonly self_managed_fees?: boolean; readonly [member: string]: unknown };
  readonly payer_address?: string;
};

/** Gap 32. */
export type PreparedCustomTransaction = PreparedTransaction & { readonly simulation_logs: readonly string[] };

/** Gap 33; `amount` in base units. */
export type PrepareTransferRequest = {
  readonly amount: string;
  readonly source: { readonly account: string; readonly currency: string };
  readonly destination: { readonly address: string; readonly currency: string };
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

/** Interface 4.12. */
export type VoteAction = "approve" | "reject" | "cancel";

/** What clients see of a proposal (gap 37). */
export type ProposalStatus = "Active" | "Approved" | "Executed" | "Rejected" | "Cancelled";

/** What the chain says, asked for with `showOnChainStatus` (interface 3.1, gap 37). */
export type OnChainProposalStatus =
  | "draft"
  | "active"
  | "rejected"
  | "approved"
  | "executing"
  | "executed"
  | "cancelled"
  | "closed";

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
type LimitDecision = {
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

/** One change of the settings, to be put to a vote (gap 36). */
export type ProposedAction =
  | {
      readonly type: "AddSigner";
      readonly newSigner: { readonly address: string; readonly permissions: readonly Permission[] };
    }
  | { readonly type: "RemoveSigner"; readonly oldSigner: string }
  | { readonly type: "ChangeThreshold"; readonly newThreshold: number }
  /** Seconds. */
  | { readonly type: "SetTimeLock"; readonly newTimeLock: number }
  | {
      readonly type: "AddSpendingLimit";
      /** Null is SOL. */
      readonly mint: string | null;
      /** Base units per period. */
      readonly amount: string;
      readonly period: SpendingLimitPeriod;
      readonly signers: readonly string[];
      /** Absent or empty: anybody may be paid. */
      readonly destinations?: readonly string[];
      /** Unix seconds; absent: never. */
      readonly expiration?: number;
    }
  | { readonly type: "RemoveSpendingLimit"; readonly spendingLimit: string };

/** Gap 36: what is common to all that can be proposed. */
type ProposalOpening = {
  /** Who proposes; holds CAN_INITIATE. */
  readonly signer: string;
  /** True: the proposer approves in the same transaction. */
  readonly approve?: boolean;
  readonly fee_config?: { readonly self_managed_fees?: boolean; readonly [member: string]: unknown };
  readonly payer_address?: string;
};

/** Gap 36. */
export type CreateProposalRequest = ProposalOpening &
  (
    | { readonly type: "custom"; readonly transaction: string }
    /** Two to twenty, voted on together and executed one after the other (gap 109). */
    | { readonly type: "custom"; readonly transactions: readonly string[] }
    | { readonly type: "settings"; readonly actions: readonly ProposedAction[] }
    | {
        readonly type: "transfer";
        /** Base units. */
        readonly amount: string;
        readonly currency?: string;
        readonly mint?: string;
        readonly destination: string | { readonly address: string };
      }
  );

/** Gap 36; several transactions, and as many lists of payloads. */
export type PreparedProposal = {
  readonly proposalAddress: string;
  readonly transactionIndex: number;
  readonly signer: string;
  readonly transactions: readonly string[];
  readonly transaction_signers: readonly string[];
  readonly kms_payloads: readonly (readonly KmsPayload[])[];
  readonly expires_at: string;
  readonly summary: readonly SummaryEntry[];
  readonly fee: TransactionFee;
  /** There if what is proposed does not fit one transaction. */
  readonly buffer?: BufferUse;
};

/** Where a message is put together that does not fit one transaction (gap 110). */
export type BufferUse = {
  readonly address: string;
  /** Base64 of what is put together and then voted on. */
  readonly message: string;
  /** Of the message, in hex. */
  readonly message_sha256: string;
  /** How much of it is there already, and not sent again. */
  readonly written_bytes: number;
  /** What the buffer takes now, in lamports. The creator gets it when it is used or closed. */
  readonly rent_lamports: string;
  /** Who pays that now; absent: nobody has to. */
  readonly rent_payer?: string;
};

/** What `closeBuffers` asks for. */
export type CloseBuffersRequest = { readonly signer: string; readonly buffers?: readonly string[] };

/** Buffers to be given up (gap 110). */
export type PreparedBufferClosing = {
  readonly transaction: string;
  readonly transaction_signers: readonly string[];
  readonly kms_payloads: readonly KmsPayload[];
  readonly expires_at: string;
  readonly summary: readonly SummaryEntry[];
  readonly fee: TransactionFee;
  readonly buffers: readonly {
    readonly address: string;
    readonly message_sha256: string;
    readonly message_bytes: number;
    readonly written_bytes: number;
    /** What the signer gets back. */
    readonly lamports: string;
  }[];
  /** Whether the signer has further ones. */
  readonly more: boolean;
};

/** Interface 2.11, gap 37. */
export type Proposal = {
  readonly proposalAddress: string;
  readonly status: ProposalStatus | OnChainProposalStatus;
  /** Unix seconds at which the status was set. */
  readonly statusTimestamp: number;
  readonly approved: readonly string[];
  readonly rejected: readonly string[];
  readonly cancelled: readonly string[];
  readonly consensusAccount: string;
  readonly consensusAccountType: string;
  readonly mainAccountAddress: string;
  readonly settingsAddress: string;
  readonly transactionIndex: number;
  readonly kind: "transaction" | "settings" | "batch" | "unknown";
  /** A later change of the settings has made it void for votes. */
  readonly stale: boolean;
  /** Its accounts are gone from the chain; votes and outcome are as they last were. */
  readonly closed: boolean;
  readonly reclaimedLamports?: string;
  readonly blockTime?: string;
  readonly lastModifiedSignature?: string;
  readonly createdAt?: string;
  readonly creator?: string;
  /** Of a batch: how many transactions it holds, and how many of them were executed, the first ones. */
  readonly batch?: { readonly size: number; readonly executed: number };
  /** Of an approved one: when its time lock ends. */
  readonly executableAt?: string;
};

/** What executing a proposal would move, simulated by the service; decimal strings in base units. */
export type BalanceChange = {
  readonly address: string;
  /** Null is SOL. */
  readonly mint: string | null;
  readonly before: string;
  readonly after: string;
  readonly change: string;
};

/** Something to think about before voting. */
export type ProposalWarning = { readonly code: string; readonly message: string; readonly [fact: string]: unknown };

/** One proposal with what it would do. */
export type ProposalDetails = Proposal & {
  /** `transactions`: what each of them does; all together stand in `summary`. */
  readonly batch?: {
    readonly size: number;
    readonly executed: number;
    readonly transactions?: readonly (readonly SummaryEntry[])[];
  };
  readonly summary: readonly SummaryEntry[];
  readonly balanceChanges?: readonly BalanceChange[];
  readonly simulationError?: string;
  readonly warnings: readonly ProposalWarning[];
  /** Approvals still missing; 0 unless Active. */
  readonly votesNeeded: number;
};

/** Interface 4.10, gap 37. */
export type ListProposalsQuery = {
  readonly status?: ProposalStatus | readonly ProposalStatus[];
  /** 0 to 100, default 50. */
  readonly limit?: number;
  readonly cursor?: string;
  readonly showOnChainStatus?: boolean;
};

/** Interface 4.12, gap 38. */
export type VoteRequest = {
  readonly action: VoteAction;
  readonly signers: readonly string[];
  readonly fee_config?: { readonly self_managed_fees?: boolean; readonly [member: string]: unknown };
  readonly payer_address?: string;
};

/** Gap 38; `signers` are those whose votes are in the transaction. */
export type PreparedVote = PreparedTransaction & {
  readonly signers: readonly string[];
  readonly proposal: ProposalDetails;
};

/** Gap 39: approve and execute. */
export type VoteAndExecuteRequest = Omit<VoteRequest, "action">;

/** Gap 39. */
export type ExecuteProposalRequest = Omit<VoteRequest, "action" | "signers"> & { readonly signer: string };

/** Gap 39. */
export type PreparedExecution = Omit<PreparedProposal, "proposalAddress" | "transactionIndex" | "signer" | "buffer"> & {
  readonly signers: readonly string[];
  readonly proposal: ProposalDetails;
};

/** Interface 2.10. */
export type KmsASignedPayload = { readonly signature: string };

/** Interface 2.10, gap 28. */
export type KmsBSignedPayload = {
  readonly public_key: string;
  readonly signature: string;
  readonly timestamp_ms: string;
};

/** Interface 2.10. */
export type SubmitKmsPayload =
  | { readonly provider: "kms_a"; readonly kms_signed_payload: KmsASignedPayload }
  | { readonly provider: "kms_b"; readonly kms_signed_payload: KmsBSignedPayload };

/** Interface 4.6, single form. */
export type SubmitTransactionRequest = {
  readonly transaction: string;
  readonly kms_payloads?: readonly SubmitKmsPayload[];
};

/** Interface 4.6, multiple form. */
export type SubmitTransactionsRequest = {
  readonly transactions: readonly string[];
  readonly kms_payloads: readonly (readonly SubmitKmsPayload[])[];
};

/** Interface 4.6. */
export type SubmittedTransaction = { readonly transaction_signature: string; readonly confirmed_at: string };

/** Interface 2.10 and 4.6. */
export type SubmittedTransactions = {
  readonly results: readonly (SubmittedTransaction & { readonly index: number })[];
  readonly partial_failure?: {
    readonly failed_at_index: number;
    readonly error_message: string;
    readonly error_code: string;
  } | null;
};

/** What submit answers, by the form of the request. */
export type Submitted<Request extends SubmitTransactionRequest | SubmitTransactionsRequest> =
  Request extends SubmitTransactionRequest ? SubmittedTransaction : SubmittedTransactions;

/** Gap 49: one mail of the sandbox's outbox. */
export type OutboxMail = {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly otp_code: string;
  readonly created_at: string;
};

/** Gap 49; `amount` in base units. */
export type AirdropRequest = { readonly address: string; readonly currency: string; readonly amount: string };

/** Gap 49. */
export type Airdropped = AirdropRequest & { readonly transaction_signature: string };

/** Gap 49: the environment's time and slot after the move. */
export type AdvancedClock = { readonly now: string; readonly slot: number };

/** Gap 43. */
export type KycStatus = "not_started" | "incomplete" | "under_review" | "approved" | "rejected";

/** Gap 43: whom to check, and for what. */
export type StartKycRequest = {
  readonly type: "individual" | "business";
  readonly email: string;
  readonly full_name: string;
  /** Default: `base`, which is also written `ach`. */
  readonly endorsements?: readonly ("base" | "ach" | "sepa" | "faster_payments" | "spei" | "pix")[];
  /** https; where the browser goes from the partner's page. */
  readonly redirect_uri?: string;
};

type KycReason = { readonly code: string; readonly message: string };
type Endorsements = { readonly [name: string]: "incomplete" | "approved" | "revoked" };

/** Gap 43. The links live 24 hours; `kyc.get` gives fresh ones. */
export type KycLink = {
  readonly id: string;
  readonly full_name: string;
  readonly email: string;
  readonly type: "individual" | "business";
  /** Absent where nothing is left to do there. */
  readonly kyc_link?: string;
  readonly tos_link?: string;
  readonly kyc_status: KycStatus;
  readonly tos_status: "pending" | "approved";
  readonly rejection_reasons: readonly KycReason[];
  readonly endorsements: Endorsements;
  readonly created_at: string;
  readonly customer_id?: string;
};

/** Interface 2.13. */
export type KycRecord = {
  readonly id: string;
  readonly account?: string;
  readonly status: KycStatus;
  readonly tos_status: "pending" | "approved";
  readonly type: "individual" | "business";
  readonly kyc_continuation_link?: string;
  readonly tos_link?: string;
  readonly rejection_reasons?: readonly KycReason[];
  readonly requirements_due?: readonly string[];
  readonly endorsements: Endorsements;
  readonly created_at: string;
  readonly updated_at: string;
};

/** Gap 97. */
export type DeletedRailData = {
  readonly address: string;
  readonly deleted: boolean;
  readonly kept_by_partner: string;
};

/** Gap 49: what the sandbox's partner is to think of somebody. */
export type SetKycRequest = {
  readonly status: KycStatus;
  readonly tos_status?: "pending" | "approved";
  readonly rejection_reasons?: readonly KycReason[];
  readonly revoked_endorsements?: readonly string[];
};

/** Gap 89: something that happened, in the feed and as receivers are sent it. */
export type TrellisEvent = {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly environment: "sandbox" | "devnet" | "mainnet";
  readonly tenant: string;
  /** True: nothing happened; somebody tries a receiver. */
  readonly example?: boolean;
  readonly data: {
    /** The whole object after the change; the OpenAPI document has a schema for every type. */
    readonly object: Readonly<Record<string, unknown>>;
    /** Of two events about one object the later one has the greater number. */
    readonly sequence: number;
    readonly previous_status?: string;
  };
};

/** Gap 89: which events. */
export type EventsQuery = {
  /** Types, or their beginnings up to a dot. */
  readonly type?: readonly string[];
  readonly order?: "asc" | "desc";
  readonly limit?: number;
  readonly cursor?: string;
};

/** Gap 91. */
export type WebhookEndpoint = {
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly description?: string;
  readonly status: "enabled" | "disabled";
  readonly disabled_reason?: "gone" | "failing" | "paused";
  readonly failing_since?: string;
  readonly former_secret_until?: string;
  readonly created_at: string;
  readonly updated_at: string;
};

/** Gap 91: with the secret, which is not shown again. */
export type CreatedWebhookEndpoint = WebhookEndpoint & { readonly secret: string };

/** Gap 91. */
export type CreateWebhookEndpointRequest = {
  readonly url: string;
  readonly types: readonly string[];
  readonly description?: string;
};

/** Gap 91. */
export type UpdateWebhookEndpointRequest = {
  readonly url?: string;
  readonly types?: readonly string[];
  readonly description?: string | null;
  readonly status?: "enabled" | "disabled";
};

/** Gap 91. */
export type DeletedWebhookEndpoint = { readonly id: string; readonly deleted: true };

/** Gap 92: one of the three. */
export type ReplayRequest = {
  readonly event_id?: string;
  readonly failed_since?: string;
  readonly missing_since?: string;
  /** With `missing_since`: `next_cursor` of the call before. */
  readonly cursor?: string;
};

/** Gap 92. */
export type Replayed = { readonly scheduled: number; readonly more: boolean; readonly next_cursor?: string };

/** Gap 92: one try at sending an event. */
export type WebhookAttempt = {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly attempt: number;
  readonly status: "delivered" | "failed";
  readonly response_status?: number;
  readonly error?: string;
  readonly response_body?: string;
  readonly duration_ms: number;
  readonly attempted_at: string;
};

/** Gap 94. */
export type TriggeredEvent = { readonly id: string; readonly type: string };

/** Gap 3: one finding of an error body. */
export type ErrorDetail = {
  readonly field?: string;
  readonly code: string;
  readonly message: string;
  readonly suggestion?: string;
  readonly documentation?: string;
  /** Further facts a program can use. */
  readonly [fact: string]: unknown;
};

/** Gap 3. */
export type ErrorBody = {
  readonly message: string;
  readonly code: string;
  readonly details: readonly ErrorDetail[];
  readonly timestamp: string;
  readonly request_id: string;
};
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
    | { readonly address: string; readonly currency: string }
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
