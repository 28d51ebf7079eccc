import type { CustodyProvider, Permission, Policies, PolicySigner, Provider } from "./common.js";
import type { PreparedTransaction } from "./transactions.js";

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
  /** 64 small hex digits: each of the e-mail address's wallets signs a text with them. */
  readonly wallet_nonce?: string;
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
  readonly wallets: readonly {
    readonly address: string;
    readonly provider: Provider;
    /** Where the request had a `wallet_nonce`. */
    readonly proof?: { readonly message: string; readonly signature: string };
  }[];
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

/** Gap 34. */
export type Balances = {
  readonly address: string;
  readonly lamports: number;
  readonly sol: number;
  readonly tokens: readonly TokenBalance[];
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
  /** Addresses of policies to be removed (gap 140). */
  readonly remove_policies?: readonly string[];
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
