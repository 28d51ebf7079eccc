// Generated from openapi.json by scripts/generate-sdk-types.mjs; which types, says scripts/sdk-type-names.mjs.

import type {
  ProposalWarning,
  SubmitKmsPayload,
  SummaryEntry,
} from "../by-hand.js";

export type Account = {
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly address: string;
  readonly grid_user_id: string;
  readonly status: "active";
  readonly type: "email" | "signers" | "custom";
  readonly policies: Policies;
  /** guarded: neither this service, nor the guardian, nor any one key moves money alone. */
  readonly protection: Protection;
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly settings_address: string;
  /** An address without a name, quotes or comments; domains may be international. */
  readonly email?: string;
  /** Its user signs in with a code and a passkey. With a publishable key: who is signed in. */
  readonly passkey_required?: true;
  readonly memo?: string;
  /** Wallets of custodians whose keys others may have: they were handed out to their owners, or their owners brought them. */
  readonly exported_signers?: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
};

export type AccountPasskey = {
  /** The passkey's account. */
  readonly address: string;
  readonly role: SignerRole;
  readonly permissions: readonly Permission[];
  readonly provider: "passkey";
  /** Null: the chain does not say when a signer was added. */
  readonly added_at: string | null;
};

export type AccountProposal = {
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly proposalAddress: string;
  /** One of the first; with showOnChainStatus=true one of the others, as the chain has it. */
  readonly status: ProposalState;
  /** When that status was set: Unix seconds. */
  readonly statusTimestamp: number;
  readonly approved: readonly string[];
  readonly rejected: readonly string[];
  readonly cancelled: readonly string[];
  /** The settings, whose signers decide. */
  readonly consensusAccount: string;
  readonly consensusAccountType: "Settings";
  /** Of the transaction that last changed the proposal. */
  readonly blockTime?: string;
  /** That transaction. */
  readonly lastModifiedSignature?: string;
  /** The smart account. */
  readonly mainAccountAddress: string;
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly settingsAddress: string;
  readonly transactionIndex: number;
  /** True: the settings changed since, and it can no longer be approved or rejected. */
  readonly stale: boolean;
  /** True: its accounts on the chain are closed; votes and outcome are kept here. */
  readonly closed: boolean;
  /** Rent that closing gave back. */
  readonly reclaimedLamports?: string;
  readonly createdAt?: string;
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly creator?: string;
  /** What is voted on. */
  readonly kind: "transaction" | "settings" | "batch" | "unknown";
  /** Of a batch: transactions that are executed one after the other. */
  readonly batch?: ProposalBatch;
  /** The account that it is about. */
  readonly account: string;
};

export type AccountsQuery = {
  /** Those of the user with this address. */
  readonly email?: string;
  /** Those with exactly this memo. */
  readonly memo?: string;
  /** This one. */
  readonly address?: string;
  /** Those that have it among their signers. */
  readonly signer?: string;
  /** Every account of the list is active. */
  readonly status?: "active";
  readonly type?: "email" | "signers" | "custom";
  /** 0 to 100; 50 when absent. */
  readonly limit?: number;
  /** x-next-cursor of the page before. */
  readonly cursor?: string;
};

export type AddAccountPasskeyRequest = {
  readonly passkey: {
    /** The passkey's account. */
    readonly address: string;
    readonly role?: SignerRole;
    /** Absent: all. */
    readonly permissions?: readonly Permission[];
  };
  /** True: the signers or the admin may depend on passkeys of other hosts or other tenants, of which no session is opened for you here. */
  readonly confirm_foreign_passkeys?: boolean;
  readonly transaction_signers?: readonly string[];
};

export type AddExternalAccountRequest = {
  readonly account_type: "us" | "iban" | "gb" | "clabe" | "pix";
  readonly currency: BankCurrency;
  /** As the bank has it. */
  readonly account_owner_name: string;
  /** Default: individual. */
  readonly account_owner_type?: "individual" | "business";
  readonly first_name?: string;
  readonly last_name?: string;
  readonly business_name?: string;
  readonly bank_name?: string;
  /** us, gb */
  readonly account?: {
    readonly account_number: string;
    /** us */
    readonly routing_number?: string;
    /** us; default: checking */
    readonly checking_or_savings?: "checking" | "savings";
    /** gb */
    readonly sort_code?: string;
  };
  readonly iban?: {
    readonly account_number: string;
    readonly bic?: string;
    /** ISO 3166-1 alpha-3 of the bank. */
    readonly country?: string;
  };
  readonly clabe?: {
    readonly account_number: string;
  };
  readonly pix?: {
    readonly pix_key: string;
    readonly document_number?: string;
  };
  /** The owner's. us: required. */
  readonly address?: {
    readonly street_line_1: string;
    readonly street_line_2?: string;
    readonly city: string;
    readonly state?: string;
    readonly postal_code: string;
    /** ISO 3166-1 alpha-3. */
    readonly country: string;
  };
};

export type AddedPasskey = {
  readonly id: string;
  /** Whose it is. */
  readonly grid_user_id: string;
  /** Who holds the wallet that it commands. */
  readonly provider: "kms_a" | "kms_b" | "kms_c";
  /** That wallet: a signer of the account. */
  readonly signer: string;
  /** Base64url: what browsers call it by. */
  readonly credential_id: string;
  /** The domain it belongs to. */
  readonly rp_id: string;
  readonly name: string;
  /** The model of its authenticator, as that says; all zeros: it does not. */
  readonly aaguid: string;
  /** It can be on several devices. */
  readonly synced: boolean;
  /** When it was added. */
  readonly created_at: string;
  /** When it last signed, to the minute. */
  readonly last_used_at?: string;
  /** Of a custodian of its own process: who pins its identity can verify it. */
  readonly receipt?: CustodianReceipt;
};

export type AdvancedClock = {
  /** Environment time after the move. */
  readonly now: string;
  /** The chain's slot after the move. */
  readonly slot: number;
  /** What became of the standing orders of all accounts on the way. */
  readonly standing_order_runs: {
    /** Due dates that were paid. */
    readonly paid: number;
    /** Due dates that were given up. */
    readonly missed: number;
    /** Orders that are due and were not reached any more, 10,000 at most. */
    readonly left: number;
  };
};

export type AirdropRequest = {
  /** Who receives it. */
  readonly address: string;
  /** `sol` (default), `usdc`, `usdt`, `pyusd`, `eurc`, or a mint. */
  readonly currency?: string;
  /** Base units, as a decimal string: whole, of 64 bits. */
  readonly amount: string;
};

export type Airdropped = {
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly address: string;
  readonly currency: string;
  /** Base units, as a decimal string: whole, of 64 bits. */
  readonly amount: string;
  /** Of a transaction, which is its id on chain: 64 bytes in base58. */
  readonly transaction_signature: string;
};

export type ApiKey = {
  readonly id: string;
  readonly name: string;
  readonly type: "secret" | "publishable" | "agent";
  /** Its beginning, to know it by. */
  readonly visible_prefix: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly environments: readonly Environment[];
  /** Of a publishable key: the pages that may use it. */
  readonly allowed_origins: readonly string[];
  /** Ranges of remote addresses that may use it; empty: all. */
  readonly allowed_addresses: readonly string[];
  /** `disabled`: it was configured once, and is not any more. */
  readonly status: "active" | "expired" | "disabled" | "revoked";
  readonly created_at: string;
  readonly expires_at?: string;
  /** To the minute. */
  readonly last_used_at?: string;
  readonly revoked_at?: string;
};

export type ApiKeyScope =
  | "accounts:read"
  | "accounts:write"
  | "labels:write"
  | "auth:write"
  | "transactions:write"
  | "proposals:read"
  | "proposals:write"
  | "payments:read"
  | "payments:write"
  | "kyc:read"
  | "kyc:write"
  | "virtual-accounts:read"
  | "virtual-accounts:write"
  | "webhooks:read"
  | "webhooks:write"
  | "audit:read"
  | "admin:keys"
  | "admin:members"
  | "admin:tenants"
  | "sandbox:use"
  | "sandbox:clock";

export type ApiKeysQuery = {
  /** 1 to 100; 50 when absent. */
  readonly limit?: number;
  /** x-next-cursor of the page before. */
  readonly cursor?: string;
};

export type AttemptsQuery = {
  /** Only those of this event. */
  readonly event_id?: string;
  /** 1 to 200; 50 when absent. */
  readonly limit?: number;
  /** From the page before. */
  readonly cursor?: string;
};

export type AuditEvent = {
  /** Its leaf in the log, counted from 0: the same for good. */
  readonly index: number;
  readonly type: AuditEventType;
  /** By the database's clock. */
  readonly occurred_at: string;
  /** Absent: of all environments. */
  readonly environment?: Environment;
  /** What it is about. */
  readonly subject?: string;
  /** Whose it is. */
  readonly user_id?: string;
  /** `api_key/<id>`, `session/<id>`, `member/<id>`, `operator` or `configuration`. Absent: see the type. */
  readonly actor?: string;
  /** What it was afterwards, by its type. */
  readonly details?: {
    readonly [name: string]: unknown;
  };
};

export type AuditEventType =
  | "api_key.created"
  | "api_key.changed"
  | "api_key.disabled"
  | "api_key.enabled"
  | "api_key.revoked"
  | "agent.called"
  | "member.invited"
  | "member.changed"
  | "member.removed"
  | "member.link_issued"
  | "member.signed_in"
  | "member.passkey_added"
  | "member.passkey_removed"
  | "member.passkey_counter_went_back"
  | "tenant.created"
  | "tenant.disabled"
  | "tenant.enabled"
  | "tenant.frozen"
  | "tenant.unfrozen"
  | "tenant.export_started"
  | "tenant.exported"
  | "tenant.imported"
  | "session_policy.changed"
  | "relying_party.changed"
  | "account_defaults.changed"
  | "treasury_page.changed"
  | "proposal_mails.changed"
  | "session.opened"
  | "session.refreshed"
  | "session.ended"
  | "wallet.created"
  | "wallet.imported"
  | "wallet_export_policy.changed"
  | "wallet_export.requested"
  | "wallet_export.cancelled"
  | "wallet_export.completed"
  | "authorization_key.granted"
  | "authorization_key.revoked"
  | "authorization_key.restored"
  | "passkey.added"
  | "passkey.removed"
  | "passkey.restored"
  | "passkey.counter_went_back"
  | "passkey_requirement.changed"
  | "passkey_session.opened"
  | "passkey_session.ended"
  | "account.signer_added"
  | "account.signer_removed"
  | "account.settings_changed"
  | "account.released"
  | "label.created"
  | "label.changed"
  | "label.removed"
  | "standing_order.suspended"
  | "standing_order.released"
  | "spending_grant.given"
  | "spending_grant.ended"
  | "identity_key.created"
  | "wallet_root.created"
  | "wallet_root.retired"
  | "secret.created"
  | "secret.activated"
  | "secret.retired"
  | "master_key.rotation_started"
  | "master_key.rotated"
  | "configuration.changed"
  | "log.accepted";

export type AuditEventsQuery = {
  readonly type?: AuditEventType;
  /** Only entries of this environment, and those of none. */
  readonly environment?: Environment;
  /** 1 to 200; 50 when absent. */
  readonly limit?: number;
  /** x-next-cursor of the page before. */
  readonly cursor?: string;
};

export type Authentication = {
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly address: string;
  readonly grid_user_id: string;
  readonly policies: Policies;
  readonly authentication: readonly ProviderAuthentication[];
};

export type AuthenticatorResponse = {
  readonly response: {
    /** Base64url. */
    readonly authenticatorData: string;
    /** Base64url. */
    readonly clientDataJSON: string;
    /** Base64url: DER. */
    readonly signature: string;
    /** Base64url: SPKI, as `getPublicKey()` says it. */
    readonly publicKey?: string;
  };
};

export type BalanceChange = {
  /** Who holds it: for tokens the owner of the token account. */
  readonly address: string;
  /** Null is SOL. */
  readonly mint: string | null;
  /** Base units, as a decimal string: whole, of 64 bits. */
  readonly before: string;
  /** Base units, as a decimal string: whole, of 64 bits. */
  readonly after: string;
  /** With a minus sign where it is less afterwards. */
  readonly change: string;
};

export type BalanceHistory = {
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly address: string;
  readonly interval: "hour" | "day";
  /** From when on the amounts are known; null: none is yet. */
  readonly complete_from: string | null;
  /** Until when they are; null: none is yet. */
  readonly complete_to: string | null;
  readonly tokens: readonly {
    /** 32 bytes in base58: of an account, a key or a mint. */
    readonly token_address: string;
    /** Absent where the account never had the token. */
    readonly decimals?: number;
    readonly symbol?: string;
  }[];
  /** There are other tokens, or there may be token accounts that the history does not follow. */
  readonly has_more_tokens: boolean;
  /** The oldest first. */
  readonly points: readonly {
    /** The end of the interval, which is no part of it. */
    readonly at: string;
    readonly balances: readonly {
      /** The mint; the system program's address for SOL. */
      readonly token_address: string;
      /** What the account held at the end of the interval. null: not known, as the index does not have everything. */
      readonly amount: string | null;
      /** Received in the interval, base units. */
      readonly in: string;
      /** Sent in the interval, base units. */
      readonly out: string;
    }[];
  }[];
};

export type BalanceHistoryQuery = {
  /** Only this token; the system program's address for SOL. Default: the first 20. */
  readonly token_address?: string;
  /** In the first interval. Default: 30 days, or 24 hours, up to the last. */
  readonly from?: string;
  /** In the last interval; a date includes its whole day (UTC). Default: now. */
  readonly to?: string;
  readonly interval?: "hour" | "day";
};

export type Balances = {
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly address: string;
  readonly lamports: number;
  readonly sol: number;
  readonly tokens: readonly TokenBalance[];
};

export type BankCurrency = "usd" | "eur" | "gbp" | "mxn" | "brl";

/** What a payer needs. Which names there are is up to the currency; a partner may add others. */
export type BankInstructions = {
  readonly currency: string;
  readonly payment_rails: readonly string[];
  readonly bank_name?: string;
  readonly bank_address?: string;
  readonly bank_routing_number?: string;
  readonly bank_account_number?: string;
  readonly bank_beneficiary_name?: string;
  readonly bank_beneficiary_address?: string;
  readonly iban?: string;
  readonly bic?: string;
  readonly account_number?: string;
  readonly sort_code?: string;
  readonly clabe?: string;
  readonly br_code?: string;
  readonly account_holder_name?: string;
  readonly [name: string]: unknown;
};

/** Default: the account's first. */
export type BankRail = "ach_push" | "wire" | "sepa" | "faster_payments" | "spei" | "pix";

export type BeginPasskeyApprovalRequest = {
  /** As it was prepared. */
  readonly transaction: string;
  readonly metaInfo: PasskeyPage;
  /** A page of the tenant's own, on its relying party. Absent: the service's. */
  readonly baseUrl?: string;
};

export type BegunPasskey = {
  readonly ceremony_id: string;
  /** The wallet that it will command. */
  readonly signer: string;
  readonly expires_at: string;
  /** `PublicKeyCredential.parseCreationOptionsFromJSON` reads it, for `navigator.credentials.create`. */
  readonly public_key: PasskeyCreationOptions;
};

export type BegunPasskeySignIn = {
  /** Base64url. */
  readonly nonce: string;
  readonly rp_id: string;
  readonly expires_at: string;
};

