import type { CustodyProvider, Policies } from "./common.js";

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

/** Somebody who is signed in (gap 158). Instants are ISO texts by the environment's clock. */
export type SignedInSession = {
  /** Stays the same however often the session is refreshed. */
  readonly id: string;
  readonly grid_user_id: string;
  readonly provider: CustodyProvider;
  /** The wallet it signs with. */
  readonly signer: string;
  /** It is the session that asked. */
  readonly current: boolean;
  readonly created_at: string;
  /** When it last signed something or was refreshed, to the minute. */
  readonly last_active_at: string;
  /** When it has to be refreshed to go on. */
  readonly expires_at: string;
  /** When it cannot be refreshed any more. */
  readonly ends_at: string;
};

export type EndedSession = { readonly id: string; readonly status: "ended" };

/** What a tenant asks of its users' sessions (gap 159). */
export type SessionPolicy = {
  /** A session that neither signs nor is refreshed for so long ends; null: it may rest as long as it lives. */
  readonly idle_seconds: number | null;
  /** A new sign-in ends the sessions that its user had before. */
  readonly one_session: boolean;
};

/** Gap 124: a JWT, and when it ends by the real clock. */
export type IdentityToken = { readonly token: string; readonly expires_at: string };
