import { type ErrorCode, errorCatalogue, TrellisError, wireCode } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { DatabaseUnavailable } from "@trellis/kernel/ports/database.js";

/** An error as it goes out. */
export interface ErrorAnswer {
  readonly status: number;
  /** As the wire shows it. */
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The one writer of error bodies (gap 3): `{message, code, details, timestamp, request_id}`. `now` is real time in Unix
 * milliseconds.
 */
export function errorAnswer(error: TrellisError, requestId: string, now: number): ErrorAnswer {
  const code = wireCode(error.code);
  const [first, ...others] = error.details;
  // The first detail repeats the human text; where only the detail was worded, its words are the text.
  const message = (error.message === errorCatalogue[error.code][1] ? first?.message : undefined) ?? error.message;
  const body = {
    message: shortened(message),
    code,
    details: [{ code, documentation: `/docs/errors#${code}`, ...first, message }, ...others].map((detail) => ({
      ...detail,
      message: shortened(detail.message),
    })),
    timestamp: new Date(now).toISOString(),
    request_id: requestId,
  };
  const headers: Record<string, string> = {};
  if (error.retryAfterSeconds !== undefined)
    headers["retry-after"] = String(Math.max(1, Math.ceil(error.retryAfterSeconds)));
  if (error.status === 401) headers["www-authenticate"] = "Bearer";
  return { status: error.status, code, headers, body: JSON.stringify(body, bigintAsText) };
}

/** Some texts repeat a value of the request, which can be as long as the body. */
const messageMax = 1_000;

function shortened(message: string): string {
  return message.length > messageMax ? `${message.slice(0, messageMax)}…` : message;
}

/** A database that was restarted, or handed over, is back within moments. */
const databaseRetrySeconds = 2;

/**
 * The response about anything that was thrown: a TrellisError as it is, a silent database as
 * `service_unavailable`, the server's own refusals by their code
 * in the catalogue, and everything else as `internal_error`, which says nothing of its cause.
 */
export function toTrellisError(thrown: unknown): TrellisError {
  if (thrown instanceof TrellisError) return thrown;
  if (thrown instanceof DatabaseUnavailable) {
    return new TrellisError("service_unavailable", {
      message: "The service's database does not answer at present.",
      retryAfterSeconds: databaseRetrySeconds,
      cause: thrown,
    });
  }
  const { code, statusCode } = (typeof thrown === "object" && thrown !== null ? thrown : {}) as {
    code?: unknown;
    statusCode?: unknown;
  };
  const known = typeof code === "string" ? codeByServerError[code] : undefined;
  if (known === "body_too_large") {
    return new TrellisError(known, {
      message: `The request body is larger than the ${limits.bodyBytes / 1024} KiB that are accepted.`,
    });
  }
  if (known) return new TrellisError(known);
  const isCallers = typeof statusCode === "number" && statusCode >= 400 && statusCode < 500;
  return new TrellisError(isCallers ? "invalid_request" : "internal_error", { cause: thrown });
}

const codeByServerError: Readonly<Record<string, ErrorCode>> = {
  // Of the functions `refuse_frozen` and `refuse_frozen_write`.
  TF001: "tenant_frozen",
  // Of the function `held_account`.
  TF002: "account_not_found",
  FST_ERR_CTP_BODY_TOO_LARGE: "body_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_CTP_INVALID_JSON_BODY: "malformed_json",
  FST_ERR_MAX_PARAM_LENGTH: "uri_too_long",
};

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
