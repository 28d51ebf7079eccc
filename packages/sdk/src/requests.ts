import { paginate, type ServiceCalls } from "./service-calls.js";
import type { RequestRecord, RequestsQuery } from "./wire.js";

/** One page of requests, the newest first. */
export type RequestPage = { readonly requests: readonly RequestRecord[]; readonly nextCursor?: string };

/** The tenant's requests of the last day: those that were refused, and those that wrote something (gap 218). The client's key needs `audit:read`. */
export function createRequestCalls({ get, getPage }: ServiceCalls) {
  const pageOf = (query: RequestsQuery) => getPage<RequestRecord>("/requests", query);
  return {
    page: async (query: RequestsQuery = {}): Promise<RequestPage> => {
      const { items: requests, ...rest } = await pageOf(query);
      return { requests, ...rest };
    },
    /** Every one of them, page after page. */
    list: (query: RequestsQuery = {}) => paginate(query, pageOf),
    /** The latest one with this id: what `x-request-id` of its answer says, and `requestId` of an error. */
    get: (requestId: string) => get<RequestRecord>(`/requests/${encodeURIComponent(requestId)}`),
  };
}
