import type {
  AttemptsQuery,
  CreatedWebhookEndpoint,
  CreateWebhookEndpointRequest,
  DeletedWebhookEndpoint,
  Envelope,
  EventsQuery,
  Replayed,
  ReplayRequest,
  TrellisEvent,
  UpdateWebhookEndpointRequest,
  WebhookAttempt,
  WebhookEndpoint,
} from "./wire.js";

type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>;
type CallOptions = { readonly idempotencyKey?: string };

/** What these calls need of the client they are part of. */
export type EventNeeds = {
  readonly get: <Data>(path: string) => Promise<Data>;
  readonly getEnvelope: (path: string, query: Query) => Promise<Envelope<unknown>>;
  readonly send: <Data>(
    method: "POST" | "PATCH" | "DELETE",
    path: string,
    body: unknown,
    options?: CallOptions,
  ) => Promise<Data>;
};

/** A page of the feed. Going forwards there is always a cursor: ask again with it for what happens next. */
export type EventPage = { readonly events: readonly TrellisEvent[]; readonly nextCursor?: string };

/** The feed of events (gap 89). */
export function createEventCalls({ get, getEnvelope }: EventNeeds) {
  const page = async (query: EventsQuery = {}): Promise<EventPage> => {
    const { data, metadata } = await getEnvelope("/events", query);
    const { next_cursor: nextCursor } = metadata;
    return { events: data as readonly TrellisEvent[], ...(nextCursor === undefined ? {} : { nextCursor }) };
  };
  return {
    /** One page of the feed, oldest first; `cursor: "latest"` begins with what happens from now on. */
    page,
    /** Every event there is at present, page after page. */
    list: async function* (query: EventsQuery = {}): AsyncGenerator<TrellisEvent, void, undefined> {
      let cursor = query.cursor;
      for (;;) {
        const { events, nextCursor } = await page({ ...query, ...(cursor === undefined ? {} : { cursor }) });
        yield* events;
        if (events.length === 0 || nextCursor === undefined) return;
        cursor = nextCursor;
      }
    },
    /** One event. */
    get: (id: string) => get<TrellisEvent>(`/events/${encodeURIComponent(id)}`),
  };
}

/** Which attempts to reach an endpoint. */
/** One page of attempts; without `nextCursor` it is the last. */
export type AttemptPage = { readonly attempts: readonly WebhookAttempt[]; readonly nextCursor?: string };

/** Where events are sent (gaps 91, 92). */
export function createWebhookEndpointCalls({ get, getEnvelope, send }: EventNeeds) {
  const pathOf = (id: string, rest = "") => `/webhook-endpoints/${encodeURIComponent(id)}${rest}`;
  const attemptsPage = async (id: string, query: AttemptsQuery = {}): Promise<AttemptPage> => {
    const { data, metadata } = await getEnvelope(pathOf(id, "/attempts"), query);
    const { next_cursor: nextCursor } = metadata;
    return { attempts: data as readonly WebhookAttempt[], ...(nextCursor === undefined ? {} : { nextCursor }) };
  };
  return {
    /** Has events sent to a URL. The answer has the secret, once: keep it for `verifyWebhook`. */
    create: (request: CreateWebhookEndpointRequest, options?: CallOptions) =>
      send<CreatedWebhookEndpoint>("POST", "/webhook-endpoints", request, options),
    list: () => get<readonly WebhookEndpoint[]>("/webhook-endpoints"),
    get: (id: string) => get<WebhookEndpoint>(pathOf(id)),
    /** Changes what is named; `status` disables and enables it. */
    update: (id: string, request: UpdateWebhookEndpointRequest, options?: CallOptions) =>
      send<WebhookEndpoint>("PATCH", pathOf(id), request, options),
    delete: (id: string, options?: CallOptions) =>
      send<DeletedWebhookEndpoint>("DELETE", pathOf(id), undefined, options),
    /** Another secret; for `overlap_seconds` (default a day) events are signed with both. */
    rotateSecret: (id: string, request: { readonly overlap_seconds?: number } = {}, options?: CallOptions) =>
      send<CreatedWebhookEndpoint>("POST", pathOf(id, "/rotate-secret"), request, options),
    /** Sends an example at once, and tells how that went. */
    test: (id: string, request: { readonly type?: string } = {}, options?: CallOptions) =>
      send<WebhookAttempt>("POST", pathOf(id, "/test"), request, options),
    /** Sends events again. */
    replay: (id: string, request: ReplayRequest, options?: CallOptions) =>
      send<Replayed>("POST", pathOf(id, "/replay"), request, options),
    /** One page of what was tried, the newest first. */
    attempts: attemptsPage,
    /** Everything that was tried, page after page. */
    allAttempts: async function* (
      id: string,
      query: AttemptsQuery = {},
    ): AsyncGenerator<WebhookAttempt, void, undefined> {
      let cursor = query.cursor;
      do {
        const page = await attemptsPage(id, { ...query, ...(cursor === undefined ? {} : { cursor }) });
        yield* page.attempts;
        cursor = page.nextCursor;
      } while (cursor !== undefined);
    },
  };
}