export type BegunWalletExport = {
  readonly otp_id: string;
  /** An address without a name, quotes or comments; domains may be international. */
  readonly email: string;
  readonly provider: "kms_a" | "kms_b" | "kms_c";
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly signer: string;
  /** Base64 of the document: it is signed as payloads of the provider are. */
  readonly payload: string;
  /** A passkey of the wallet has to sign it. */
  readonly passkey_required: boolean;
  /** How long the key is held back after the order. */
  readonly delay_seconds: number;
  /** When code and document stop working. */
  readonly expires_at: string;
};

export type BegunWalletImport = {
  readonly import_id: string;
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly signer: string;
  readonly provider: "kms_a" | "kms_b" | "kms_c";
  /** The owner's wallet there, whose authority signs the document. */
  readonly authorizing_signer: string;
  /** What the key is sealed to: base64 of the SPKI DER of a P-256 public key. */
  readonly recipient_public_key: string;
  /** Base64 of the document: it is signed as payloads of the provider are. */
  readonly payload: string;
  /** A passkey of the owner's wallet has to sign it. */
  readonly passkey_required: boolean;
  /** When document and recipient stop working. */
  readonly expires_at: string;
};

export type BegunWalletSignIn = {
  /** The wallet signs its UTF-8 bytes. */
  readonly message: string;
  /** It stands in the message. Hex. */
  readonly nonce: string;
  /** Real time. */
  readonly expires_at: string;
};

export type Budget = {
  /** `service`: all tenants together; for keys with admin:tenants. */
  readonly of: "tenant" | "service";
  /** Fees, and rent that returns; or rent that others can cash in. */
  readonly pays: "fees" | "openings";
  /** Lamports a day. */
  readonly limit: string;
  /** Today. */
  readonly used: string;
  /** What is left today. */
  readonly left: string;
};

export type Budgets = {
  readonly environment: Environment;
  readonly fee_payer: {
    /** 32 bytes in base58: of an account, a key or a mint. */
    readonly address: string;
    /** Null: the chain does not answer. */
    readonly lamports: string | null;
    /** The mean of the last 7 days, of all tenants. */
    readonly spent_per_day: string;
    /** For how long it lasts so. Null: nothing was spent, or the chain does not answer. */
    readonly days_left: number | null;
  };
  /** What one transaction may cost at most. */
  readonly per_transaction: string;
  /** What is paid for one account on a day. */
  readonly per_account_per_day: string;
  readonly budgets: readonly Budget[];
  /** When the day ends, in real time. */
  readonly resets_at: string;
};

/** Where the message is put together, if it does not fit one transaction. */
export type BufferUse = {
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly address: string;
  /** Base64 of what is put together in it and then voted on. */
  readonly message: string;
  /** Of the message. */
  readonly message_sha256: string;
  /** How much of the message is there already, and not sent again. */
  readonly written_bytes: number;
  /** What the buffer takes now. The creator gets it when it is used or closed. */
  readonly rent_lamports: string;
  /** Who pays that: the creator, or your own fee payer. */
  readonly rent_payer?: string;
};

export type ChangedStandingOrder = {
  readonly id: string;
  /** The smart account. */
  readonly account: string;
  readonly status: StandingOrderStatus;
  /** Why it is inactive, or was cancelled. */
  readonly reason?: string;
  /** What stands on chain: no limit yet, one, one whose removal was asked for, none any more. */
  readonly mandate: "awaited" | "active" | "revocation_pending" | "revoked";
  /** Of one payment. */
  readonly amount: string;
  /** The same in whole units. */
  readonly ui_amount: string;
  readonly currency: string;
  readonly frequency: StandingOrderFrequency;
  /** The same as frequency. */
  readonly period: StandingOrderFrequency;
  readonly payment_rail: string;
  readonly source: StandingOrderSource;
  readonly destination: StandingOrderDestination;
  /** Who is paid: one owner. */
  readonly destinations: readonly string[];
  /** The first due date, in UTC. */
  readonly start_date: string;
  /** Inclusive. Absent: without end. */
  readonly end_date?: string;
  /** How many due dates there are, where there is an end. */
  readonly occurrences?: number;
  /** The next due date; the last one known where the order has ended. */
  readonly next_execution_date: string;
  /** When it last paid. */
  readonly last_execution_date?: string;
  /** Base units of all payments that are left, where there is an end. */
  readonly remaining_amount?: string;
  /** The limit on chain that it is paid out of. */
  readonly spending_limit_address: string;
  /** The only key that may draw on that limit. */
  readonly executor_address: string;
  /** Where the limit has to be voted on. */
  readonly proposal_address?: string;
  /** Until when a pending order waits for its limit. */
  readonly valid_until: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** Base64 wire transaction, unsigned. */
  readonly transaction?: string;
  /** Addresses that must sign, the service's fee payer aside. */
  readonly transaction_signers?: readonly string[];
  readonly kms_payloads?: readonly KmsPayload[];
  /** Until when it can be submitted. */
  readonly expires_at?: string;
  /** What it does, read off its bytes. */
  readonly summary?: readonly SummaryEntry[];
  /** What it costs and who pays. */
  readonly fee?: TransactionFee;
  /** Of the proposal. */
  readonly transaction_index?: number;
  /** The limit that takes the old one's place. */
  readonly renewal_limit_address?: string;
};

export type CloseBuffersRequest = {
  /** Whose buffers: a signer of the account, or one who was. */
  readonly signer: string;
  /** Default: the first ten. */
  readonly buffers?: readonly string[];
  readonly fee_config?: FeeConfig;
  /** Who pays with self_managed_fees: a key of the caller's. */
  readonly payer_address?: string;
};

export type CoinDestination = {
  /** The smart account. */
  readonly address: string;
  /** What arrives on chain. */
  readonly currency: string;
  readonly payment_rail: "solana";
};

export type ConfirmLegacyPaymentIntentRequest = {
  /** The transaction, as the creation answered it. Absent for money from a bank. */
  readonly intent_payload?: string;
  /** The JSON of one signed payload, or base64 of it: {provider, signature} or {public_key, signature}. Empty where the account's own keys have signed the transaction. */
  readonly mpc_payload?: string;
};

export type CreateApiKeyRequest = {
  readonly name: string;
  /** Default: secret. `agent`: bounded, and every call of it is in the audit log under the key's name. */
  readonly type?: "secret" | "publishable" | "agent";
  /** Where none are named, a publishable key has auth:write, payments:write, transactions:write, and an agent's all that one can have. */
  readonly scopes?: readonly ApiKeyScope[];
  /** mainnet alone, or sandbox and devnet. */
  readonly environments: readonly Environment[];
  /** Absent: never. */
  readonly expires_at?: string;
  /** Of a publishable key, and required for one: the origins of the pages that may use it. */
  readonly allowed_origins?: readonly string[];
  /** Addresses, or ranges in CIDR notation, that may use it. Absent: all. */
  readonly allowed_addresses?: readonly string[];
};

export type CreateCustomAccountRequest = {
  readonly policies: RequestedCustomPolicies;
  /** True: the signers or the admin may depend on passkeys of other hosts or other tenants, of which no session is opened for you here. */
  readonly confirm_foreign_passkeys?: boolean;
  /** Yours to choose; returned with the account. */
  readonly memo?: string;
};

/** An account whose keys custodians hold; it exists once the code sent to the address is verified. */
export type CreateEmailAccountRequest = {
  readonly type: "email";
  /** An address without a name, quotes or comments; domains may be international. */
  readonly email: string;
  /** guarded: neither this service, nor the guardian, nor any one key moves money alone. */
  readonly protection?: Protection;
  readonly recovery?: RecoverySigner;
  /** Yours to choose; returned with the account. */
  readonly memo?: string;
  /** From the first passkey that is added on, a code alone does not sign the user in. For a new user. */
  readonly passkey_required?: boolean;
};

export type CreatePasskeyAccountRequest = {
  readonly sessionKey: RequestedSessionKey;
  readonly authenticatorResponse: AuthenticatorResponse;
  /** As the page's address has it. */
  readonly slotNumber: number;
  /** Who alone may change the settings. Absent: the passkey does. */
  readonly adminAddress?: string;
  /** Yours to choose; returned with the account. */
  readonly memo?: string;
};

export type CreateSpendingLimitRequest = {
  /** Base units per period: a decimal string, or a number as far as it is exact in JSON. */
  readonly amount: SpendingLimitAmount;
  /** A currency of the environment, or a mint's address. Null or `sol` is SOL. */
  readonly mint: string | null;
  /** A month is 30 days. */
  readonly period: RequestedPeriod;
  /** Who may use it, without any vote: keys, and accounts of passkeys. They need not be signers of the account. */
  readonly spending_limit_signers: readonly string[];
  /** Owners that may be paid. None: any owner. */
  readonly destinations?: readonly string[];
  /** A date-time (RFC 3339) or Unix seconds. Null or absent: never. */
  readonly expiration?: SpendingLimitExpiration;
  readonly transaction_signers?: readonly string[];
  /** Only members of this provider sign. */
  readonly provider?: Provider;
  readonly fee_config?: FeeConfig;
  /** Who pays with self_managed_fees: a key of the caller's. */
  readonly payer_address?: string;
};

export type CreateTenantRequest = {
  /** 1 to 63 small letters, digits, hyphens and underscores; it begins with a letter or a digit. */
  readonly id: string;
  /** Default: its id. */
  readonly name?: string;
  /** What the tenant's e-mail accounts are where a request says nothing. */
  readonly protection?: DefaultProtection;
  readonly recovery?: DefaultRecovery;
};

export type CreateWebhookEndpointRequest = {
  readonly url: string;
  /** Types, or their beginnings up to a dot (`proposal` takes all of `proposal.*`); `*` is everything. */
  readonly types: readonly string[];
  readonly description?: string;
};

export type CreatedApiKey = {
  readonly id: string;
  readonly name: string;
  readonly type: "secret" | "publishable" | "agent";
  /** Its beginning, to know it by. */
  readonly visible_prefix: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly environments: readonly Environment[];
  /** Of a publishable key: the pages that may use it. */
  readonly allowed_origins: readonly string[];
  /** Ranges of remote addresses that may use it; empty: all. */
  readonly allowed_addresses: readonly string[];
  /** `disabled`: it was configured once, and is not any more. */
  readonly status: "active" | "expired" | "disabled" | "revoked";
  readonly created_at: string;
  readonly expires_at?: string;
  /** To the minute. */
  readonly last_used_at?: string;
  readonly revoked_at?: string;
  /** `sk_test_…`, `sk_live_…`, `pk_test_…` or `pk_live_…`. It is not returned again. */
  readonly key: string;
};

export type CreatedWebhookEndpoint = {
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly description?: string;
  readonly status: "enabled" | "disabled";
  /** It answered 410, failed for too long, or was paused. */
  readonly disabled_reason?: "gone" | "failing" | "paused";
  /** Nothing has arrived since. */
  readonly failing_since?: string;
  /** Until then events are signed with the former secret, too. */
  readonly former_secret_until?: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** `whsec_…`. It is not returned again. */
  readonly secret: string;
};

/** Of a custodian of its own process: who pins its identity can verify it. */
export type CustodianReceipt = {
  /** Canonical JSON: which passkeys command the wallet, and by which terms. */
  readonly document: string;
  /** Base64url: Ed25519 of the custodian's identity. */
  readonly signature: string;
};

export type CustodyProvider = "kms_a" | "kms_b" | "kms_c";

export type CustodySession = {
  readonly user_id: string;
  readonly token?: string;
  readonly kms_a_access_token?: string;
  /** Good for one refresh. */
  readonly refresh_token: string;
  readonly session: SealedSession;
};

export type CustomAccount = {
  readonly type: "custom";
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly address: string;
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly settings_address: string;
  readonly grid_user_id: string;
  /** This answer alone spells two members in camel case. */
  readonly policies: CustomPolicies;
  readonly memo?: string;
};

/** This answer alone spells two members in camel case. */
export type CustomPolicies = {
  readonly signers: readonly PolicySigner[];
  readonly threshold: number;
  /** Null: the signers decide, for good. */
  readonly adminAddress: string | null;
  /** Seconds. */
  readonly timeLock: number;
};

/** What the tenant's e-mail accounts are where a request says nothing. */
export type DefaultProtection = "plain" | "guarded";

export type DefaultRecovery = {
  /** A key that is kept offline. */
  readonly address: string;
};

export type DeletedRailData = {
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly address: string;
  /** Always true: names, addresses, links and bank details are deleted. Ids of the partner and sealed answers to idempotency keys stay for their time (SECURITY.md). */
  readonly deleted: boolean;
  /** What is not deleted by this. */
  readonly kept_by_partner: string;
};

export type DeletedWebhookEndpoint = {
  readonly id: string;
  readonly deleted: true;
};

export type Deposit = {
  readonly id: string;
  readonly virtual_account_id: string;
  /** The smart account. */
  readonly account: string;
  /** Where the partner has it. */
  readonly state: DepositState;
  /** What was sent: a decimal in the currency of the bank. */
  readonly amount: string;
  readonly currency: string;
  readonly payment_rail?: string;
  readonly sender_name?: string;
  readonly fees?: DepositFees;
  readonly destination: CoinDestination;
  /** Of its payment on chain, as the partner says. */
  readonly transaction_signature?: string;
  /** Whether the chain shows that payment, final: whatever the partner says, the money is there only then. */
  readonly credited: boolean;
  /** What arrived, as the chain says. */
  readonly received?: DepositReceived;
  readonly created_at: string;
  readonly updated_at: string;
};

export type DepositFees = {
  readonly developer_fee: string;
  readonly exchange_fee: string;
  readonly gas_fee: string;
};

/** With a bank at either end: where the money has to be sent. For a payment to a bank `to_address`, on chain, which the prepared transaction pays; for one from a bank the bank's details and `deposit_message`, which the payer must give. */
export type DepositInstructions = {
  readonly [name: string]: string;
};

export type DepositQuery = {
  /** 0 to 200; 50 when absent. */
  readonly limit?: number;
  /** From the page before. */
  readonly cursor?: string;
};

/** What arrived, as the chain says. */
export type DepositReceived = {
  /** Base units, as a decimal string: whole, of 64 bits. */
  readonly amount: string;
  /** Exact, in whole units: dollars, not cents. */
  readonly ui_amount: string;
  readonly confirmed_at: string;
};

/** Where the partner has it. */
export type DepositState = "scheduled" | "received" | "in_review" | "submitted" | "processed" | "refunded" | "not_credited";

/** Which kind of Effect it is. */
export type EffectType =
  | "transfer"
  | "create_token_account"
  | "use_spending_limit"
  | "settings_change"
  | "close_token_account"
  | "approve_delegate"
  | "set_authority"
  | "burn"
  | "memo"
  | "instruction"
  | "undecided";

/** A wallet that a custodian makes for this address. No mail is sent; signing in proves the address. */
export type EmailSigner = {
  readonly type: "email";
  /** An address without a name, quotes or comments; domains may be international. */
  readonly email: string;
  readonly provider?: Provider;
  readonly permissions: readonly Permission[];
  readonly role?: SignerRole;
};

export type EncryptedAuthorizationKey = {
  /** Base64 ephemeral public key: the 65-byte uncompressed point. */
  readonly encapsulated_key: string;
  /** Base64. */
  readonly ciphertext: string;
  readonly encryption_type?: string;
};

export type EndedSession = {
  readonly id: string;
  readonly status: "ended";
};

/** What the customer may use: `base` (USD), `sepa`, `faster_payments`, `spei`, `pix`. An approval can be revoked. */
export type Endorsements = {
  readonly [name: string]: "incomplete" | "approved" | "revoked";
};

export type Environment = "sandbox" | "devnet" | "mainnet";

