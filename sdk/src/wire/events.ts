/** Gap 89: something that happened, in the feed and as receivers are sent it. */
export type TrellisEvent = {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly environment: "sandbox" | "devnet" | "mainnet";
  readonly tenant: string;
  /** True: nothing happened; somebody tries a receiver. */
  readonly example?: boolean;
  readonly data: {
    /** The whole object after the change; the OpenAPI document has a schema for every type. */
    readonly object: Readonly<Record<string, unknown>>;
    /** Of two events about one object the later one has the greater number. */
    readonly sequence: number;
    readonly previous_status?: string;
  };
};

/** Gap 89: which events. */
export type EventsQuery = {
  /** Types, or their beginnings up to a dot. */
  readonly type?: readonly string[];
  readonly order?: "asc" | "desc";
  readonly limit?: number;
  readonly cursor?: string;
};

/** Gap 91. */
export type WebhookEndpoint = {
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly description?: string;
  readonly status: "enabled" | "disabled";
  readonly disabled_reason?: "gone" | "failing" | "paused";
  readonly failing_since?: string;
  readonly former_secret_until?: string;
  readonly created_at: string;
  readonly updated_at: string;
};

/** Gap 91: with the secret, which is not shown again. */
export type CreatedWebhookEndpoint = WebhookEndpoint & { readonly secret: string };

/** Gap 91. */
export type CreateWebhookEndpointRequest = {
  readonly url: string;
  readonly types: readonly string[];
  readonly description?: string;
};

/** Gap 91. */
export type UpdateWebhookEndpointRequest = {
  readonly url?: string;
  readonly types?: readonly string[];
  readonly description?: string | null;
  readonly status?: "enabled" | "disabled";
};

/** Gap 91. */
export type DeletedWebhookEndpoint = { readonly id: string; readonly deleted: true };

/** Gap 92: one of the three. */
export type ReplayRequest = {
  readonly event_id?: string;
  readonly failed_since?: string;
  readonly missing_since?: string;
  /** With `missing_since`: `next_cursor` of the call before. */
  readonly cursor?: string;
};

/** Gap 92. */
export type Replayed = { readonly scheduled: number; readonly more: boolean; readonly next_cursor?: string };

/** Gap 92: one try at sending an event. */
export type WebhookAttempt = {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly attempt: number;
  readonly status: "delivered" | "failed";
  readonly response_status?: number;
  readonly error?: string;
  readonly response_body?: string;
  readonly duration_ms: number;
  readonly attempted_at: string;
};

/** Gap 94. */
export type TriggeredEvent = { readonly id: string; readonly type: string };
