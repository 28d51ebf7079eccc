/** Where a request may go, in a word: this is what tenants see, so that it maps no network. */
export type TargetFault =
  /** Not a URL, not https, with a user or a fragment, or of a port that is not allowed. */
  | "invalid_url"
  /** Its name or one of its addresses is not public. */
  | "private_address"
  /** There is no address under that name. */
  | "unknown_host";

/** How far targets may be trusted. */
export interface TargetRules {
  /** Whether plain http, too, may go to this very machine: a developer's own receiver. */
  readonly allowsLoopback: boolean;
}

/** A request to be made, once. */
export interface WebhookRequest extends TargetRules {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Its outcome. Nothing else of the other side is passed on. */
export type WebhookOutcome = {
  /** Milliseconds. */
  readonly durationMs: number;
} & (
  | {
      readonly kind: "answered";
      readonly status: number;
      /** The beginning of the body, as text. */
      readonly body: string;
      readonly retryAfter: string | undefined;
    }
  | {
      readonly kind: "failed";
      readonly fault: TargetFault | "connection_failed" | "tls_failed" | "timeout" | "stopped";
    }
);

/**
 * Sends events to addresses that tenants chose, from a network that is not theirs (gap 93). An adapter checks the very
 * address it dials, follows no redirect, uses no proxy, and gives up after a bounded time.
 */
export interface WebhookSender {
  /** Says why a URL is no target, as far as that is known now; undefined: it is one. */
  check(url: string, rules: TargetRules): Promise<TargetFault | undefined>;
  /** Does not reject. `signal` breaks it off. */
  send(request: WebhookRequest, signal?: AbortSignal): Promise<WebhookOutcome>;
}