export type ErrorBody = {
  /** For people. */
  readonly message: string;
  /** For programs: permanent, one catalogue. */
  readonly code: string;
  readonly details: readonly ErrorDetail[];
  readonly timestamp: string;
  readonly request_id: string;
};

export type ErrorDetail = {
  /** Dotted path: `policies.signers.0.address`. */
  readonly field?: string;
  readonly code: string;
  readonly message: string;
  readonly suggestion?: string;
  readonly documentation?: string;
  /** With `transaction_not_prepared`: what the signer's wallet changed in the prepared transaction. */
  readonly alterations?: readonly TransactionAlteration[];
  readonly [name: string]: unknown;
};

export type EventsQuery = {
  /** A type, or its beginning up to a dot: `proposal` takes all of `proposal.*`. Repeat it for several. */
  readonly type?: string | readonly string[];
  /** Default: asc, the oldest first. */
  readonly order?: "asc" | "desc";
  /** 1 to 200; 50 when absent. */
  readonly limit?: number;
  /** From the page before, or `latest`. */
  readonly cursor?: string;
};

export type ExecuteProposalRequest = {
  /** A signer with CAN_EXECUTE. */
  readonly signer: string;
  /** A passkey signs it itself (gap 248). */
  readonly passkey_approval?: boolean;
  readonly fee_config?: FeeConfig;
  /** Who pays with self_managed_fees: a key of the caller's. */
  readonly payer_address?: string;
};

export type ExternalAccount = {
  readonly id: string;
  /** The smart account. */
  readonly account: string;
  readonly account_type: "us" | "iban" | "gb" | "clabe" | "pix";
  readonly currency: "usd" | "eur" | "gbp" | "mxn" | "brl";
  readonly account_owner_name: string;
  readonly bank_name: string | null;
  /** The end of its number. */
  readonly last_4: string;
  readonly active: boolean;
  readonly created_at: string;
  readonly updated_at: string;
};

export type FeeConfig = {
  /** True: payer_address pays, and signs. */
  readonly self_managed_fees?: boolean;
  readonly [name: string]: unknown;
};

export type FindPasskeySignerRequest = {
  readonly sessionKey: RequestedSessionKey;
  readonly authenticatorResponse: AuthenticatorResponse;
};

export type GuardianChange = {
  /** Of this one time that it waits. */
  readonly id: string;
  /** From when on the guardian signs it. */
  readonly from: string;
  /** From when on it does not any more. */
  readonly until: string;
  readonly content: readonly {
    /** 32 bytes in base58: of an account, a key or a mint. */
    readonly settings: string;
    readonly by: "members" | "admin" | "proposal";
    readonly actions: readonly {
      readonly __kind: string;
      readonly [name: string]: unknown;
    }[];
  }[] | null;
};

export type GuardianChanges = {
  readonly signer: string | null;
  /** All that wait: eight at most. */
  readonly changes: readonly GuardianChange[];
  /** By the guardian's clock. */
  readonly as_of: string | null;
  readonly certificate: {
    /** Canonical JSON of all of this, with the nonce. */
    readonly document: string;
    /** Base64url: Ed25519 of the guardian's identity. */
    readonly signature: string;
  } | null;
};

export type GuardianPolicy = {
  readonly signer: string | null;
  readonly policy: {
    readonly [name: string]: unknown;
  } | null;
  /** Counts the policies that were set: what the next one has to replace. */
  readonly version: number;
  readonly next: {
    /** A policy: docs/custodian-policy.schema.json has its members. */
    readonly policy: {
      readonly [name: string]: unknown;
    };
    /** From when on it holds. */
    readonly from: string;
  } | null;
  /** By the guardian's clock. */
  readonly as_of: string | null;
  readonly certificate: {
    /** Canonical JSON of all of this, with the nonce. */
    readonly document: string;
    /** Base64url: Ed25519 of the guardian's identity. */
    readonly signature: string;
  } | null;
};

export type GuardianWallet = {
  /** Its wallet, which signs for the account once the change is made. */
  readonly address: string;
  readonly provider: Provider;
  /** How many passkeys command it. 0: add one, and call again. */
  readonly passkeys: number;
};

export type HistoryTransaction = {
  readonly id: string;
  /** The smart account. */
  readonly account: string;
  /** Of a transaction, which is its id on chain: 64 bytes in base58. */
  readonly signature: string;
  readonly status: "confirmed" | "finalized" | "failed";
  /** Of the block. */
  readonly slot: number;
  /** The time of the block. */
  readonly created_at: string;
  /** The time of the block. */
  readonly confirmed_at: string;
  readonly kind: TransactionKind;
  /** Why it failed, as the chain puts it. */
  readonly error?: unknown;
};

export type IdentityToken = {
  /** Three base64url parts. */
  readonly token: string;
  /** Real time. */
  readonly expires_at: string;
};

export type ImportAccountRequest = {
  /** The smart account's address. */
  readonly address?: string;
  /** Its settings: needed where it never sent anything. */
  readonly settings_address?: string;
  /** An address without a name, quotes or comments; domains may be international. */
  readonly email?: string;
  /** Yours to choose; returned with the account. */
  readonly memo?: string;
  /** Beside email: has each of its wallets sign a text with this in it, which proves that it can. */
  readonly wallet_nonce?: string;
  readonly proof?: SignerProof;
};

export type ImportedAccount = {
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly address: string;
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly settings_address: string;
  readonly status: "unproven" | "active";
  readonly policies: Policies;
  /** Once it is active. */
  readonly grid_user_id?: string;
  /** Of the e-mail address in the request. */
  readonly wallets: readonly {
    /** 32 bytes in base58: of an account, a key or a mint. */
    readonly address: string;
    readonly provider: Provider;
    readonly proof?: WalletProof;
  }[];
  readonly challenge?: SignerChallenge;
};

export type InviteMemberRequest = {
  /** An address without a name, quotes or comments; domains may be international. */
  readonly email: string;
  readonly role: MemberRole;
  readonly name?: string;
  readonly environments?: readonly Environment[];
};

export type InvitedMember = {
  readonly id: string;
  /** An address without a name, quotes or comments; domains may be international. */
  readonly email: string;
  readonly name: string | null;
  readonly role: MemberRole;
  /** True: the member administers tenants, too. Commands alone set it. */
  readonly is_operator: boolean;
  readonly environments: readonly Environment[];
  readonly status: "invited" | "active" | "disabled";
  readonly created_at: string;
  readonly last_signed_in_at: string | null;
  /** Whether the member wants mails about proposals, where the tenant has them sent. */
  readonly proposal_mails: boolean;
  /** True: codes by mail do not sign the member in. */
  readonly passkey_required: boolean;
  readonly invitation: {
    /** What the page at `/console/` accepts, once. It is not returned again. Absent where it was mailed. */
    readonly token?: string;
    /** The link with it. Absent where it was mailed. */
    readonly url?: string;
    readonly expires_at: string;
    /** Whether a mail server took a mail with the link. */
    readonly mailed: boolean;
  };
};

export type KeyBytes = string | readonly number[];

/** A key that exists already. */
export type KeySigner = {
  readonly type?: "pubkey";
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly address: string;
  readonly permissions: readonly Permission[];
  readonly role?: SignerRole;
  readonly provider?: Provider;
};

export type KmsASignedPayload = {
  /** Over the canonical JSON of the payload. */
  readonly signature: string;
};

export type KmsBSignedPayload = {
  /** The point of the P-256 key, in hex. */
  readonly public_key: string;
  /** Over the canonical JSON of payload and timestamp_ms. */
  readonly signature: string;
  /** Unix milliseconds of signing. */
  readonly timestamp_ms: string;
};

export type KmsPayload = {
  /** The signer the payload is for: an entry of transaction_signers. */
  readonly address: string;
  /** Base64 of the JSON document to sign. */
  readonly payload: string;
  readonly provider: Provider;
};

export type KycLink = {
  /** The `kyc_id` of later calls. */
  readonly id: string;
  readonly full_name: string;
  /** An address without a name, quotes or comments; domains may be international. */
  readonly email: string;
  readonly type: "individual" | "business";
  /** The partner's page, where the person continues. Absent where nothing is left to do there. It lives 24 hours; reading the verification gives a fresh one. */
  readonly kyc_link?: string;
  /** The partner's terms, to be accepted there. Absent once they are. It lives 24 hours; reading the verification gives a fresh one. */
  readonly tos_link?: string;
  readonly kyc_status: KycStatus;
  readonly tos_status: "pending" | "approved";
  readonly rejection_reasons: readonly RejectionReason[];
  /** What the customer may use: `base` (USD), `sepa`, `faster_payments`, `spei`, `pix`. An approval can be revoked. */
  readonly endorsements: Endorsements;
  readonly created_at: string;
  /** The partner's id of the person, once the partner has reported it. */
  readonly customer_id?: string;
};

export type KycRecord = {
  readonly id: string;
  /** The smart account. */
  readonly account?: string;
  readonly status: KycStatus;
  readonly tos_status: "pending" | "approved";
  readonly type: "individual" | "business";
  /** The partner's page, where the person continues. It lives 24 hours; reading the verification gives a fresh one. */
  readonly kyc_continuation_link?: string;
  /** The partner's terms, to be accepted there. It lives 24 hours; reading the verification gives a fresh one. */
  readonly tos_link?: string;
  readonly rejection_reasons?: readonly RejectionReason[];
  /** What is still asked for. */
  readonly requirements_due?: readonly string[];
  /** What the customer may use: `base` (USD), `sepa`, `faster_payments`, `spei`, `pix`. An approval can be revoked. */
  readonly endorsements: Endorsements;
  readonly created_at: string;
  readonly updated_at: string;
};

export type KycStatus = "not_started" | "incomplete" | "under_review" | "approved" | "rejected";

