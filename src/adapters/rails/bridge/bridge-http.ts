import { limits } from "@trellis/kernel/limits.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import { PartnerUnavailable } from "@trellis/kernel/ports/rails.js";
import { field, isJson, parseJson, text } from "./read-json.js";

/** What the partner answered: 2xx, or a refusal of this very request. */
export interface BridgeAnswer {
  readonly ok: boolean;
  readonly status: number;
  readonly body: unknown;
}

export interface BridgeRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Parts of the path behind the base URL, each of them escaped here. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** Required with POST by the partner, and stored by the caller before the first attempt. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/**
 * Asks the partner. Answers where it decided about this request; everything else, from a closed line to a page of HTML, is
 * PartnerUnavailable: the outcome is not known, and the same request may be made again.
 */
export type AskBridge = (request: BridgeRequest) => Promise<BridgeAnswer>;

export interface BridgeHttpOptions {
  readonly baseUrl: string;
  /** Secret. It is in no log and in no error. */
  readonly apiKey: string;
  readonly log: Log;
  /** Default: `limits.partnerCallMs` and `limits.partnerAnswerBytes`. */
  readonly totalMs?: number;
  readonly answerBytes?: number;
}

/** The door to the partner: one try each, bounded in time and size, following no redirect. */
export function createBridgeHttp(options: BridgeHttpOptions): AskBridge {
  const base = options.baseUrl.replace(/\/+$/, "");
  const totalMs = options.totalMs ?? limits.partnerCallMs;
  const answerBytes = options.answerBytes ?? limits.partnerAnswerBytes;
  return async (request) => {
    const url = new URL(base + request.path.map((part) => `/${encodeURIComponent(part)}`).join(""));
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    const name = `${request.method} /${request.path[0] ?? ""}`;
    const deadline = AbortSignal.timeout(totalMs);
    let response: Response;
    let written: string;
    try {
      response = await fetch(url, {
        method: request.method,
        // A redirect may lead anywhere, with the key.
        redirect: "manual",
        headers: {
          "api-key": options.apiKey,
          accept: "application/json",
          "user-agent": "Trellis-Rails/1",
          ...(request.body === undefined ? {} : { "content-type": "application/json" }),
          ...(request.idempotencyKey === undefined ? {} : { "idempotency-key": request.idempotencyKey }),
        },
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
        signal: request.signal === undefined ? deadline : AbortSignal.any([deadline, request.signal]),
      });
      written = await readWithin(response, answerBytes);
    } catch (cause) {
      throw new PartnerUnavailable(`${name}: ${whyFailed(cause, deadline)}`, undefined, { cause });
    }
    return judge({ name, status: response.status, headers: response.headers, written, request, log: options.log });
  };
}

function judge(parts: {
  readonly name: string;
  readonly status: number;
  readonly headers: Headers;
  readonly written: string;
  readonly request: BridgeRequest;
  readonly log: Log;
}): BridgeAnswer {
  const { name, status, headers, written, log } = parts;
  const isSuccess = status >= 200 && status < 300;
  const code = isSuccess ? undefined : codeOf(readable(written));
  if (status === 401 || (status === 403 && code !== undefined && aboutTheApiKey.test(code))) {
    // What is wrong with the key is no customer's fault: no request ends by it.
    // operator: check the key with `trellis rails bridge check`
    log.error(
      { event: "partner_key_refused", partner: "bridge", status, call: name },
      "partner refuses the configured API key",
    );
    throw new PartnerUnavailable(`${name}: answered ${status}, it refuses the API key`);
  }
  if (!isSuccess && (status < 400 || status >= 500 || status === 408 || status === 425 || status === 429)) {
    throw new PartnerUnavailable(`${name}: answered ${status}`, retryAfterMs(headers.get("retry-after")));
  }
  const body = isSuccess && written.trim() === "" ? {} : readable(written);
  if (body === undefined) throw new PartnerUnavailable(`${name}: answered ${status} with what is no JSON`);
  if (!isSuccess && parts.request.idempotencyKey !== undefined && isAboutKey(status, body)) {
    // Past a day the partner has forgotten what became of the key, or another body was sent under it: check before asking anew.
    log.error(
      { event: "partner_idempotency_key_refused", partner: "bridge", status, call: name },
      "partner no longer accepts an idempotency key",
    );
    throw new PartnerUnavailable(`${name}: answered ${status}, its idempotency key is spent`);
  }
  return { ok: isSuccess, status, body };
}

const aboutTheApiKey = /api.?key|unauthori[sz]ed|^required$|^invalid$/i;

/** Undefined where it is no JSON. */
function readable(written: string): unknown {
  try {
    return parseJson(written);
  } catch {
    return undefined;
  }
}

/** The partner's own word for what is wrong. */
export function codeOf(body: unknown): string | undefined {
  const errors = field(body, "errors");
  return text(body, "code") ?? (Array.isArray(errors) ? text(errors[0], "code") : undefined);
}

/** Every word that only judges a request which was read for the first time. */
const judgedAnew = /invalid_parameters|bad_customer_request|duplicate_|aml_violation|not_found/;

function isAboutKey(status: number, body: unknown): boolean {
  const words = `${codeOf(body) ?? ""} ${text(body, "message") ?? ""}`.toLowerCase();
  if (/idempoten/.test(words)) return true;
  return (
    (status === 422 || status === 409) && !judgedAnew.test(words) && field(body, "existing_kyc_link") === undefined
  );
}

/** What an operator may read about a refusal: code, message and names of fields; no addresses, no numbers of accounts. */
export function describeRefusal({ status, body }: BridgeAnswer): string {
  const key = field(field(body, "source"), "key");
  const fields = isJson(key) ? Object.keys(key).join(", ") : typeof key === "string" ? key : "";
  const message = text(body, "message")?.replace(/\S*(@|\d\S*\d\S*\d\S*\d)\S*/g, "…");
  const words = [codeOf(body), message, fields === "" ? undefined : `fields: ${fields}`];
  return `answered ${status}: ${words.filter((word) => word !== undefined).join("; ")}`.slice(0, 500);
}

/** The whole body, as long as it is no longer than this many bytes. */
async function readWithin(response: Response, most: number): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(parts).toString("utf8");
    size += value.byteLength;
    if (size > most) {
      await reader.cancel();
      throw new Error(`the answer is longer than ${most} bytes`);
    }
    parts.push(value);
  }
}

/** The address of a machine may stand in the cause: it goes to the operator's log with it, and into no answer. */
function whyFailed(cause: unknown, deadline: AbortSignal): string {
  if (deadline.aborted) return "no answer in time";
  return cause instanceof Error && cause.message.startsWith("the answer is longer") ? cause.message : "no whole answer";
}

const longestWaitMs = 3_600_000;

/** Seconds or a date (RFC 9110, 10.2.3); within an hour. */
function retryAfterMs(written: string | null): number | undefined {
  if (written === null) return undefined;
  const ms = /^\d{1,9}$/.test(written.trim()) ? Number(written) * 1_000 : Date.parse(written) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), longestWaitMs) : undefined;
}
