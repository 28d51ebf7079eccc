import type { EventNeeds } from "./events.js";
import type { ApiKey, ApiKeysQuery, CreateApiKeyRequest, CreatedApiKey } from "./wire.js";

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