export type Label = {
  /** What is called so. */
  readonly address: string;
  /** The account whose label it is; null: the tenant's, which is shown where the account has none. */
  readonly account: string | null;
  readonly name: string;
  /** With a publishable key a label of the tenant's has none. */
  readonly note: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

export type LabelRequest = {
  /** Unique in its address book, also among names that look alike. */
  readonly name: string;
  /** Absent or null: none. */
  readonly note?: string | null;
};

export type LegacyAuthRequest = {
  /** An address without a name, quotes or comments; domains may be international. */
  readonly email: string;
  /** Not used: mails carry the name the operator chose. */
  readonly app_name?: string;
  /** Not used. */
  readonly app_icon_url?: string;
  /** Life of the credential bundle in seconds, unless verify names another one. */
  readonly expiration?: number;
};

export type LegacyPayment = {
  readonly id: string;
  /** Base units, as every amount on chain; of money from a bank, a decimal in its currency. */
  readonly amount: string;
  readonly blockchain_memo: string | null;
  readonly client_reference_id: string | null;
  readonly developer_fee: string;
  /** The grid_user_id of the account. */
  readonly on_behalf_of: string;
  /** The payment's state. */
  readonly state: PaymentIntentState;
  readonly created_at: string;
  readonly updated_at: string;
  readonly currency: string | null;
  readonly return_details: {
    readonly reason: string;
  } | null;
  readonly source_deposit_instructions: {
    readonly [name: string]: string;
  } | null;
  readonly source: {
    readonly bank_beneficiary_address: string | null;
    readonly bank_beneficiary_name: string | null;
    readonly bank_name: string | null;
    readonly bank_routing_number: string | null;
    readonly bridge_wallet_id: string | null;
    readonly currency: string | null;
    readonly description: string | null;
    readonly external_account_id: string | null;
    readonly from_address: string | null;
    readonly imad: string | null;
    readonly omad: string | null;
    readonly payment_rail: string | null;
  };
  readonly destination: {
    readonly ach_reference: string | null;
    readonly blockchain_memo: string | null;
    readonly bridge_wallet_id: string | null;
    readonly currency: string | null;
    readonly external_account_id: string | null;
    readonly from_address: string | null;
    readonly imad: string | null;
    readonly omad: string | null;
    readonly payment_rail: string | null;
    readonly sepa_reference: string | null;
    readonly swift_charges: string | null;
    readonly swift_reference: string | null;
    readonly to_address: string | null;
    readonly trace_number: string | null;
    readonly uetr: string | null;
    readonly wire_message: string | null;
  };
  readonly receipt: {
    readonly destination_tx_hash: string | null;
    readonly developer_fee: string | null;
    readonly exchange_fee: string | null;
    readonly exchange_rate: string | null;
    readonly final_amount: string | null;
    readonly gas_fee: string | null;
    readonly initial_amount: string | null;
    readonly remaining_prefunded_balance: string | null;
    readonly source_tx_hash: string | null;
    readonly subtotal_amount: string | null;
    readonly url: string | null;
  };
};

export type LegacyPaymentIntent = {
  readonly PaymentProvider: LegacyPayment;
};

export type LegacyStartedAuth = {
  readonly otp_id: string;
  /** The user's wallet at kms_a; never changes. */
  readonly mpc_primary_id: string;
};

export type LegacyVerified = {
  /** Base58check of the 33-byte encapsulated key and the ciphertext behind it. */
  readonly credential_bundle: string;
  readonly account_info: {
    readonly mpc_primary_id: string;
    /** Base58: the address of the wallet. */
    readonly smart_account_signer_public_key: string;
    readonly wallet_id: string;
    /** 32 bytes in base58: of an account, a key or a mint. */
    readonly smart_account_address: string;
    readonly grid_user_id: string;
  };
};

export type LegacyVerifyRequest = {
  /** As auth answered it. */
  readonly mpc_primary_id: string;
  /** As auth answered it. */
  readonly otp_id: string;
  /** Six digits, leading zeros kept. */
  readonly otp_code: string;
  /** P-256 public key: base64 SPKI DER, or the uncompressed point in hex. */
  readonly auth_public_key: string;
  /** Life of the bundle in seconds; one hour unless auth or this names another. */
  readonly expiration?: number;
  /** Needed only for a user with several accounts and no e-mail account. */
  readonly smart_account_address?: string;
};

export type LimitDecision = {
  readonly transaction_signers?: readonly string[];
  /** Only members of this provider sign. */
  readonly provider?: Provider;
  readonly fee_config?: FeeConfig;
  /** Who pays with self_managed_fees: a key of the caller's. */
  readonly payer_address?: string;
};

export type ListAccountLabelsQuery = {
  /** What is to be shown for these, instead of a list. Repeat it for several. */
  readonly address?: string | readonly string[];
  /** 0 to 100; 50 when absent. */
  readonly limit?: number;
  /** From the page before. */
  readonly cursor?: string;
};

export type ListAllPaymentIntentsQuery = {
  /** Repeat it for several. */
  readonly state?: PaymentIntentState | readonly PaymentIntentState[];
  /** 0 to 100; 50 when absent. */
  readonly limit?: number;
  /** From the page before. */
  readonly cursor?: string;
  /** Those of this account alone. */
  readonly account?: string;
};

export type ListAllProposalsQuery = {
  /** Repeat it for several. */
  readonly status?: 
    | "Active" | "Approved" | "Executed" | "Rejected" | "Cancelled"
    | readonly ("Active" | "Approved" | "Executed" | "Rejected" | "Cancelled")[];
  /** Only this account's, by their transaction indexes. */
  readonly account?: string;
  /** Only those whose vote is or was up to this signer. */
  readonly signer?: string;
  /** Only Active ones that this signer may vote on and has neither approved nor rejected. */
  readonly waiting_for?: string;
  /** 0 to 100; 50 when absent. */
  readonly limit?: number;
  /** From the page before. */
  readonly cursor?: string;
};

export type ListAllSpendingLimitsQuery = {
  /** Those of this account alone. */
  readonly account?: string;
  /** Those of this mint, or of this currency. */
  readonly mint?: string;
  /** Those that this address may use. */
  readonly signer?: string;
  /** 0 to 100; 50 when absent. */
  readonly limit?: number;
  /** From the page before, which had the same query. */
  readonly cursor?: string;
};

export type ListAllStandingOrdersQuery = {
  /** Repeat it for several. */
  readonly status?: StandingOrderStatus | readonly StandingOrderStatus[];
  /** Those of this account alone. */
  readonly account?: string;
  /** Active ones whose next due date is before this, by that date. Not together with status. */
  readonly due_before?: string;
  /** 0 to 100; 50 when absent. */
  readonly limit?: number;
  /** From the page before, which had the same query. */
  readonly cursor?: string;
};

export type ListAllVerificationsQuery = {
  /** Repeat it for several. */
  readonly status?: KycStatus | readonly KycStatus[];
  /** Those of this account alone. */
  readonly account?: string;
  /** Those that were started with this address. */
  readonly email?: string;
  /** 0 to 100; 50 when absent. */
  readonly limit?: number;
  /** From the page before, which had the same query. */
  readonly cursor?: string;
};

export type ListAllVirtualAccountsQuery = {
  /** Repeat it for several. */
  readonly status?: "activated" | "deactivated" | readonly ("activated" | "deactivated")[];
  /** Those of this account alone. */
  readonly account?: string;
  /** Of the bank. */
  readonly source_currency?: string;
  /** Those whose money is this user's. */
  readonly grid_user_id?: string;
  /** 0 to 100; 50 when absent. */
  readonly limit?: number;
  /** From the page before, which had the same query. */
  readonly cursor?: string;
};

export type ListPaymentIntentsQuery = {
  /** Repeat it for several. */
  readonly state?: PaymentIntentState | readonly PaymentIntentState[];
  /** 0 to 100; 50 when absent. */
  readonly limit?: number;
  /** From the page before. */
  readonly cursor?: string;
};

export type ListProposalsQuery = {
  /** Repeat it for several. */
  readonly status?: 
    | "Active" | "Approved" | "Executed" | "Rejected" | "Cancelled"
    | readonly ("Active" | "Approved" | "Executed" | "Rejected" | "Cancelled")[];
  /** 0 to 100; 50 when absent. */
  readonly limit?: number;
  /** From the page before. */
  readonly cursor?: string;
  /** True: the status as the chain has it. */
  readonly showOnChainStatus?: boolean;
};

export type ListSpendingLimitsQuery = {
  /** 0 to 100; 50 when absent. */
  readonly limit?: number;
  /** From the page before. */
  readonly cursor?: string;
  /** Those of this mint, or of this currency. */
  readonly mint?: string;
  /** Those that this address may use. */
  readonly signer?: string;
};

export type ListStandingOrdersQuery = {
  /** Repeat it for several. */
  readonly status?: StandingOrderStatus | readonly StandingOrderStatus[];
  /** A symbol, or a mint. */
  readonly currency?: string;
  /** Created then or later. */
  readonly start_date?: string;
  /** Created then or earlier. */
  readonly end_date?: string;
  /** The order that made this payment, by its signature. */
  readonly tx_hash?: string;
  /** 0 to 100; 50 when absent. */
  readonly limit?: number;
  /** x-next-cursor of the page before. */
  readonly cursor?: string;
};

export type ListedAccount = {
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly address: string;
  readonly grid_user_id: string;
  readonly status: "active";
  readonly type: "email" | "signers" | "custom";
  /** Null: the chain does not show them at present. */
  readonly policies: Policies | null;
  /** Null where `policies` is. */
  readonly protection: Protection | null;
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly settings_address: string;
  /** An address without a name, quotes or comments; domains may be international. */
  readonly email?: string;
  /** Its user signs in with a code and a passkey. With a publishable key: who is signed in. */
  readonly passkey_required?: true;
  readonly memo?: string;
  /** Wallets of custodians whose keys others may have: they were handed out to their owners, or their owners brought them. */
  readonly exported_signers?: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
};

export type Member = {
  readonly id: string;
  /** An address without a name, quotes or comments; domains may be international. */
  readonly email: string;
  readonly name: string | null;
  readonly role: MemberRole;
  /** True: the member administers tenants, too. Commands alone set it. */
  readonly is_operator: boolean;
  readonly environments: readonly Environment[];
  readonly status: "invited" | "active" | "disabled";
  readonly created_at: string;
  readonly last_signed_in_at: string | null;
  /** Whether the member wants mails about proposals, where the tenant has them sent. */
  readonly proposal_mails: boolean;
  /** True: codes by mail do not sign the member in. */
  readonly passkey_required: boolean;
};

export type MemberRole = "owner" | "developer" | "viewer";

export type MembersQuery = {
  /** 1 to 100; 50 when absent. */
  readonly limit?: number;
  /** x-next-cursor of the page before. */
  readonly cursor?: string;
};

export type OnChainProposalStatus = "draft" | "active" | "rejected" | "approved" | "executing" | "executed" | "cancelled" | "closed";

export type OpenedPasskeySession = {
  readonly passkey_account: KeyBytes;
  readonly session_key: PasskeySessionKey;
};

/** Of money from a bank: nothing is signed. */
export type OpenedPayIn = {
  readonly id: string;
  /** The payment's state. */
  readonly state: PaymentIntentState;
  /** Base units; of money from a bank, a decimal in its currency. */
  readonly amount: string;
  readonly currency: string;
  readonly source: PaymentSource;
  readonly destination: PaymentDestination;
  readonly created_at: string;
  /** When its state last moved. */
  readonly updated_at: string;
  /** With a bank at either end: where the money has to be sent. For a payment to a bank `to_address`, on chain, which the prepared transaction pays; for one from a bank the bank's details and `deposit_message`, which the payer must give. */
  readonly source_deposit_instructions?: DepositInstructions;
  /** Of one from a bank that waits for its money: when it is cancelled at the partner. */
  readonly expires_at?: string;
  readonly return_details?: ReturnDetails;
  /** With a bank: what its partner reports. */
  readonly receipt?: PaymentReceipt;
  /** From payment_submitted on. With a bank: of the payment on chain, once there is one. */
  readonly transaction_signature?: string;
  /** Of one that is processed: the block. */
  readonly confirmed_at?: string;
  /** Of one that is canceled or in error: why nothing was paid. */
  readonly error?: PaymentFailure;
  /** With webhook_url: what those events are signed with. It is not returned again. */
  readonly webhook_secret?: string;
};

export type OpenedTreasuryPage = {
  /** At the top of every page. No control characters, and none that turn the direction of text. */
  readonly name: string;
  /** Of buttons and links. */
  readonly color: string;
  /** A publishable key of this tenant, whose allowed origins have the one the pages are served from. */
  readonly publishable_key: string;
  /** A picture of at most 24 KiB, as a data URL. */
  readonly logo: string | null;
  /** Those of the publishable key that are available here: sandbox, devnet, mainnet, in this order. */
  readonly environments: readonly Environment[];
};

export type OutboxMail = {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Empty where the mail is plain text. */
  readonly html: string;
  /** Empty where the mail carries none. */
  readonly otp_code: string;
  readonly created_at: string;
};

export type Passkey = {
  readonly id: string;
  /** Whose it is. */
  readonly grid_user_id: string;
  /** Who holds the wallet that it commands. */
  readonly provider: "kms_a" | "kms_b" | "kms_c";
  /** That wallet: a signer of the account. */
  readonly signer: string;
  /** Base64url: what browsers call it by. */
  readonly credential_id: string;
  /** The domain it belongs to. */
  readonly rp_id: string;
  readonly name: string;
  /** The model of its authenticator, as that says; all zeros: it does not. */
  readonly aaguid: string;
  /** It can be on several devices. */
  readonly synced: boolean;
  /** When it was added. */
  readonly created_at: string;
  /** When it last signed, to the minute. */
  readonly last_used_at?: string;
};

export type PasskeyAccount = {
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly address: string;
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly settings_address: string;
  readonly type: "passkey";
  readonly status: "active";
  readonly grid_user_id: string;
  readonly policies: Policies;
  readonly authentication: readonly PasskeyAuthentication[];
  readonly memo?: string;
  readonly created_at: string;
  readonly updated_at: string;
};

export type PasskeyApproval = {
  readonly ceremony_type: "approve";
  /** Base64url. */
  readonly challenge: string;
  readonly environment: Environment;
  /** Who asks. A page of a tenant's own shows no other. */
  readonly tenant_id: string;
  /** Its name; its id where that could deceive. */
  readonly tenant_name: string;
  /** What that calls itself. */
  readonly app_name: string;
  readonly redirect_url: string | null;
  /** The domain of the passkey. */
  readonly relying_party_id: string;
  /** Of the only page that may ask. */
  readonly origin: string;
  readonly slot_number: number;
  /** Its hash, which the challenge has in it. */
  readonly slot_hash: string;
  /** Pays, and signs the transaction. */
  readonly payer: string;
  /** Of the challenge. */
  readonly expires_at: string;
  /** How long that is from now on. */
  readonly expires_in_seconds: number;
  /** The smart account. */
  readonly account_address: string;
  /** The signer that approves. */
  readonly passkey_address: string;
  /** Of token accounts in it (gap 250). */
  readonly token_owners: readonly string[];
  /** Base64: what is signed, accounts and instructions (gap 250). */
  readonly execution: string;
};

export type PasskeyApprovalUrl = {
  readonly url: string;
  readonly approval: PasskeyApproval;
};

export type PasskeyAuthentication = {
  readonly provider: "passkey";
  readonly session: {
    readonly Passkey: {
      readonly passkey_account: KeyBytes;
      /** Hex: P-256, compressed. */
      readonly pubkey: string;
      readonly relying_party_id: string;
      readonly session_key: PasskeySessionKey;
    };
  };
};

export type PasskeyCeremony = {
  readonly ceremony_type: "create" | "auth";
  /** Base64url. */
  readonly challenge: string;
  readonly environment: Environment;
  /** Who asks. A page of a tenant's own shows no other. */
  readonly tenant_id: string;
  /** Its name; its id where that could deceive. */
  readonly tenant_name: string;
  /** What that calls itself. */
  readonly app_name: string;
  readonly redirect_url: string | null;
  /** The domain of the passkey. */
  readonly relying_party_id: string;
  /** Of the only page that may ask. */
  readonly origin: string;
  readonly slot_number: number;
  /** Its hash, which the challenge has in it. */
  readonly slot_hash: string;
  /** Pays, and signs the transaction. */
  readonly payer: string;
  /** Of the challenge. */
  readonly expires_at: string;
  /** How long that is from now on. */
  readonly expires_in_seconds: number;
  /** Of a new passkey: its user handle is these 16 bytes. */
  readonly user_id: string;
  /** What is to sign in the passkey's place. */
  readonly session_key: string;
  /** For how long; 0: no key is to sign any more. */
  readonly session_seconds: number;
  /** The end that is signed. Null: the chain counts from when it lands. */
  readonly session_expires_at: string | null;
};

export type PasskeyCeremonyOutcome = {
  /** Base64url. */
  readonly challenge: string;
  readonly ceremony_type: "create" | "auth";
  /** `completed`: it is on chain. `failed`: the chain has refused it. `expired`: nothing came of it. */
  readonly status: "pending" | "completed" | "failed" | "expired";
  readonly app_name: string;
  /** What signs in the passkey's place. */
  readonly session_key: string;
  /** For how long, as it was asked for; 0: the session was to be ended. */
  readonly session_seconds: number;
  /** When the session ends, or has been ended. Null: it was not completed. */
  readonly session_expires_at: string | null;
  /** The signer whose passkey has signed. Null: it was not completed. */
  readonly passkey_account: string | null;
  /** Your accounts that have this signer, newest first: the first 100. */
  readonly accounts: readonly string[];
  /** Of its transaction, once it is completed. */
  readonly signature: string | null;
  readonly created_at: string;
  /** Of the challenge. */
  readonly expires_at: string;
};

export type PasskeyCeremonyRequest = {
  readonly sessionKey: RequestedSessionKey;
  /** Not read: the header names the environment. */
  readonly env?: string;
  readonly metaInfo: PasskeyPage;
  /** A page of the tenant's own, on its relying party. Absent: the service's. */
  readonly baseUrl?: string;
};

export type PasskeyCeremonyUrl = {
  readonly url: string;
};

/** `PublicKeyCredential.parseCreationOptionsFromJSON` reads it, for `navigator.credentials.create`. */
export type PasskeyCreationOptions = {
  readonly rp: {
    readonly id: string;
    readonly name: string;
  };
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly displayName: string;
  };
  /** Base64url, 32 bytes. */
  readonly challenge: string;
  readonly pubKeyCredParams: readonly {
    readonly type: "public-key";
    readonly alg: -7;
  }[];
  /** Milliseconds. */
  readonly timeout: number;
  readonly excludeCredentials: readonly {
    readonly type: "public-key";
    readonly id: string;
  }[];
  readonly authenticatorSelection: {
    readonly residentKey: "preferred" | "required";
    readonly userVerification: "required";
  };
  readonly attestation: "none";
};

export type PasskeyOfAccount = {
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly account_address: string;
  readonly passkey: AccountPasskey | null;
};

export type PasskeyPage = {
  /** What the page calls the app. */
  readonly appName: string;
  /** Where the browser goes with the answer. */
  readonly redirectUrl?: string;
};

export type PasskeyRequirement = {
  /** Whose sign-in it is about. */
  readonly grid_user_id: string;
  readonly required: boolean;
};

export type PasskeySessionKey = {
  readonly key: KeyBytes;
  /** When it ends: Unix seconds. */
  readonly expiration: number;
};

export type PasskeySignedIn = {
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly address: string;
  readonly grid_user_id: string;
  /** An address without a name, quotes or comments; domains may be international. */
  readonly email: string;
  readonly policies: Policies;
  readonly authentication: readonly ProviderAuthentication[];
};

export type PasskeySignedPayload = {
  /** The passkey that signed. */
  readonly credential_id: string;
  /** As the browser answered it. */
  readonly authenticator_data: string;
  /** As the browser answered it. Its challenge is the SHA-256 of the payload's canonical JSON. */
  readonly client_data_json: string;
  /** As the browser answered it: DER. */
  readonly signature: string;
};

export type PasskeySignerOnChain = {
  /** What is a signer of accounts. */
  readonly address: string;
  /** Hex: P-256, compressed. */
  readonly public_key: string;
  /** The domain it belongs to, for ever. */
  readonly relying_party_id: string;
  /** Null: there never was one. It may have ended. */
  readonly session_key: PasskeySessionKey | null;
};

export type PayFromSpendingLimitRequest = {
  /** Base units per period: a decimal string, or a number as far as it is exact in JSON. */
  readonly amount: SpendingLimitAmount;
  /** One of the limit's signers, who alone signs. Of a passkey: its account, or the key of its session. */
  readonly signer_address: string;
  /** The owner who is paid, not a token account. */
  readonly recipient_address: string;
  /** True: the payee is an address that a program signs for, such as a vault that was never used, or an account that a program holds. */
  readonly confirm_program_address?: boolean;
  readonly fee_config?: FeeConfig;
  /** Who pays with self_managed_fees: a key of the caller's. */
  readonly payer_address?: string;
};

export type PaymentDestination = {
  /** Who is paid on chain. */
  readonly address?: string;
  readonly currency: string;
  /** Of a bank's. */
  readonly payment_rail?: string;
  /** The bank account that is paid. */
  readonly external_account_id?: string;
  /** The memo in the transaction of a payment on chain. */
  readonly memo?: string;
};

