import { DatabaseUnavailable } from "@trellis/kernel/ports/database.js";
import type { Log, LogEvent } from "@trellis/kernel/ports/log.js";
import { type DestinationStream, type Logger, pino } from "pino";

/** How much is written: everything from this level up. */
export type LogLevel = "fatal" | "error" | "warn" | "info" | "debug" | "silent";

/**
 * Makes the process's logger: JSON lines to standard output, or to `destination`. Secrets never reach a line, wherever
 * in the fields they stand: see `redactFields`.
 */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: {
        // That the database is lost is said once, where it is noticed: what fails for that alone is no news.
        logMethod(args, method, level) {
          if (level > debugLevel && isOfLostDatabase(args[0])) this.debug(...args);
          else method.apply(this, args);
        },
      },
      formatters: {
        level: (label) => ({ level: label }),
        // Libraries write lines of their own, the web framework above all: these have one code.
        log: (fields) => ({ event: libraryEvent, ...redactFields(fields) }),
      },
      // Errors are turned into plain fields by `redactFields`, which drops what drivers hang on them.
      serializers: { err: (value: unknown) => value },
    },
    destination ?? pino.destination({ dest: 1, sync: false }),
  );
}

const debugLevel = 20;

const libraryEvent: LogEvent = "library_reported";

function isOfLostDatabase(fields: unknown): boolean {
  let cause = (typeof fields === "object" && fields !== null ? (fields as Record<string, unknown>) : {}).err;
  for (let depth = 0; depth < depthMax && cause instanceof Error; depth += 1) {
    if (cause instanceof DatabaseUnavailable) return cause.isLost;
    cause = cause.cause;
  }
  return false;
}

/** The modules' log port over a logger of `createLogger`. */
export function createPinoLog(logger: Logger): Log {
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
  };
}

const hidden = "[redacted]";
const depthMax = 6;
const elementsMax = 50;

/** Names under which secrets travel, compared without case, `-` and `_`. */
const secretNames = new Set(
  [
    "authorization",
    "cookie",
    "set-cookie",
    "api-key",
    "x-api-key",
    "otp",
    "otp_code",
    "code_hmac",
    "token",
    "access_token",
    "kms_a_access_token",
    "kms_b_access_token",
    "refresh_token",
    "credential_bundle",
    "intent_payload",
    "mpc_payload",
    "signature",
    "signatures",
    "kms_signed_payload",
    "authorization_key",
    "encrypted_authorization_key",
    "ciphertext",
    "encapsulated_key",
    "private_key",
    "secret",
    "secret_key",
    "seed",
    "master_key",
    "password",
  ].map(plainName),
);

/** Secrets that are recognised by their form, inside any text. */
const secretTexts: readonly [form: RegExp, instead: string][] = [
  [/\bsk_(test|live)_[A-Za-z0-9_-]{8,}/g, `sk_$1_${hidden}`],
  [/\b(Bearer|Basic)\s+[^\s"']+/gi, `$1 ${hidden}`],
  [/([?&](?:api-key|api_key|token)=)[^&\s"']+/gi, `$1${hidden}`],
  [/(\b[a-z+]+:\/\/[^:@/\s]*:)[^@/\s]+@/gi, `$1${hidden}@`],
];

/**
 * A copy of log fields without secrets: values under secret names are replaced at any depth, secrets of a known form are
 * cut out of texts, and of errors only name, code, message, stack and cause are kept, because drivers hang query
 * parameters on theirs.
 */
function redactFields(fields: object): Record<string, unknown> {
  const clean = redact(fields, 0);
  return typeof clean === "object" && clean !== null ? { ...clean } : { fields: clean };
}

function redact(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case "string":
      return redactText(value);
    case "bigint":
      return value.toString();
    case "object":
      return value === null ? null : redactObject(value, depth);
    default:
      return value;
  }
}

function redactObject(value: object, depth: number): unknown {
  if (depth > depthMax) return "[too deep]";
  if (value instanceof Error) return redactError(value, depth);
  if (value instanceof Date) return value.toISOString();
  // Bytes are keys, ciphertexts or transactions: nothing to read in a log.
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.slice(0, elementsMax).map((element) => redact(element, depth + 1));
  const entries = value instanceof Map ? [...value].map(([key, inner]) => [String(key), inner]) : Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, secretNames.has(plainName(key)) ? hidden : redact(inner, depth + 1)]),
  );
}

function redactError(error: Error & { readonly code?: unknown; readonly details?: unknown }, depth: number): unknown {
  return {
    name: error.name,
    ...(typeof error.code === "string" ? { code: error.code } : {}),
    message: redactText(error.message),
    ...(error.stack === undefined ? {} : { stack: redactText(error.stack) }),
    ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
  };
}

function redactText(text: string): string {
  return secretTexts.reduce((clean, [form, instead]) => clean.replace(form, instead), text);
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, "");
}
