import { encodeHex } from "./encoding.js";
import { TrellisApiError, TrellisNetworkError } from "./trellis-api-error.js";
import type { ErrorDetail } from "./wire.js";

export type RequestSenderOptions = {
  /** Address of the service without the path, for example `https://trellis.example.com`. */
  readonly baseUrl: string;
  /** A secret key on a server; on a page a publishable one, `pk_…`, with `sessionToken`. */
  readonly apiKey: string;
  /** With a publishable key: the token of the session that is open at the moment, or of the last one; see `sessionTokenOf`. */
  readonly sessionToken?: () => string | undefined;
  /** Sent as `x-service-environment` with every call. */
  readonly environment: string;
  /** Default: the platform's. */
  readonly fetch?: typeof globalThis.fetch;
  /** Attempts after the first; default 3, and 15 for what was signed. */
  readonly maxRetries?: number;
  /** Longest wait for one answer, default 60,000 ms. */
  readonly timeoutMs?: number;
  /** Waits between attempts; default: a timer. */
  readonly pause?: (milliseconds: number) => Promise<void>;
};

/** One logical call. */
export type ServiceRequest = {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path behind the base address, starting with `/`. */
  readonly path: string;
  /** A list is sent as a repeated name. */
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  readonly body?: unknown;
  /** Default: a fresh key per call. Give one to make a call repeatable beyond this process (gap 6). */
  readonly idempotencyKey?: string;
  /** Whose session it is sent for, where that is not who is signed in by now. */
  readonly sessionToken?: string | undefined;
  /** Attempts after the first, where it is not as many as the options say. */
  readonly maxRetries?: number;
  /** Hears the headers of a success: some answers have no place for them in the body. */
  readonly hearHeaders?: (headers: Headers) => void;
  /** The form of the answer, where it is not JSON: then its text is given. */
  readonly accept?: "text/csv";
};

/** Sends a request, retries where that is safe, and gives the parsed JSON body of a 2xx answer. */
export type RequestSender = (request: ServiceRequest) => Promise<unknown>;

const retriedStatuses: ReadonlySet<number> = new Set([502, 503, 504]);
const firstPauseMs = 200;
const longestPauseMs = 5_000;

type Attempt =
  | { readonly kind: "answer"; readonly status: number; readonly body: unknown; readonly headers: Headers }
  | { readonly kind: "failure"; readonly cause: unknown };

/**
 * Makes the one place that talks to the service. A call is tried again after a network error or time-out, after 502,
 * 503 and 504, and while something of it is running that ends soon (409 `…_in_progress`); all attempts of a call carry the same
 * idempotency key, so that it takes effect at most once (gap 6).
 *
 * The sender rejects with `TrellisApiError` for any other answer that is not 2xx, and with `TrellisNetworkError` when no
 * attempt was answered.
 */
export function createRequestSender(options: RequestSenderOptions): RequestSender {
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  const timeoutMs = options.timeoutMs ?? 60_000;
  const pause = options.pause ?? wait;
  const baseUrl = options.baseUrl.replace(/\/+$/, "");

  const attempt = async (url: string, init: RequestInit, accept?: string): Promise<Attempt> => {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), timeoutMs);
    try {
      const response = await send(url, { ...init, signal: controller.signal });
      const text = await response.text();
      const isText = accept !== undefined && response.headers.get("content-type")?.startsWith(accept) === true;
      const body = isText ? text : parseJson(text);
      return { kind: "answer", status: response.status, body, headers: response.headers };
    } catch (cause) {
      return { kind: "failure", cause };
    } finally {
      clearTimeout(timer);
    }
  };

  return async (request) => {
    const url = baseUrl + request.path + queryString(request.query);
    const headers: Record<string, string> = {
      authorization: `Bearer ${options.apiKey}`,
      accept: request.accept ?? "application/json",
      "x-service-environment": options.environment,
    };
    if (request.method !== "GET") headers["x-idempotency-key"] = request.idempotencyKey ?? randomIdempotencyKey();
    const sessionToken = request.sessionToken ?? options.sessionToken?.();
    if (sessionToken !== undefined) headers["x-session-token"] = sessionToken;
    const init: RequestInit = { method: request.method, headers };
    if (request.body !== undefined) {
      headers["content-type"] = "application/json";
      init.body = JSON.stringify(request.body);
    }
    const maxRetries = request.maxRetries ?? options.maxRetries ?? 3;
    for (let retries = 0; ; retries++) {
      const outcome = await attempt(url, init, request.accept);
      if (outcome.kind === "answer" && outcome.status >= 200 && outcome.status < 300 && outcome.body !== undefined) {
        request.hearHeaders?.(outcome.headers);
        return outcome.body;
      }
      if (retries >= maxRetries || !isWorthRetrying(outcome)) throw errorOf(outcome, request);
      await pause(pauseMs(outcome.kind === "answer" ? retryAfterSecondsOf(outcome.headers) : undefined, retries));
    }
  };
}