/** Of one that is canceled or in error: why nothing was paid. */
export type PaymentFailure = {
  readonly code: string;
  readonly message: string;
};

export type PaymentIntent = {
  readonly id: string;
  /** The payment's state. */
  readonly state: PaymentIntentState;
  /** Base units; of money from a bank, a decimal in its currency. */
  readonly amount: string;
  readonly currency: string;
  readonly source: PaymentSource;
  readonly destination: PaymentDestination;
  readonly created_at: string;
  /** When its state last moved. */
  readonly updated_at: string;
  /** With a bank at either end: where the money has to be sent. For a payment to a bank `to_address`, on chain, which the prepared transaction pays; for one from a bank the bank's details and `deposit_message`, which the payer must give. */
  readonly source_deposit_instructions?: DepositInstructions;
  /** Of one from a bank that waits for its money: when it is cancelled at the partner. */
  readonly expires_at?: string;
  readonly return_details?: ReturnDetails;
  /** With a bank: what its partner reports. */
  readonly receipt?: PaymentReceipt;
  /** From payment_submitted on. With a bank: of the payment on chain, once there is one. */
  readonly transaction_signature?: string;
  /** Of one that is processed: the block. */
  readonly confirmed_at?: string;
  /** Of one that is canceled or in error: why nothing was paid. */
  readonly error?: PaymentFailure;
};

export type PaymentIntentState =
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

/** With a bank: what its partner reports. */
export type PaymentReceipt = {
  readonly [name: string]: string;
};

export type PaymentSource = {
  /** The smart account of the path, where it pays. */
  readonly account?: string;
  readonly currency: string;
  /** Of a bank's: `ach_push`, `wire`, `sepa`, … */
  readonly payment_rail?: string;
};

export type PendingAccount = {
  readonly type: "email";
  readonly status: "pending_verification";
  /** An address without a name, quotes or comments; domains may be international. */
  readonly email: string;
  readonly otp_sent: true;
  /** guarded: neither this service, nor the guardian, nor any one key moves money alone. */
  readonly protection: Protection;
  readonly memo?: string;
  readonly created_at: string;
  /** When the code stops working. */
  readonly expires_at: string;
};

export type Permission = "CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE";

export type Policies = {
  readonly signers: readonly PolicySigner[];
  readonly threshold: number;
  /** Null: the signers decide, for good. */
  readonly admin_address: string | null;
  /** Seconds. */
  readonly time_lock: number;
};

export type PolicySigner = {
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly address: string;
  readonly permissions: readonly Permission[];
  readonly role?: SignerRole;
  readonly provider?: Provider;
};

export type PrepareTransactionRequest = {
  /** What is to be done; signatures are ignored. */
  readonly transaction: string;
  readonly account_signers?: readonly string[];
  /** Only members of this provider sign. */
  readonly provider?: Provider;
  /** A passkey signs it itself (gap 248). */
  readonly passkey_approval?: boolean;
  readonly fee_config?: FeeConfig;
  /** Who pays with self_managed_fees: a key of the caller's. */
  readonly payer_address?: string;
};

export type PreparedBufferClosing = {
  /** Base64 wire transaction, unsigned. */
  readonly transaction: string;
  /** Addresses that must sign, the service's fee payer aside. */
  readonly transaction_signers: readonly string[];
  readonly kms_payloads: readonly KmsPayload[];
  /** Until when it can be submitted. */
  readonly expires_at: string;
  /** What it does, read off its bytes. */
  readonly summary: readonly SummaryEntry[];
  /** What it costs and who pays. */
  readonly fee: TransactionFee;
  readonly buffers: readonly {
    /** 32 bytes in base58: of an account, a key or a mint. */
    readonly address: string;
    /** Of the message it is for. */
    readonly message_sha256: string;
    /** How long that is. */
    readonly message_bytes: number;
    /** How much of it is there. */
    readonly written_bytes: number;
    /** What the signer gets back. */
    readonly lamports: string;
  }[];
  /** Whether the signer has others: ask again. */
  readonly more: boolean;
};

export type PreparedCustomTransaction = {
  /** Base64 wire transaction, unsigned. */
  readonly transaction: string;
  /** Addresses that must sign, the service's fee payer aside. */
  readonly transaction_signers: readonly string[];
  readonly kms_payloads: readonly KmsPayload[];
  /** Until when it can be submitted. */
  readonly expires_at: string;
  /** What it does, read off its bytes. */
  readonly summary: readonly SummaryEntry[];
  /** What it costs and who pays. */
  readonly fee: TransactionFee;
  readonly simulation_logs: readonly string[];
};

export type PreparedExecution = {
  readonly signers: readonly string[];
  /** Base64 wire transactions, unsigned, for the multiple submit. */
  readonly transactions: readonly string[];
  /** Addresses that must sign, the service's fee payer aside. */
  readonly transaction_signers: readonly string[];
  /** One array per transaction, in their order. */
  readonly kms_payloads: readonly (readonly KmsPayload[])[];
  /** Until when it can be submitted. */
  readonly expires_at: string;
  /** What it does, read off its bytes. */
  readonly summary: readonly SummaryEntry[];
  /** What it costs and who pays. */
  readonly fee: TransactionFee;
  readonly proposal: ProposalDetails;
};

export type PreparedLegacyPaymentIntent = {
  readonly PaymentProvider: LegacyPayment;
  /** With webhook_url: what those events are signed with. It is not returned again. */
  readonly webhook_secret?: string;
  /** Base64 wire transaction, unsigned. Null for a payment from a bank: nothing is signed. */
  readonly intent_payload: string | null;
  /** Base64 of the JSON document to sign with the session's key. Null: the account's own keys sign the transaction itself. */
  readonly mpc_payload: string | null;
};

export type PreparedPasskeyAddition = {
  /** Base64 wire transaction, unsigned. */
  readonly transaction: string;
  /** Addresses that must sign, the service's fee payer aside. */
  readonly transaction_signers: readonly string[];
  readonly kms_payloads: readonly KmsPayload[];
  /** Until when it can be submitted. */
  readonly expires_at: string;
  /** What it does, read off its bytes. */
  readonly summary: readonly SummaryEntry[];
  /** What it costs and who pays. */
  readonly fee: TransactionFee;
  /** Where the change has to be voted on: the proposal that the transaction opens. */
  readonly proposal_address?: string;
  /** Of that proposal. */
  readonly transaction_index?: number;
  /** Addresses of spending limits that a removed signer could still use afterwards. */
  readonly remaining_spending_limits: readonly string[];
  /** Standing orders that are paid until they are cancelled, also after a change of signers. */
  readonly remaining_mandates: readonly {
    readonly standing_order_id: string;
    /** 32 bytes in base58: of an account, a key or a mint. */
    readonly spending_limit_address: string;
  }[];
  /** Of the account. */
  readonly threshold: number;
  /** It takes effect when it is submitted, or voted for. */
  readonly status: "pending";
  readonly passkey: AccountPasskey;
};

export type PreparedPasskeyRemoval = {
  /** Base64 wire transaction, unsigned. */
  readonly transaction: string;
  /** Addresses that must sign, the service's fee payer aside. */
  readonly transaction_signers: readonly string[];
  readonly kms_payloads: readonly KmsPayload[];
  /** Until when it can be submitted. */
  readonly expires_at: string;
  /** What it does, read off its bytes. */
  readonly summary: readonly SummaryEntry[];
  /** What it costs and who pays. */
  readonly fee: TransactionFee;
  /** Where the change has to be voted on: the proposal that the transaction opens. */
  readonly proposal_address?: string;
  /** Of that proposal. */
  readonly transaction_index?: number;
  /** Addresses of spending limits that a removed signer could still use afterwards. */
  readonly remaining_spending_limits: readonly string[];
  /** Standing orders that are paid until they are cancelled, also after a change of signers. */
  readonly remaining_mandates: readonly {
    readonly standing_order_id: string;
    /** 32 bytes in base58: of an account, a key or a mint. */
    readonly spending_limit_address: string;
  }[];
  /** Of the account. */
  readonly threshold: number;
  /** It takes effect when it is submitted, or voted for. */
  readonly status: "pending";
  readonly removed_passkey: AccountPasskey;
};

export type PreparedPayment = PreparedTransfer | OpenedPayIn;

export type PreparedProposal = {
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly proposalAddress: string;
  readonly transactionIndex: number;
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly signer: string;
  /** Base64 wire transactions, unsigned, for the multiple submit. */
  readonly transactions: readonly string[];
  /** Addresses that must sign, the service's fee payer aside. */
  readonly transaction_signers: readonly string[];
  /** One array per transaction, in their order. */
  readonly kms_payloads: readonly (readonly KmsPayload[])[];
  /** Until when it can be submitted. */
  readonly expires_at: string;
  /** What it does, read off its bytes. */
  readonly summary: readonly SummaryEntry[];
  /** What it costs and who pays. */
  readonly fee: TransactionFee;
  /** Where the message is put together, if it does not fit one transaction. */
  readonly buffer?: BufferUse;
  /** Of a batch. */
  readonly batch?: {
    /** How many transactions it is to have. */
    readonly size: number;
    /** How many of them, the first ones, are on chain already, and not sent again. */
    readonly stored: number;
  };
};

export type PreparedProtection = {
  readonly guardian: GuardianWallet;
  readonly session_wallet: SessionSigner;
  /** Absent while no passkey commands the guardian's wallet. */
  readonly change?: {
    /** Base64 wire transaction, unsigned. */
    readonly transaction: string;
    /** Addresses that must sign, the service's fee payer aside. */
    readonly transaction_signers: readonly string[];
    readonly kms_payloads: readonly KmsPayload[];
    /** Until when it can be submitted. */
    readonly expires_at: string;
    /** What it does, read off its bytes. */
    readonly summary: readonly SummaryEntry[];
    /** What it costs and who pays. */
    readonly fee: TransactionFee;
    /** Where the change has to be voted on: the proposal that the transaction opens. */
    readonly proposal_address?: string;
    /** Of that proposal. */
    readonly transaction_index?: number;
  };
  /** Spending limits that can be used afterwards by their users alone. */
  readonly remaining_spending_limits: readonly string[];
  /** Standing orders that are paid until they are cancelled. */
  readonly remaining_mandates: readonly {
    readonly standing_order_id: string;
    /** 32 bytes in base58: of an account, a key or a mint. */
    readonly spending_limit_address: string;
  }[];
  /** Approved proposals that one signer can still execute afterwards. */
  readonly remaining_proposals: readonly string[];
  /** Policies of the program, whose signers act without those of the account. */
  readonly remaining_policies: readonly string[];
  /** Signers of the guarded account whose keys others may have: they were handed out, or imported. */
  readonly exported_signers: readonly string[];
};

export type PreparedSpendingLimit = {
  /** Base64 wire transaction, unsigned. */
  readonly transaction: string;
  /** Addresses that must sign, the service's fee payer aside. */
  readonly transaction_signers: readonly string[];
  readonly kms_payloads: readonly KmsPayload[];
  /** Until when it can be submitted. */
  readonly expires_at: string;
  /** What it does, read off its bytes. */
  readonly summary: readonly SummaryEntry[];
  /** What it costs and who pays. */
  readonly fee: TransactionFee;
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly spending_limit_address: string;
};

export type PreparedStandingOrder = {
  readonly id: string;
  /** The smart account. */
  readonly account: string;
  readonly status: StandingOrderStatus;
  /** Why it is inactive, or was cancelled. */
  readonly reason?: string;
  /** What stands on chain: no limit yet, one, one whose removal was asked for, none any more. */
  readonly mandate: "awaited" | "active" | "revocation_pending" | "revoked";
  /** Of one payment. */
  readonly amount: string;
  /** The same in whole units. */
  readonly ui_amount: string;
  readonly currency: string;
  readonly frequency: StandingOrderFrequency;
  /** The same as frequency. */
  readonly period: StandingOrderFrequency;
  readonly payment_rail: string;
  readonly source: StandingOrderSource;
  readonly destination: StandingOrderDestination;
  /** Who is paid: one owner. */
  readonly destinations: readonly string[];
  /** The first due date, in UTC. */
  readonly start_date: string;
  /** Inclusive. Absent: without end. */
  readonly end_date?: string;
  /** How many due dates there are, where there is an end. */
  readonly occurrences?: number;
  /** The next due date; the last one known where the order has ended. */
  readonly next_execution_date: string;
  /** When it last paid. */
  readonly last_execution_date?: string;
  /** Base units of all payments that are left, where there is an end. */
  readonly remaining_amount?: string;
  /** The limit on chain that it is paid out of. */
  readonly spending_limit_address: string;
  /** The only key that may draw on that limit. */
  readonly executor_address: string;
  /** Where the limit has to be voted on. */
  readonly proposal_address?: string;
  /** Until when a pending order waits for its limit. */
  readonly valid_until: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** The first due dates. */
  readonly next_execution_dates: readonly string[];
  /** Of the proposal. */
  readonly transaction_index?: number;
  /** Base64 wire transaction, unsigned. */
  readonly transaction: string;
  /** Addresses that must sign, the service's fee payer aside. */
  readonly transaction_signers: readonly string[];
  readonly kms_payloads: readonly KmsPayload[];
  /** Until when it can be submitted. */
  readonly expires_at: string;
  /** What it does, read off its bytes. */
  readonly summary: readonly SummaryEntry[];
  /** What it costs and who pays. */
  readonly fee: TransactionFee;
};

export type PreparedTransaction = {
  /** Base64 wire transaction, unsigned. */
  readonly transaction: string;
  /** Addresses that must sign, the service's fee payer aside. */
  readonly transaction_signers: readonly string[];
  readonly kms_payloads: readonly KmsPayload[];
  /** Until when it can be submitted. */
  readonly expires_at: string;
  /** What it does, read off its bytes. */
  readonly summary: readonly SummaryEntry[];
  /** What it costs and who pays. */
  readonly fee: TransactionFee;
};

export type PreparedTransfer = {
  readonly id: string;
  /** The payment's state. */
  readonly state: PaymentIntentState;
  /** Base units; of money from a bank, a decimal in its currency. */
  readonly amount: string;
  readonly currency: string;
  readonly source: PaymentSource;
  readonly destination: PaymentDestination;
  readonly created_at: string;
  /** When its state last moved. */
  readonly updated_at: string;
  /** With a bank at either end: where the money has to be sent. For a payment to a bank `to_address`, on chain, which the prepared transaction pays; for one from a bank the bank's details and `deposit_message`, which the payer must give. */
  readonly source_deposit_instructions?: DepositInstructions;
  /** Until when it can be submitted. */
  readonly expires_at: string;
  readonly return_details?: ReturnDetails;
  /** With a bank: what its partner reports. */
  readonly receipt?: PaymentReceipt;
  /** From payment_submitted on. With a bank: of the payment on chain, once there is one. */
  readonly transaction_signature?: string;
  /** Of one that is processed: the block. */
  readonly confirmed_at?: string;
  /** Of one that is canceled or in error: why nothing was paid. */
  readonly error?: PaymentFailure;
  /** With webhook_url: what those events are signed with. It is not returned again. */
  readonly webhook_secret?: string;
  /** Base64 wire transaction, unsigned. */
  readonly transaction: string;
  /** Addresses that must sign, the service's fee payer aside. */
  readonly transaction_signers: readonly string[];
  readonly kms_payloads: readonly KmsPayload[];
  /** What it does, read off its bytes. */
  readonly summary: readonly SummaryEntry[];
  /** What it costs and who pays. */
  readonly fee: TransactionFee;
};

