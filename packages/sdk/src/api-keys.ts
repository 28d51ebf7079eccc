import { type CallOptions, paginate, type ServiceCalls } from "./service-calls.js";
import type {
  ApiKey,
  ApiKeysQuery,
  CreateApiKeyRequest,
  CreatedApiKey,
  CreateTenantRequest,
  InvitedMember,
  InviteMemberRequest,
  Member,
  MembersQuery,
  Tenant,
  UpdateMemberRequest,
} from "./wire.js";

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

/** One page of members, the newest first. */
export type MemberPage = { readonly members: readonly Member[]; readonly nextCursor?: string };

/** People of the tenant who sign in to the console (gap 215). The client's own key needs the scope `admin:members`. */
export function createMemberCalls({ call, getPage, post }: ServiceCalls) {
  const pageOf = (query: MembersQuery) => getPage<Member>("/members", query);
  const at = (id: string) => `/members/${encodeURIComponent(id)}`;
  return {
    /** Invites a member, or one who has not accepted once more. The link is in this answer and nowhere else. */
    invite: (request: InviteMemberRequest, options?: CallOptions) => post<InvitedMember>("/members", request, options),
    page: async (query: MembersQuery = {}): Promise<MemberPage> => {
      const { items: members, ...rest } = await pageOf(query);
      return { members, ...rest };
    },
    /** Every member, page after page, whatever the status. */
    list: (query: MembersQuery = {}) => paginate(query, pageOf),
    /** Changes a member from the next request on. The last active owner stays one. */
    update: (id: string, request: UpdateMemberRequest, options: CallOptions = {}) =>
      call<Member>({ method: "PATCH", path: at(id), body: request, ...options }),
    /** Removes a member with the sessions; keys that the member has made stay. */
    remove: (id: string, options: CallOptions = {}) => call<Member>({ method: "DELETE", path: at(id), ...options }),
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
