/** What an API key may do (gap 2). A read scope never implies its write scope, nor the other way round. */
export const scopes = [
  "accounts:read",
  "accounts:write",
  "labels:write",
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
  "audit:read",
  "admin:keys",
  "admin:members",
  "admin:tenants",
  "sandbox:use",
  "sandbox:clock",
] as const;

export type Scope = (typeof scopes)[number];

/** All but what reaches beyond the key's own tenant: what `all` means, and what no key has unless its creator named it (gap 122). */
export const tenantsOwnScopes: readonly Scope[] = scopes.filter((scope) => scope !== "admin:tenants");

/** What a publishable key has where its maker names no scopes (gap 123). */
export const publishableScopes = [
  "auth:write",
  "payments:write",
  "transactions:write",
] as const satisfies readonly Scope[];

/**
 * What the key of an agent has where its maker names no scopes (gap 231): to read, to propose, and to have prepared and submitted what the
 * agent's own key signs.
 */
export const agentScopes = [
  "accounts:read",
  "proposals:read",
  "proposals:write",
  "payments:read",
  "payments:write",
  "webhooks:read",
  "transactions:write",
] as const satisfies readonly Scope[];

/** All that one can be given: to read how people were identified, and the bank accounts that are theirs, besides. */
export const possibleAgentScopes = [
  ...agentScopes,
  "kyc:read",
  "virtual-accounts:read",
] as const satisfies readonly Scope[];

/** All that a publishable one can be given: to read what belongs to the account that is signed in, to name addresses for it, and to take part in its votes, besides. */
export const possiblePublishableScopes = [
  ...publishableScopes,
  "accounts:read",
  "labels:write",
  "proposals:read",
  "proposals:write",
  "payments:read",
  "virtual-accounts:read",
] as const satisfies readonly Scope[];