export type PreparedUpdate = {
  /** Base64 wire transaction, unsigned. */
  readonly transaction: string;
  /** Addresses that must sign, the service's fee payer aside. */
  readonly transaction_signers: readonly string[];
  readonly kms_payloads: readonly KmsPayload[];
  /** Until when it can be submitted. */
  readonly expires_at: string;
  /** What it does, read off its bytes. */
  readonly summary: readonly SummaryEntry[];
  /** What it costs and who pays. */
  readonly fee: TransactionFee;
  /** Where the change has to be voted on: the proposal that the transaction opens. */
  readonly proposal_address?: string;
  /** Of that proposal. */
  readonly transaction_index?: number;
  /** Addresses of spending limits that a removed signer could still use afterwards. */
  readonly remaining_spending_limits: readonly string[];
  /** Standing orders that are paid until they are cancelled, also after a change of signers. */
  readonly remaining_mandates: readonly {
    readonly standing_order_id: string;
    /** 32 bytes in base58: of an account, a key or a mint. */
    readonly spending_limit_address: string;
  }[];
};

export type PreparedVote = {
  /** Whose votes are in the transaction. */
  readonly signers: readonly string[];
  /** Base64 wire transaction, unsigned. */
  readonly transaction: string;
  /** Addresses that must sign, the service's fee payer aside. */
  readonly transaction_signers: readonly string[];
  readonly kms_payloads: readonly KmsPayload[];
  /** Until when it can be submitted. */
  readonly expires_at: string;
  /** What it does, read off its bytes. */
  readonly summary: readonly SummaryEntry[];
  /** What it costs and who pays. */
  readonly fee: TransactionFee;
  readonly proposal: ProposalDetails;
};

export type Proposal = {
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly proposalAddress: string;
  /** One of the first; with showOnChainStatus=true one of the others, as the chain has it. */
  readonly status: ProposalState;
  /** When that status was set: Unix seconds. */
  readonly statusTimestamp: number;
  readonly approved: readonly string[];
  readonly rejected: readonly string[];
  readonly cancelled: readonly string[];
  /** The settings, whose signers decide. */
  readonly consensusAccount: string;
  readonly consensusAccountType: "Settings";
  /** Of the transaction that last changed the proposal. */
  readonly blockTime?: string;
  /** That transaction. */
  readonly lastModifiedSignature?: string;
  /** The smart account. */
  readonly mainAccountAddress: string;
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly settingsAddress: string;
  readonly transactionIndex: number;
  /** True: the settings changed since, and it can no longer be approved or rejected. */
  readonly stale: boolean;
  /** True: its accounts on the chain are closed; votes and outcome are kept here. */
  readonly closed: boolean;
  /** Rent that closing gave back. */
  readonly reclaimedLamports?: string;
  readonly createdAt?: string;
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly creator?: string;
  /** What is voted on. */
  readonly kind: "transaction" | "settings" | "batch" | "unknown";
  /** Of a batch: transactions that are executed one after the other. */
  readonly batch?: ProposalBatch;
};

/** Of a batch: transactions that are executed one after the other. */
export type ProposalBatch = {
  /** How many transactions it holds. */
  readonly size: number;
  /** How many of them were executed: the first ones. */
  readonly executed: number;
};

export type ProposalDetails = {
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly proposalAddress: string;
  /** One of the first; with showOnChainStatus=true one of the others, as the chain has it. */
  readonly status: ProposalState;
  /** When that status was set: Unix seconds. */
  readonly statusTimestamp: number;
  readonly approved: readonly string[];
  readonly rejected: readonly string[];
  readonly cancelled: readonly string[];
  /** The settings, whose signers decide. */
  readonly consensusAccount: string;
  readonly consensusAccountType: "Settings";
  /** Of the transaction that last changed the proposal. */
  readonly blockTime?: string;
  /** That transaction. */
  readonly lastModifiedSignature?: string;
  /** The smart account. */
  readonly mainAccountAddress: string;
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly settingsAddress: string;
  readonly transactionIndex: number;
  /** True: the settings changed since, and it can no longer be approved or rejected. */
  readonly stale: boolean;
  /** True: its accounts on the chain are closed; votes and outcome are kept here. */
  readonly closed: boolean;
  /** Rent that closing gave back. */
  readonly reclaimedLamports?: string;
  readonly createdAt?: string;
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly creator?: string;
  /** What is voted on. */
  readonly kind: "transaction" | "settings" | "batch" | "unknown";
  readonly batch?: {
    /** How many transactions it holds. */
    readonly size: number;
    /** How many of them were executed: the first ones. */
    readonly executed: number;
    /** What each of them does; all together stand in `summary`. */
    readonly transactions?: readonly (readonly SummaryEntry[])[];
  };
  /** Of an approved one: when its time lock ends. */
  readonly executableAt?: string;
  /** How long that is from this answer on, by the environment's clock. */
  readonly executableInSeconds?: number;
  /** What it does once it is executed, read off the stored bytes. */
  readonly summary: readonly SummaryEntry[];
  /** Whose balances would change if it were executed now. Absent where that cannot be simulated. */
  readonly balanceChanges?: readonly BalanceChange[];
  /** Why it cannot: it would fail, for example. */
  readonly simulationError?: string;
  readonly warnings: readonly ProposalWarning[];
  /** Approvals that are still missing; 0 unless Active. */
  readonly votesNeeded: number;
};

export type ProposalMails = {
  /** `waiting`: a vote was opened. `approved`: enough have approved. `executed`: it was carried out. */
  readonly kinds: readonly ("waiting" | "approved" | "executed")[];
  readonly environments: readonly Environment[];
  /** A template. `{tenant}`, `{environment}` and `{count}` stand for what they say. */
  readonly subject: string | null;
  /** The same, before the list of what happened. It may have several lines. */
  readonly text: string | null;
};

/** One of the first; with showOnChainStatus=true one of the others, as the chain has it. */
export type ProposalState = ProposalStatus | OnChainProposalStatus;

export type ProposalStatus = "Active" | "Approved" | "Executed" | "Rejected" | "Cancelled";

export type ProtectAccountRequest = {
  readonly recovery: RecoverySigner;
  /** A wallet that the guardian holds for the account's user. By default the one that signs for the account, else the newest. */
  readonly guardian?: string;
  /** True: another wallet at the guardian, in place of one whose passkeys are lost. */
  readonly replace_guardian?: boolean;
  /** The custodian whose wallet obeys sessions. By default the one whose wallet signs for the account. */
  readonly session_provider?: Provider;
  /** True: another wallet at the session provider, in place of the user's own there. It derives from the newest root, and obeys the user's sessions. */
  readonly replace_session_wallet?: boolean;
  /** True: all spending limits of the account are removed too, but those of its standing orders. */
  readonly remove_spending_limits?: boolean;
  /** True: approved proposals, policies and exported signers are known, and stay. */
  readonly keep_remaining?: boolean;
  readonly transaction_signers?: readonly string[];
  /** Only members of this provider sign. */
  readonly provider?: Provider;
  readonly fee_config?: FeeConfig;
  /** Who pays with self_managed_fees: a key of the caller's. */
  readonly payer_address?: string;
};

/** guarded: neither this service, nor the guardian, nor any one key moves money alone. */
export type Protection = "plain" | "guarded";

export type ProvenAuditEvent = {
  /** Its leaf in the log, counted from 0: the same for good. */
  readonly index: number;
  readonly type: AuditEventType;
  /** By the database's clock. */
  readonly occurred_at: string;
  /** Absent: of all environments. */
  readonly environment?: Environment;
  /** What it is about. */
  readonly subject?: string;
  /** Whose it is. */
  readonly user_id?: string;
  /** `api_key/<id>`, `session/<id>`, `member/<id>`, `operator` or `configuration`. Absent: see the type. */
  readonly actor?: string;
  /** What it was afterwards, by its type. */
  readonly details?: {
    readonly [name: string]: unknown;
  };
  /** Canonical JSON: the leaf is the SHA-256 of a zero byte and this text. */
  readonly leaf: string;
  /** 32 bytes in hexadecimal digits. */
  readonly salt?: string;
  /** JSON: `body_hash` in the leaf is the SHA-256 of the salt and this text. */
  readonly body?: string;
  /** Absent until the next checkpoint, 10 seconds at most. */
  readonly proof?: {
    /** A signed note that says how large the log is, and its root. */
    readonly checkpoint: string;
    /** Base64: what leads from the leaf to the root, from the leaf's sibling upwards (RFC 6962). */
    readonly hashes: readonly string[];
  };
};

export type Provider = "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";

export type ProviderAuthentication = {
  readonly provider: "kms_a" | "kms_b" | "kms_c";
  readonly session: ProviderSession;
};

export type ProviderSession = {
  readonly KmsA?: CustodySession;
  readonly KmsB?: CustodySession;
  readonly KmsC?: CustodySession;
  readonly user_id?: string;
  readonly session?: SealedSession;
};

export type RailMovement = {
  /** Of the deposit, or of the payment intent. */
  readonly id: string;
  /** To a virtual account; or a payment from a bank, or to one. */
  readonly kind: "deposit" | "pay_in" | "pay_out";
  readonly virtual_account_id?: string;
  readonly grid_user_id: string;
  /** The smart account. */
  readonly main_account_address: string;
  readonly direction: "inflow" | "outflow";
  /** Where the partner has it. */
  readonly state: PaymentIntentState;
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
    /** The `Spl` item of the same signature is what it paid in; of a payment to a bank: what was returned. */
    readonly destination_tx_hash?: string;
    readonly url?: string;
  };
  readonly return_details?: ReturnDetails;
  /** Whether the chain shows its payment to the account, or to the partner, final. */
  readonly credited: boolean;
  readonly confirmed_at?: string;
  readonly environment: Environment;
  readonly created_at: string;
  readonly updated_at: string;
};

export type RailMovementEnd = {
  readonly currency: string;
  readonly payment_rail?: string;
  readonly from_address?: string;
  readonly to_address?: string;
  /** The bank account that is paid. */
  readonly external_account_id?: string;
};

export type RecoverySigner = {
  /** An Ed25519 public key whose private half is kept away from everything else. */
  readonly address: string;
};

export type RefreshSessionRequest = {
  /** SPKI DER, in base64. */
  readonly encryption_public_key: string;
  readonly kms_payload: {
    readonly provider: "kms_a" | "kms_b" | "kms_c";
    /** The session as it was received, or what stands under its provider's key. */
    readonly session: {
      readonly KmsA?: RefreshableSession;
      readonly KmsB?: RefreshableSession;
      readonly KmsC?: RefreshableSession;
      readonly refresh_token?: string;
    };
  };
  /** Only for another public key. */
  readonly signature?: string;
};

export type RefreshableSession = {
  readonly refresh_token: string;
};

export type RefreshedSession = {
  readonly kms_payload: ProviderAuthentication;
};

export type RejectionReason = {
  readonly code: string;
  readonly message: string;
};

export type ReleaseAccountRequest = {
  readonly proof?: SignerProof;
};

export type ReleasedAccount = {
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly address: string;
  /** What the next import names. */
  readonly settings_address: string;
  readonly status: "active" | "released";
  /** What has to end first; up to 20 of each type. */
  readonly obstacles: readonly {
    readonly type: 
      | "transaction"
      | "payment_intent"
      | "standing_order"
      | "wallet_export"
      | "kyc"
      | "external_account"
      | "virtual_account"
      | "bank_payment"
      | "payout_address";
    /** Of a transaction its signature. */
    readonly id: string;
  }[];
  readonly challenge?: SignerChallenge;
};

export type RelyingParty = {
  /** A domain, without scheme and port. Passkeys stay with the one that they were made for. */
  readonly rp_id: string | null;
  /** What browsers show. */
  readonly name: string | null;
  /** Of the pages that may ask for these passkeys, as browsers write origins. */
  readonly origins: readonly string[];
};

export type RemovedPasskey = {
  readonly id: string;
  readonly status: "removed";
};

export type RenewedWallet = {
  /** The wallet that signs for the account now. */
  readonly replaces: string;
  /** The one that derives from the newest root. */
  readonly address: string;
  readonly provider: Provider;
  readonly proof: WalletProof;
};

export type ReplayRequest = {
  readonly event_id?: string;
  readonly failed_since?: string;
  readonly missing_since?: string;
  /** With missing_since: `next_cursor` of the call before. */
  readonly cursor?: string;
};

export type Replayed = {
  /** How many events are sent again. */
  readonly scheduled: number;
  /** True: there are more; call it once more, with next_cursor if there is one. */
  readonly more: boolean;
  /** With missing_since, where there are more. */
  readonly next_cursor?: string;
};

export type RequestRecord = {
  /** As the answer's `x-request-id` has it. */
  readonly request_id: string;
  /** When it was received. */
  readonly at: string;
  readonly method: string;
  /** The path of the operation, with the names of its parameters. */
  readonly path: string;
  /** The account in the path, where it is one of the tenant's. */
  readonly account?: string;
  /** The HTTP status of the answer. */
  readonly status: number;
  readonly error_code?: string;
  /** The catalogue's text of the code. The answer may have said more: that is not kept. */
  readonly error_message?: string;
  readonly duration_ms: number;
  /** The key that called. */
  readonly api_key_id: string;
  /** Absent: the operation has none, or the request was refused before it was known. */
  readonly environment?: Environment;
  /** Where it came from. */
  readonly remote_address?: string;
};

export type RequestVirtualAccountRequest = {
  /** The currency of the bank: `usd`, `eur`, `gbp`, …, as the partner offers them. */
  readonly currency: string;
  /** The account's user; derived where absent. */
  readonly grid_user_id?: string;
};

export type RequestedCustomPolicies = {
  readonly signers: readonly (EmailSigner | KeySigner)[];
  readonly threshold: number;
  /** Seconds; 0 when absent. */
  readonly time_lock?: number;
  /** Who alone may change the settings. Absent: the signers decide, for good. */
  readonly admin_address?: string;
};

/** A month is 30 days. */
export type RequestedPeriod = "one_time" | "day" | "week" | "month" | "daily" | "weekly" | "monthly";

export type RequestedProposalMails = {
  /** `waiting`: a vote was opened. `approved`: enough have approved. `executed`: it was carried out. */
  readonly kinds: readonly ("waiting" | "approved" | "executed")[];
  readonly environments?: readonly Environment[];
  /** A template. `{tenant}`, `{environment}` and `{count}` stand for what they say. */
  readonly subject?: string;
  /** The same, before the list of what happened. It may have several lines. */
  readonly text?: string;
};

export type RequestedRelyingParty = {
  /** A domain, without scheme and port. Passkeys stay with the one that they were made for. */
  readonly rp_id: string;
  /** What browsers show. */
  readonly name: string;
  /** Of the pages that may ask for these passkeys, as browsers write origins. */
  readonly origins: readonly string[];
};

export type RequestedSessionKey = {
  readonly key: KeyBytes;
  /** For how many seconds it signs, 90 days at most. */
  readonly expiration: number;
};

export type RequestedTreasuryPage = {
  /** At the top of every page. No control characters, and none that turn the direction of text. */
  readonly name: string;
  /** Of buttons and links. */
  readonly color: string;
  /** A publishable key of this tenant, whose allowed origins have the one the pages are served from. */
  readonly publishable_key: string;
  /** A picture of at most 24 KiB, as a data URL. */
  readonly logo?: string;
};