function isWorthRetrying(outcome: Attempt): boolean {
  if (outcome.kind === "failure") return true;
  if (retriedStatuses.has(outcome.status)) return true;
  const isSoon = (retryAfterSecondsOf(outcome.headers) ?? 0) * 1_000 <= longestPauseMs;
  return isSoon && outcome.status === 409 && codeOf(outcome.body)?.endsWith("_in_progress") === true;
}

function retryAfterSecondsOf(headers: Headers): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return seconds >= 0 ? seconds : undefined;
}

/** How long to wait before the next attempt: what the service asks for within bounds, otherwise longer each time. */
export function pauseMs(retryAfterSeconds: number | undefined, retries: number): number {
  if (retryAfterSeconds !== undefined) return Math.min(retryAfterSeconds * 1_000, longestPauseMs);
  const exponential = Math.min(firstPauseMs * 2 ** retries, longestPauseMs);
  // Half of it at random, so that clients cut off together do not reconnect together.
  return exponential / 2 + Math.random() * (exponential / 2);
}

function errorOf(outcome: Attempt, request: ServiceRequest): Error {
  const call = `${request.method} ${request.path}`;
  if (outcome.kind === "failure") {
    return new TrellisNetworkError(`no answer to ${call}`, { cause: outcome.cause });
  }
  const { body, headers, status } = outcome;
  const requestId = headers.get("x-request-id") ?? textMember(body, "request_id");
  const retryAfterSeconds = retryAfterSecondsOf(headers);
  const code = codeOf(body);
  const message = textMember(body, "message");
  if (code === undefined || message === undefined) {
    return new TrellisApiError({
      status,
      code: "unexpected_response",
      message: `${call} was answered with status ${status} and without the service's error body`,
      details: [],
      requestId,
      retryAfterSeconds,
    });
  }
  return new TrellisApiError({ status, code, message, details: detailsOf(body), requestId, retryAfterSeconds });
}

function codeOf(body: unknown): string | undefined {
  return textMember(body, "code");
}

function textMember(body: unknown, name: string): string | undefined {
  const value = isRecord(body) ? body[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

function detailsOf(body: unknown): readonly ErrorDetail[] {
  const details = isRecord(body) ? body.details : undefined;
  return Array.isArray(details) ? details.filter(isErrorDetail) : [];
}

function isErrorDetail(value: unknown): value is ErrorDetail {
  return isRecord(value) && typeof value.code === "string" && typeof value.message === "string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy's page: the status decides what becomes of it.
    return undefined;
  }
}

function queryString(query: ServiceRequest["query"]): string {
  const parts = Object.entries(query ?? {}).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const values = typeof value === "object" ? value : [value];
    return values.map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(one)}`);
  });
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

/** A key that no other call has. */
export function randomIdempotencyKey(): string {
  return encodeHex(crypto.getRandomValues(new Uint8Array(16)));
}

/** Waits by the platform's timer. */
export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
