/** What an API key may do (gap 2). A read scope never implies its write scope, nor the other way round. */
export const scopes = [
  "accounts:read",
  "accounts:write",
  "auth:write",
  "transactions:write",
  "proposals:read",
  "proposals:write",
  "payments:read",
  "payments:write",
  "kyc:read",
  "kyc:write",
  "virtual-accounts:read",
  "virtual-accounts:write",
  "webhooks:read",
  "webhooks:write",
  "admin:keys",
  "sandbox:use",
  "sandbox:clock",
] as const;

/** All that a publishable key can hold (gap 123). */
export const publishableScopes = [
  "auth:write",
  "payments:write",
  "transactions:write",
] as const satisfies readonly Scope[];

export type Scope = (typeof scopes)[number];