export type RequestsQuery = {
  /** `refused`: answered with a status from 400 to 499. `failed`: with one from 500. */
  readonly status?: "refused" | "failed";
  /** Only those of this key. */
  readonly api_key_id?: string;
  /** Only those with this error code; with neither of the two above. */
  readonly code?: string;
  /** Only those with this id; with none of the three above. */
  readonly request_id?: string;
  /** Only requests of this environment, and those of none. */
  readonly environment?: Environment;
  /** 0 to 100; 50 when absent. */
  readonly limit?: number;
  /** x-next-cursor of the page before. */
  readonly cursor?: string;
};

export type ResponseMetadata = {
  readonly request_id: string;
  readonly timestamp: string;
  /** On lists: where the next page begins. */
  readonly next_cursor?: string;
  /** On transfers and transactions: as of when the list has everything, by the environment's clock. */
  readonly complete_at?: string;
};

export type ReturnDetails = {
  readonly reason: string;
};

export type SandboxClock = {
  /** Environment time. */
  readonly now: string;
};

export type SandboxDepositRequest = {
  /** A decimal in the currency of the account. */
  readonly amount: string;
  /** Default: the account's first. */
  readonly payment_rail?: BankRail;
};

/** What goes wrong on purpose in the sandbox; zeros: nothing. */
export type SandboxFaults = {
  /** How many times each sent transaction is answered with its signature and then dropped. 1000000: always. */
  readonly drop: number;
  /** How many times each blockhash is unknown to a call that sends with preflight, or simulates. 1000000: always. */
  readonly blockhash_not_found: number;
  /** How many times each transaction that bids less than the price is answered with its signature and then dropped. 0 with a price: always. Without a price, any bid has room. 1000000: always. */
  readonly full_blocks: number;
  /** What recent prioritization fees are, and what a transaction must bid to land: micro-lamports per compute unit. */
  readonly price: number;
  /** How many times each sent transaction lands on a fork that is abandoned: it is answered with its signature, has the status `processed` for a few slots, and is then dropped. 1000000: always. */
  readonly fork: number;
  /** By how many slots of 400 ms the answering node is behind: it does not know what landed since. */
  readonly lag: number;
};

export type SealedSession = {
  readonly encrypted_authorization_key: EncryptedAuthorizationKey;
  /** Unix milliseconds. */
  readonly expires_at: number;
  readonly wallets: readonly SessionWallet[];
};

export type SealedWalletKey = {
  /** Base64: the sender's point, 65 bytes. */
  readonly encapsulated_key: string;
  /** Base64. Opened it is 64 bytes: the seed, and the address's 32 bytes. */
  readonly ciphertext: string;
};

export type ServiceStatus = {
  readonly version: string;
  readonly started_at: string;
  readonly uptime_seconds: number;
  readonly database: {
    readonly kind: "embedded" | "postgresql";
    readonly answers: boolean;
    readonly server_version?: string;
    /** The newest one that its tables have. */
    readonly migration?: string;
    /** Settings of the server that an operator should change. */
    readonly faults?: readonly {
      readonly setting: string;
      readonly value: string;
      readonly message: string;
    }[];
    /** Of this process. Empty: the database is embedded. */
    readonly connections: readonly {
      readonly pool: "requests" | "background";
      /** Opened at most. */
      readonly max: number;
      /** Connections. */
      readonly in_use: number;
      /** Connections. */
      readonly idle: number;
      /** Statements that wait for one. */
      readonly waiting: number;
    }[];
  };
  readonly environments: readonly {
    readonly environment: Environment;
    /** Whether its chain answers. */
    readonly ok: boolean;
    /** Its fee payer cannot pay fees at present. */
    readonly poor: boolean;
    readonly message?: string;
    readonly fee_payer: string;
    /** Empty: the sandbox. */
    readonly nodes: readonly {
      /** Its place in the configuration. */
      readonly number: number;
      /** Without user, path and query. */
      readonly origin: string;
      /** `agrees`: it is asked. `foreign`: of another cluster. `unseen`: it has never answered. `silent`: it fails at present. The others: its height is not that of the rest. */
      readonly standing: "agrees" | "behind" | "outvoted" | "foreign" | "unseen" | "silent";
      /** Whether it said its height at the latest comparison. */
      readonly answers: boolean;
      /** What it said. */
      readonly block_height?: number;
      /** Behind the highest of the others. */
      readonly blocks_behind?: number;
      /** When it was asked. */
      readonly compared_at?: string;
    }[];
    /** `none`: none is configured. `idle`: nothing wants reports at present. */
    readonly websocket: "none" | "idle" | "connected" | "lost";
    /** Counted up to 5,000 each. */
    readonly queues?: {
      /** Without an outcome. */
      readonly submissions_open: number;
      /** Account creations without an outcome. */
      readonly creations_open: number;
      /** Not handed to the mail server yet. */
      readonly mails_queued: number;
      /** To which something is to be sent now. */
      readonly webhook_endpoints_due: number;
      /** To be read or paid now. */
      readonly standing_orders_due: number;
    };
  }[];
  /** Counted up to 5,000. */
  readonly event_deliveries_pending?: number;
  /** Of the process that answers. Each process has all of them. */
  readonly passes: readonly {
    readonly pass: string;
    readonly environment: "sandbox" | "devnet" | "mainnet" | "all";
    readonly every_seconds: number;
    readonly next_run_at: string;
    /** When its latest run ended, well or not. */
    readonly last_run_at?: string;
    readonly last_run_ok?: boolean;
    readonly last_duration_ms?: number;
    /** When a run last ended well. */
    readonly last_success_at?: string;
  }[];
  /** `none`: no mail server is configured. */
  readonly mail: "smtp" | "none";
  /** Custodians whose log is not what it was. */
  readonly custodian_log_faults: readonly string[];
  /** Parts that could not be read within two seconds. Their fields are absent, or older. */
  readonly unread: readonly string[];
};

export type SessionKeyConfig = {
  /** SPKI DER, in base64. */
  readonly encryption_public_key: string;
};

export type SessionPolicy = {
  /** A session that neither signs nor is refreshed for so long ends; null: it may rest as long as it lives. */
  readonly idle_seconds: number | null;
  /** A new sign-in ends the sessions that its user had before. */
  readonly one_session: boolean;
};

export type SessionSigner = {
  /** The wallet that obeys sessions, and signs once the change is made. */
  readonly address: string;
  readonly provider: Provider;
};

export type SessionWallet = {
  readonly id: string;
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly address: string;
  /** Base58, the same 32 bytes. */
  readonly public_key?: string;
  readonly owner_id?: string;
  readonly chain_type?: string;
  /** Unix milliseconds. */
  readonly created_at?: number;
  readonly exported_at?: number | null;
  readonly imported_at?: number | null;
  readonly policy_ids?: readonly string[];
  readonly additional_signers?: readonly {
    readonly signer_id: string;
    readonly override_policy_ids: readonly string[];
  }[];
};

export type SetKycRequest = {
  readonly status: KycStatus;
  readonly tos_status?: "pending" | "approved";
  /** With `rejected`. */
  readonly rejection_reasons?: readonly {
    readonly code: string;
    readonly message: string;
  }[];
  /** Revoked, as a partner does that withdraws an approval. */
  readonly revoked_endorsements?: readonly string[];
};

/** Which kind of SettingsAction it is. */
export type SettingsActionType =
  | "add_signer"
  | "remove_signer"
  | "change_threshold"
  | "set_time_lock"
  | "set_admin"
  | "add_spending_limit"
  | "remove_spending_limit"
  | "remove_policy"
  | "other";

export type SignedInSession = {
  /** Stays the same however often the session is refreshed. */
  readonly id: string;
  /** Whose session it is. Absent, as `provider`, where somebody signed in with a wallet of their own. */
  readonly grid_user_id?: string;
  readonly provider?: "kms_a" | "kms_b" | "kms_c";
  /** The wallet it signs with: a signer of the account. */
  readonly signer: string;
  /** True: the request presented this session's token. */
  readonly current: boolean;
  /** When the code was verified. */
  readonly created_at: string;
  /** When it last signed something or was refreshed, to the minute. */
  readonly last_active_at: string;
  /** When it ends unless it is refreshed. */
  readonly expires_at: string;
  /** When it cannot be refreshed any more. */
  readonly ends_at: string;
};

export type SignerChallenge = {
  /** To be signed by one of the account's signers. */
  readonly message: string;
  readonly expires_at: string;
};

export type SignerProof = {
  /** Who has signed. For a signer that is a passkey its session key has: name either of the two. */
  readonly signer_address: string;
  /** The text of `challenge`, as it was. */
  readonly message: string;
  /** Ed25519, base64, over the text's UTF-8 bytes. */
  readonly signature: string;
};

export type SignerRole = "primary" | "backup";

export type SignersAccount = {
  readonly type: "signers";
  readonly status: "active";
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly address: string;
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly settings_address: string;
  readonly grid_user_id: string;
  readonly policies: Policies;
  readonly memo?: string;
};

export type SpendingLimit = {
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly address: string;
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly settings_address: string;
  /** The account it pays from. */
  readonly main_account_address: string;
  readonly environment: Environment;
  /** Null is SOL. */
  readonly mint: string | null;
  /** Its symbol, where the environment knows the mint. */
  readonly currency?: string;
  /** Per period. */
  readonly amount: string;
  /** What a payment could take now, balance aside. */
  readonly remaining_amount: string;
  /** A month is 30 days. */
  readonly period: SpendingLimitPeriod;
  /** Since when the present allowance counts. */
  readonly last_reset: string;
  /** The first second at which the whole amount is there again. Null for a one-time limit. */
  readonly next_reset: string | null;
  /** Who may use it. */
  readonly signers: readonly string[];
  /** Owners that may be paid. Empty: any owner. */
  readonly destinations: readonly string[];
  /** Null: never. */
  readonly expiration: string | null;
  /** True: it has not expired, something is left of it, and it pays from this very account. The account's balance does not count. */
  readonly usable: boolean;
};

/** Base units per period: a decimal string, or a number as far as it is exact in JSON. */
export type SpendingLimitAmount = string | number;

/** A date-time (RFC 3339) or Unix seconds. Null or absent: never. */
export type SpendingLimitExpiration = string | number | null;

/** A month is 30 days. */
export type SpendingLimitPeriod = "one_time" | "day" | "week" | "month";

export type SplTransfer = {
  readonly id: string;
  readonly grid_user_id: string;
  /** The smart account. */
  readonly main_account_address: string;
  /** The system program's address for SOL. */
  readonly mint: string;
  readonly is_token_2022: boolean;
  /** Of a transaction, which is its id on chain: 64 bytes in base58. */
  readonly signature: string;
  readonly confirmation_status: "confirmed" | "finalized";
  /** The account's token account that gained or lost; absent where it is the account itself. */
  readonly token_account?: string;
  /** The owner; the system program's address where nobody is named. */
  readonly from_address: string;
  /** The owner; the system program's address where nobody is named. */
  readonly to_address: string;
  /** Base units, as a decimal string: whole, of 64 bits. */
  readonly amount: string;
  /** Exact, in whole units: dollars, not cents. */
  readonly ui_amount: string;
  readonly decimals: number;
  /** The time of the block. */
  readonly confirmed_at: string;
  /** The time of the block. */
  readonly created_at: string;
  /** The time of the block. */
  readonly updated_at: string;
  readonly direction: "inflow" | "outflow";
  readonly environment: Environment;
  /** Counted in the order instructions began, called ones included. One more than the last: none of them. */
  readonly instruction_index: number;
};

export type StandingOrder = {
  readonly id: string;
  /** The smart account. */
  readonly account: string;
  readonly status: StandingOrderStatus;
  /** Why it is inactive, or was cancelled. */
  readonly reason?: string;
  /** What stands on chain: no limit yet, one, one whose removal was asked for, none any more. */
  readonly mandate: "awaited" | "active" | "revocation_pending" | "revoked";
  /** Of one payment. */
  readonly amount: string;
  /** The same in whole units. */
  readonly ui_amount: string;
  readonly currency: string;
  readonly frequency: StandingOrderFrequency;
  /** The same as frequency. */
  readonly period: StandingOrderFrequency;
  readonly payment_rail: string;
  readonly source: StandingOrderSource;
  readonly destination: StandingOrderDestination;
  /** Who is paid: one owner. */
  readonly destinations: readonly string[];
  /** The first due date, in UTC. */
  readonly start_date: string;
  /** Inclusive. Absent: without end. */
  readonly end_date?: string;
  /** How many due dates there are, where there is an end. */
  readonly occurrences?: number;
  /** The next due date; the last one known where the order has ended. */
  readonly next_execution_date: string;
  /** When it last paid. */
  readonly last_execution_date?: string;
  /** Base units of all payments that are left, where there is an end. */
  readonly remaining_amount?: string;
  /** The limit on chain that it is paid out of. */
  readonly spending_limit_address: string;
  /** The only key that may draw on that limit. */
  readonly executor_address: string;
  /** Where the limit has to be voted on. */
  readonly proposal_address?: string;
  /** Until when a pending order waits for its limit. */
  readonly valid_until: string;
  readonly created_at: string;
  readonly updated_at: string;
};

export type StandingOrderDestination = {
  /** The owner that is paid on chain: of a bank account, the address at which its partner takes the coins. */
  readonly address: string;
  readonly currency: string;
  readonly payment_rail: string;
  readonly details: {
    /** 32 bytes in base58: of an account, a key or a mint. */
    readonly address: string;
    readonly external_account_id?: string;
    readonly last_4?: string;
  };
  /** The bank account that is paid. */
  readonly external_account_id?: string;
  /** The end of its number, until rail data are forgotten. */
  readonly last_4?: string;
};

export type StandingOrderFrequency = "daily" | "weekly" | "monthly";

export type StandingOrderPayout = {
  readonly id: string;
  readonly standing_order_id: string;
  /** The smart account. */
  readonly account: string;
  readonly due_at: string;
  /** The bank account that is paid. */
  readonly external_account_id: string;
  readonly payment_rail: string;
  /** As of a payment intent to a bank. */
  readonly state: PaymentIntentState;
  /** Of the coin, as the partner says. */
  readonly amount: string;
  /** The coin. */
  readonly currency: string;
  /** Of the bank account. */
  readonly destination_currency: string;
  /** Of the payment on chain. */
  readonly transaction_signature: string;
  readonly return_reason: string | null;
  readonly receipt: {
    readonly [name: string]: string;
  } | null;
  readonly created_at: string;
  readonly updated_at: string;
};

export type StandingOrderRun = {
  readonly standing_order_id: string;
  /** The smart account. */
  readonly account: string;
  readonly due_at: string;
  readonly state: "scheduled" | "sending" | "retrying" | "paid" | "missed";
  /** Of one payment. */
  readonly amount: string;
  readonly currency: string;
  /** Transactions that were signed for it, or found to fail before. */
  readonly attempts: number;
  /** The block of the payment. */
  readonly paid_at: string | null;
  /** Of the payment that landed, or is under way. */
  readonly signature: string | null;
  /** What stood in the way last. */
  readonly error: string | null;
  /** Of an order to a bank account: what became of the money there. Null: the partner has not reported it. */
  readonly payout?: StandingOrderPayout | null;
};

export type StandingOrderSource = {
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly account: string;
  readonly currency: string;
  readonly payment_rail: string;
  readonly details: {
    /** 32 bytes in base58: of an account, a key or a mint. */
    readonly account: string;
  };
};

export type StandingOrderStatus = "pending" | "active" | "inactive" | "completed" | "cancelled";

export type StartAuthRequest = {
  /** An address without a name, quotes or comments; domains may be international. */
  readonly email: string;
  readonly provider?: "kms_a" | "kms_b" | "kms_c";
  /** When the session is to end, Unix seconds. */
  readonly expiration?: number;
};

