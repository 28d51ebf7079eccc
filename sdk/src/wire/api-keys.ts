/** Gap 2: what a key may do. */
export type ApiKeyScope =
  | "accounts:read"
  | "accounts:write"
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
  | "admin:keys"
  | "admin:tenants"
  | "sandbox:use"
  | "sandbox:clock";

/** Gap 122: a key as lists show it. */
export type ApiKey = {
  readonly id: string;
  readonly name: string;
  readonly type: "secret" | "publishable";
  /** Its beginning, to tell it by. */
  readonly visible_prefix: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly environments: readonly ("sandbox" | "devnet" | "mainnet")[];
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

/** Gap 122: with the key itself, which is not shown again. */
export type CreatedApiKey = ApiKey & { readonly key: string };

/** Gap 122. */
export type CreateApiKeyRequest = {
  readonly name: string;
  /** Default: secret. */
  readonly type?: "secret" | "publishable";
  /** A publishable key has all it can have where none are named. */
  readonly scopes?: readonly ApiKeyScope[];
  /** `mainnet` alone, or `sandbox` and `devnet`. */
  readonly environments: readonly ("sandbox" | "devnet" | "mainnet")[];
  /** Absent: never. */
  readonly expires_at?: string;
  readonly allowed_origins?: readonly string[];
  readonly allowed_addresses?: readonly string[];
};

/** Gap 122: which of them. */
export type ApiKeysQuery = { readonly limit?: number; readonly cursor?: string };

/** Gap 122: an application that shares the service with others. */
export type Tenant = {
  readonly id: string;
  readonly name: string;
  /** `disabled`: its keys are dead. */
  readonly status: "enabled" | "disabled";
  readonly created_at: string;
  readonly disabled_at?: string;
};

/** Gap 122. */
export type CreateTenantRequest = {
  /** 1 to 63 small letters, digits, hyphens and underscores; it begins with a letter or a digit. */
  readonly id: string;
  /** Default: its id. */
  readonly name?: string;
};
