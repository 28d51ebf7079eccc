import type { EventNeeds } from "./events.js";
import type { ApiKey, ApiKeysQuery, CreateApiKeyRequest, CreatedApiKey, CreateTenantRequest, Tenant } from "./wire.js";

/** One page of keys, the newest first. */
export type ApiKeyPage = { readonly apiKeys: readonly ApiKey[]; readonly nextCursor?: string };

/** The tenant's API keys (gap 122). The client's own key needs the scope `admin:keys`, and gives nobody more than it has. */
export function createApiKeyCalls({ getEnvelope, send }: EventNeeds) {
  const page = async (query: ApiKeysQuery = {}): Promise<ApiKeyPage> => {
    const { data, metadata } = await getEnvelope("/api-keys", query);
    const { next_cursor: nextCursor } = metadata;
    return { apiKeys: data as readonly ApiKey[], ...(nextCursor === undefined ? {} : { nextCursor }) };
  };
  return {
    /** Makes a key. Its `key` is in this answer and nowhere else. */
    create: (request: CreateApiKeyRequest, options?: { readonly idempotencyKey?: string }) =>
      send<CreatedApiKey>("POST", "/api-keys", request, options),
    page,
    /** Every key, page after page, whatever became of it. The keys themselves are not shown. */
    list: async function* (query: ApiKeysQuery = {}): AsyncGenerator<ApiKey, void, undefined> {
      let cursor = query.cursor;
      for (;;) {
        const { apiKeys, nextCursor } = await page({ ...query, ...(cursor === undefined ? {} : { cursor }) });
        yield* apiKeys;
        if (nextCursor === undefined) return;
        cursor = nextCursor;
      }
    },
    /** Ends a key, from the next request on and for good. To do it again is the same. */
    revoke: (id: string, options?: { readonly idempotencyKey?: string }) =>
      send<ApiKey>("DELETE", `/api-keys/${encodeURIComponent(id)}`, undefined, options),
  };
}

/** One page of tenants, by their ids. */
export type TenantPage = { readonly tenants: readonly Tenant[]; readonly nextCursor?: string };

/** All tenants of the service (gap 122). The client's own key needs the scope `admin:tenants`. */
export function createTenantCalls({ getEnvelope, send }: EventNeeds) {
  const page = async (query: ApiKeysQuery = {}): Promise<TenantPage> => {
    const { data, metadata } = await getEnvelope("/tenants", query);
    const { next_cursor: nextCursor } = metadata;
    return { tenants: data as readonly Tenant[], ...(nextCursor === undefined ? {} : { nextCursor }) };
  };
  const at = (id: string) => `/tenants/${encodeURIComponent(id)}`;
  type Options = { readonly idempotencyKey?: string };
  return {
    /** Makes a tenant. It has no key yet. */
    create: (request: CreateTenantRequest, options?: Options) => send<Tenant>("POST", "/tenants", request, options),
    page,
    /** Every tenant, page after page, disabled ones too. */
    list: async function* (query: ApiKeysQuery = {}): AsyncGenerator<Tenant, void, undefined> {
      let cursor = query.cursor;
      for (;;) {
        const { tenants, nextCursor } = await page({ ...query, ...(cursor === undefined ? {} : { cursor }) });
        yield* tenants;
        if (nextCursor === undefined) return;
        cursor = nextCursor;
      }
    },
    /** Its keys are dead from the next request on. */
    disable: (id: string, options?: Options) => send<Tenant>("POST", `${at(id)}/disable`, undefined, options),
    enable: (id: string, options?: Options) => send<Tenant>("POST", `${at(id)}/enable`, undefined, options),
    /** Makes a key for another tenant. Its `key` is in this answer and nowhere else. */
    createApiKey: (id: string, request: CreateApiKeyRequest, options?: Options) =>
      send<CreatedApiKey>("POST", `${at(id)}/api-keys`, request, options),
  };
}