export type StartKycRequest = {
  readonly type: "individual" | "business";
  /** Of the person or business that is checked. */
  readonly email: string;
  readonly full_name: string;
  /** What is to be used: `base` (USD; also written `ach`), `sepa`, `faster_payments`, `spei`, `pix`. Default: `base`. */
  readonly endorsements?: readonly ("base" | "ach" | "sepa" | "faster_payments" | "spei" | "pix")[];
  /** Where the browser goes from the partner's page: https. */
  readonly redirect_uri?: string;
};

export type StartedAuth = {
  readonly otp_id: string;
  /** An address without a name, quotes or comments; domains may be international. */
  readonly email: string;
  readonly otp_sent: true;
  readonly provider: CustodyProvider;
  readonly requested_provider?: "kms_a" | "kms_b" | "kms_c";
  readonly fallback_reason?: "timeout" | "provider_error";
  readonly status: "pending_verification";
  readonly type: "email";
  readonly created_at: string;
  /** When the code stops working. */
  readonly expires_at: string;
};

export type SubmitPasskeySessionRequest = {
  readonly ceremonyType: "create" | "auth";
  /** As the page's address has it. */
  readonly slotNumber: number;
  readonly sessionKey: RequestedSessionKey;
  readonly authenticatorResponse: AuthenticatorResponse;
};

export type SubmitTransactionRequest = {
  /** A transaction, legacy or v0: 1,232 bytes at most, in base64. */
  readonly transaction: string;
  readonly kms_payloads?: readonly SubmitKmsPayload[];
};

export type SubmitTransactionsRequest = {
  /** Executed in order, stopping at the first failure. */
  readonly transactions: readonly string[];
  /** One array for each transaction, in their order; an empty one where nothing is signed by payload. */
  readonly kms_payloads: readonly (readonly SubmitKmsPayload[])[];
};

export type SubmittedTransaction = {
  /** Of a transaction, which is its id on chain: 64 bytes in base58. */
  readonly transaction_signature: string;
  readonly confirmed_at: string;
};

export type SubmittedTransactions = {
  readonly results: readonly {
    readonly index: number;
    /** Of a transaction, which is its id on chain: 64 bytes in base58. */
    readonly transaction_signature: string;
    readonly confirmed_at: string;
  }[];
  readonly partial_failure?: {
    readonly failed_at_index: number;
    readonly error_message: string;
    readonly error_code: string;
  };
};

export type Tenant = {
  readonly id: string;
  readonly name: string;
  /** `disabled`: its keys are dead. */
  readonly status: "enabled" | "disabled";
  /** What the tenant's e-mail accounts are where a request says nothing. */
  readonly protection: DefaultProtection;
  readonly recovery?: DefaultRecovery;
  readonly created_at: string;
  readonly disabled_at?: string;
};

export type TokenBalance = {
  /** The mint; the system program's address for SOL. */
  readonly token_address: string;
  /** Base units. Above 2^53 the last digits are lost: use amount_decimal. */
  readonly amount: number;
  /** Exact, in whole units: dollars, not cents. */
  readonly amount_decimal: string;
  readonly decimals: number;
  readonly name?: string;
  readonly symbol?: string;
};

/** One difference between what was prepared and what was submitted. */
export type TransactionAlteration = {
  /** `instructions_added`, `instructions_removed` or `instructions_changed`, each with `program` and `count`; `instructions_reordered`, `compute_unit_limit`, `compute_unit_price`, `heap_frame`, `compute_budget`, `fee_payer`, `blockhash`, `version`, `signers`, `accounts`; others may be added. */
  readonly what: string;
  /** 32 bytes in base58: of an account, a key or a mint. */
  readonly program?: string;
  readonly count?: number;
};

/** What it costs and who pays. */
export type TransactionFee = {
  /** The chain's fee. */
  readonly lamports: string;
  /** Rent of accounts it creates, paid by the fee payer. */
  readonly rent_lamports: string;
  /** The fee payer's address. */
  readonly paid_by: string;
};

export type TransactionKind =
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

export type TransactionsQuery = {
  /** A `kind`. */
  readonly type?: TransactionKind;
  readonly status?: "confirmed" | "finalized" | "failed";
  /** A symbol or a mint: only what moved it. */
  readonly currency?: string;
  /** No earlier than this. */
  readonly start_date?: string;
  /** No later than this, the second included; a date includes its whole day (UTC). */
  readonly end_date?: string;
  /** Only this transaction, by its signature. */
  readonly tx_hash?: string;
  /** 0 to 100; 50 when absent. */
  readonly limit?: number;
  /** From the page before. */
  readonly cursor?: string;
  /** The form of the answer. Default: what `accept` prefers, else json. */
  readonly format?: "json" | "csv";
};

export type TransfersQuery = {
  /** A direction, or how it moved. */
  readonly type?: "inflow" | "outflow" | "spl" | "bridge";
  readonly status?: "confirmed" | "finalized";
  /** A symbol or a mint: only what moved it. */
  readonly currency?: string;
  /** No earlier than this. */
  readonly start_date?: string;
  /** No later than this, the second included; a date includes its whole day (UTC). */
  readonly end_date?: string;
  /** Only this transaction, by its signature. */
  readonly tx_hash?: string;
  /** 0 to 100; 50 when absent. */
  readonly limit?: number;
  /** From the page before. */
  readonly cursor?: string;
  /** The form of the answer. Default: what `accept` prefers, else json. */
  readonly format?: "json" | "csv";
};

export type TreasuryPage = {
  /** At the top of every page. No control characters, and none that turn the direction of text. */
  readonly name: string;
  /** Of buttons and links. */
  readonly color: string;
  /** A publishable key of this tenant, whose allowed origins have the one the pages are served from. */
  readonly publishable_key: string;
  /** A picture of at most 24 KiB, as a data URL. */
  readonly logo: string | null;
};

export type TrellisEvent = {
  /** The same in the feed and on every delivery. */
  readonly id: string;
  readonly type: string;
  /** When it happened, in environment time. */
  readonly timestamp: string;
  readonly environment: Environment;
  readonly tenant: string;
  /** True: nothing happened; this is a test of a receiver. */
  readonly example?: boolean;
  readonly data: {
    /** The whole object after the change. */
    readonly object: {
      readonly [name: string]: unknown;
    };
    /** Of two events about one object the later one has the greater number; there are gaps. */
    readonly sequence: number;
    /** Where the object stood before. */
    readonly previous_status?: string;
  };
};

export type TriggeredEvent = {
  readonly id: string;
  readonly type: string;
};

export type UpdateAccountRequest = {
  /** The whole new list, in place of the old. */
  readonly signers?: readonly PolicySigner[];
  readonly threshold?: number;
  /** Seconds. */
  readonly time_lock?: number;
  /** A new admin. Null removes the admin, and the account can never have one again. */
  readonly admin_address?: string | null;
  /** Policies to be removed: signers of their own who act for the account without its signers' vote. */
  readonly remove_policies?: readonly string[];
  /** True: the signers or the admin may depend on passkeys of other hosts or other tenants, of which no session is opened for you here. */
  readonly confirm_foreign_passkeys?: boolean;
  readonly transaction_signers?: readonly string[];
  /** Only members of this provider sign. */
  readonly provider?: Provider;
  /** A passkey signs it itself (gap 248). */
  readonly passkey_approval?: boolean;
  readonly fee_config?: FeeConfig;
  /** Who pays with self_managed_fees: a key of the caller's. */
  readonly payer_address?: string;
};

export type UpdateMemberRequest = {
  readonly role?: MemberRole;
  readonly name?: string | null;
  readonly status?: "active" | "disabled";
  readonly environments?: readonly Environment[];
  /** Codes by mail sign the member in again: for one who has lost their passkeys. Only the member requires one. */
  readonly passkey_required?: false;
};

export type UpdateSpendingLimitRequest = {
  /** Base units per period: a decimal string, or a number as far as it is exact in JSON. */
  readonly amount?: SpendingLimitAmount;
  /** A currency of the environment, or a mint's address. Null or `sol` is SOL. */
  readonly mint?: string | null;
  /** A month is 30 days. */
  readonly period?: RequestedPeriod;
  /** Who may use it, without any vote: keys, and accounts of passkeys. They need not be signers of the account. */
  readonly spending_limit_signers?: readonly string[];
  /** Owners that may be paid. None: any owner. */
  readonly destinations?: readonly string[];
  /** A date-time (RFC 3339) or Unix seconds. Null or absent: never. */
  readonly expiration?: SpendingLimitExpiration;
  readonly transaction_signers?: readonly string[];
  /** Only members of this provider sign. */
  readonly provider?: Provider;
  readonly fee_config?: FeeConfig;
  /** Who pays with self_managed_fees: a key of the caller's. */
  readonly payer_address?: string;
};

export type UpdateWebhookEndpointRequest = {
  readonly url?: string;
  /** Types, or their beginnings up to a dot (`proposal` takes all of `proposal.*`); `*` is everything. */
  readonly types?: readonly string[];
  readonly description?: string | null;
  readonly status?: "enabled" | "disabled";
};

export type User = {
  /** The `grid_user_id` of accounts and sessions. */
  readonly id: string;
  /** An address without a name, quotes or comments; domains may be international. */
  readonly email: string;
  readonly environment: Environment;
  readonly created_at: string;
  /** Null: not for as long as sessions are kept, which is 60 days. */
  readonly last_signed_in_at: string | null;
  /** Accounts that are theirs, or that a wallet of theirs signs for: 100 at most. */
  readonly accounts: readonly string[];
  /** Of their last 100 sessions so many are open. */
  readonly sessions_active: number;
  readonly passkeys: number;
};

export type UsersQuery = {
  /** The user with this address. */
  readonly email?: string;
  /** 0 to 100; 50 when absent. */
  readonly limit?: number;
  /** x-next-cursor of the page before. */
  readonly cursor?: string;
};

export type VerifyAccountRequest = {
  /** An address without a name, quotes or comments; domains may be international. */
  readonly email: string;
  /** Six digits, leading zeros kept. */
  readonly otp_code: string;
  readonly provider?: "kms_a" | "kms_b" | "kms_c";
  readonly kms_provider_config: SessionKeyConfig;
  /** When the session is to end, Unix seconds. */
  readonly expiration?: number;
};

export type VerifyAuthRequest = {
  /** An address without a name, quotes or comments; domains may be international. */
  readonly email: string;
  /** Six digits, leading zeros kept. */
  readonly otp_code: string;
  /** Needed only for a user with several accounts and no e-mail account. */
  readonly smart_account_address?: string;
  readonly provider?: "kms_a" | "kms_b" | "kms_c";
  readonly kms_provider_config: {
    /** SPKI DER, in base64. */
    readonly encryption_public_key: string;
    /** Which code it is; has to match when given. Needed with a publishable key. */
    readonly otp_id?: string;
  };
  readonly assertion?: PasskeySignedPayload;
  /** When the session is to end, Unix seconds. */
  readonly expiration?: number;
};

export type VirtualAccount = {
  readonly id: string;
  /** What the partner calls the customer. */
  readonly customer_id: string;
  /** Only an activated one receives money. */
  readonly status: "activated" | "deactivated";
  /** A decimal; taken from every deposit. */
  readonly developer_fee_percent: string;
  readonly destination: CoinDestination;
  /** What a payer needs. Which names there are is up to the currency; a partner may add others. */
  readonly source_deposit_instructions: BankInstructions;
  readonly created_at: string;
  readonly updated_at: string;
  /** The smart account. */
  readonly account: string;
  /** Whose money it is. */
  readonly grid_user_id: string;
  /** That of the bank. */
  readonly currency: string;
  readonly payment_rails: readonly string[];
  /** The end of its number, once the partner has reported it. */
  readonly last_4?: string;
};

export type VirtualAccountQuery = {
  /** Of the bank. */
  readonly source_currency?: string;
  /** What arrives on chain. */
  readonly destination_currency?: string;
  readonly status?: "activated" | "deactivated";
};

/** approve or reject while Active, cancel while Approved. */
export type VoteAction = "approve" | "reject" | "cancel";

export type VoteAndExecuteRequest = {
  readonly signers: readonly string[];
  /** A passkey signs it itself (gap 248). */
  readonly passkey_approval?: boolean;
  readonly fee_config?: FeeConfig;
  /** Who pays with self_managed_fees: a key of the caller's. */
  readonly payer_address?: string;
};

export type VoteRequest = {
  /** approve or reject while Active, cancel while Approved. */
  readonly action: VoteAction;
  readonly signers: readonly string[];
  /** True: approve also what cannot be read here (warning `unreadable_content`). */
  readonly approve_unreadable?: boolean;
  /** A passkey signs it itself (gap 248). */
  readonly passkey_approval?: boolean;
  readonly fee_config?: FeeConfig;
  /** Who pays with self_managed_fees: a key of the caller's. */
  readonly payer_address?: string;
};

export type WalletExport = {
  readonly id: string;
  /** Whose wallet it is. */
  readonly grid_user_id: string;
  /** Who holds the wallet. */
  readonly provider: "kms_a" | "kms_b" | "kms_c";
  /** That wallet. */
  readonly signer: string;
  /** As it was signed. */
  readonly recipient_public_key: string;
  readonly status: "waiting" | "ready" | "exported" | "cancelled" | "expired";
  /** When its owner asked for it. */
  readonly requested_at: string;
  /** From when on the key can be read. */
  readonly not_before: string;
  /** From when on it cannot be read any more. */
  readonly expires_at: string;
  /** When the key was first read. */
  readonly exported_at?: string;
  /** When it was cancelled. */
  readonly cancelled_at?: string;
  readonly sealed_key?: SealedWalletKey;
};

export type WalletExportTerms = {
  /** From an order to the key's leaving. Outside of the sandbox it is 86400 at least. */
  readonly delay_seconds: number;
};

export type WalletImport = {
  /** Of the import. */
  readonly id: string;
  /** Whose wallet it is. */
  readonly grid_user_id: string;
  readonly wallet: {
    /** Of the key. */
    readonly address: string;
    /** Who holds it now. */
    readonly provider: "kms_a" | "kms_b" | "kms_c";
    readonly imported_at: string;
  };
};

export type WalletProof = {
  /** Names the wallet and holds `wallet_nonce`. */
  readonly message: string;
  /** Ed25519, base64, over the text's UTF-8 bytes. */
  readonly signature: string;
};

export type WalletSession = {
  /** As lists of sessions name it. */
  readonly id: string;
  /** Proves the session, as `x-session-token`. */
  readonly token: string;
  /** The wallet's. */
  readonly address: string;
  /** Accounts that the wallet signs for, newest first: the first 100. */
  readonly accounts: readonly string[];
  readonly created_at: string;
  /** It cannot be refreshed: sign in again. */
  readonly expires_at: string;
};

export type WebhookAttempt = {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  /** Counted from one. */
  readonly attempt: number;
  readonly status: "delivered" | "failed";
  /** Of the receiver's answer. */
  readonly response_status?: number;
  /** In a word, why there was no answer. */
  readonly error?: string;
  /** The beginning of the receiver's answer. */
  readonly response_body?: string;
  readonly duration_ms: number;
  readonly attempted_at: string;
};

export type WebhookEndpoint = {
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly description?: string;
  readonly status: "enabled" | "disabled";
  /** It answered 410, failed for too long, or was paused. */
  readonly disabled_reason?: "gone" | "failing" | "paused";
  /** Nothing has arrived since. */
  readonly failing_since?: string;
  /** Until then events are signed with the former secret, too. */
  readonly former_secret_until?: string;
  readonly created_at: string;
  readonly updated_at: string;
};

export type WireEnvironment = "sandbox" | "devnet" | "mainnet" | "production";
