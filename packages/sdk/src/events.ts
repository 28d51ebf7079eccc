import { type CallOptions, paginate, type ServiceCalls } from "./service-calls.js";
import type {
  AttemptsQuery,
  CreatedWebhookEndpoint,
  CreateWebhookEndpointRequest,
  DeletedWebhookEndpoint,
  EventsQuery,
  Replayed,
  ReplayRequest,
  TrellisEvent,
  UpdateWebhookEndpointRequest,
  WebhookAttempt,
  WebhookEndpoint,
} from "./wire.js";

/** A page of the feed. Going forwards there is always a cursor: ask again with it for what happens next. */
export type EventPage = { readonly events: readonly TrellisEvent[]; readonly nextCursor?: string };

/** The feed of events (gap 89). */
export function createEventCalls({ get, getPage }: ServiceCalls) {
  const pageOf = (query: EventsQuery) => getPage<TrellisEvent>("/events", query);
  return {
    /** One page of the feed, oldest first; `cursor: "latest"` begins with what happens from now on. */
    page: async (query: EventsQuery = {}): Promise<EventPage> => {
      const { items: events, ...rest } = await pageOf(query);
      return { events, ...rest };
    },
    /** Every event there is at present, page after page. */
    list: (query: EventsQuery = {}) =>
      paginate(query, async (next) => {
        const page = await pageOf(next);
        // The feed has a cursor at its end, too.
        return page.items.length === 0 ? { items: [] } : page;
      }),
    /** One event. */
    get: (id: string) => get<TrellisEvent>(`/events/${encodeURIComponent(id)}`),
  };
}

/** One page of attempts; without `nextCursor` it is the last. */
export type AttemptPage = { readonly attempts: readonly WebhookAttempt[]; readonly nextCursor?: string };

/** Where events are sent (gaps 91, 92). */
export function createWebhookEndpointCalls({ call, get, getPage, post }: ServiceCalls) {
  const pathOf = (id: string, rest = "") => `/webhook-endpoints/${encodeURIComponent(id)}${rest}`;
  const attemptsOf = (id: string, query: AttemptsQuery) => getPage<WebhookAttempt>(pathOf(id, "/attempts"), query);
  return {
    /** Has events sent to a URL. The answer has the secret, once: keep it for `verifyWebhook`. */
    create: (request: CreateWebhookEndpointRequest, options?: CallOptions) =>
      post<CreatedWebhookEndpoint>("/webhook-endpoints", request, options),
    list: () => get<readonly WebhookEndpoint[]>("/webhook-endpoints"),
    get: (id: string) => get<WebhookEndpoint>(pathOf(id)),
    /** Changes what is named; `status` disables and enables it. */
    update: (id: string, request: UpdateWebhookEndpointRequest, options: CallOptions = {}) =>
      call<WebhookEndpoint>({ method: "PATCH", path: pathOf(id), body: request, ...options }),
    delete: (id: string, options: CallOptions = {}) =>
      call<DeletedWebhookEndpoint>({ method: "DELETE", path: pathOf(id), ...options }),
    /** Another secret; for `overlap_seconds` (default a day) events are signed with both. */
    rotateSecret: (id: string, request: { readonly overlap_seconds?: number } = {}, options?: CallOptions) =>
      post<CreatedWebhookEndpoint>(pathOf(id, "/rotate-secret"), request, options),
    /** Sends an example at once, and reports how that went. */
    test: (id: string, request: { readonly type?: string } = {}, options?: CallOptions) =>
      post<WebhookAttempt>(pathOf(id, "/test"), request, options),
    /** Sends events again. */
    replay: (id: string, request: ReplayRequest, options?: CallOptions) =>
      post<Replayed>(pathOf(id, "/replay"), request, options),
    /** One page of what was tried, the newest first. */
    attempts: async (id: string, query: AttemptsQuery = {}): Promise<AttemptPage> => {
      const { items: attempts, ...rest } = await attemptsOf(id, query);
      return { attempts, ...rest };
    },
    /** Everything that was tried, page after page. */
    allAttempts: (id: string, query: AttemptsQuery = {}) => paginate(query, (next) => attemptsOf(id, next)),
  };
}
