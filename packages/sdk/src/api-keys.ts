import { type CallOptions, paginate, type ServiceCalls } from "./service-calls.js";
import type { ApiKey, ApiKeysQuery, CreateApiKeyRequest, CreatedApiKey, CreateTenantRequest, Tenant } from "./wire.js";

/** One page of keys, the newest first. */
export type ApiKeyPage = { readonly apiKeys: readonly ApiKey[]; readonly nextCursor?: string };

/** The tenant's API keys (gap 122). The client's own key needs the scope `admin:keys`, and gives no key more than it has. */
export function createApiKeyCalls({ call, getPage, post }: ServiceCalls) {
  const pageOf = (query: ApiKeysQuery) => getPage<ApiKey>("/api-keys", query);
  return {
    /** Makes a key. Its `key` is in this answer and nowhere else. */
    create: (request: CreateApiKeyRequest, options?: CallOptions) => post<CreatedApiKey>("/api-keys", request, options),
    page: async (query: ApiKeysQuery = {}): Promise<ApiKeyPage> => {
      const { items: apiKeys, ...rest } = await pageOf(query);
      return { apiKeys, ...rest };
    },
    /** Every key, page after page, whatever became of it. The keys themselves are not in the response. */
    list: (query: ApiKeysQuery = {}) => paginate(query, pageOf),
    /** Ends a key, from the next request on and for good. To do it again is the same. */
    revoke: (id: string, options: CallOptions = {}) =>
      call<ApiKey>({ method: "DELETE", path: `/api-keys/${encodeURIComponent(id)}`, ...options }),
  };
}

/** One page of tenants, by their ids. */
export type TenantPage = { readonly tenants: readonly Tenant[]; readonly nextCursor?: string };

/** All tenants of the service (gap 122). The client's own key needs the scope `admin:tenants`. */
export function createTenantCalls({ getPage, post }: ServiceCalls) {
  const pageOf = (query: ApiKeysQuery) => getPage<Tenant>("/tenants", query);
  const at = (id: string) => `/tenants/${encodeURIComponent(id)}`;
  return {
    /** Makes a tenant. It has no key yet. */
    create: (request: CreateTenantRequest, options?: CallOptions) => post<Tenant>("/tenants", request, options),
    page: async (query: ApiKeysQuery = {}): Promise<TenantPage> => {
      const { items: tenants, ...rest } = await pageOf(query);
      return { tenants, ...rest };
    },
    /** Every tenant, page after page, disabled ones too. */
    list: (query: ApiKeysQuery = {}) => paginate(query, pageOf),
    /** Its keys are dead from the next request on. */
    disable: (id: string, options?: CallOptions) => post<Tenant>(`${at(id)}/disable`, undefined, options),
    enable: (id: string, options?: CallOptions) => post<Tenant>(`${at(id)}/enable`, undefined, options),
    /** Makes a key for another tenant. Its `key` is in this answer and nowhere else. */
    createApiKey: (id: string, request: CreateApiKeyRequest, options?: CallOptions) =>
      post<CreatedApiKey>(`${at(id)}/api-keys`, request, options),
  };
}
