import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { decodeBase64, encodeBase64, encodeUtf8 } from "./encoding.js";
import type { TrellisEvent } from "./wire.js";

/** A request that may or may not be from Trellis. */
export type IncomingWebhook = {
  /** The body as it arrived, before anything parsed it. */
  readonly body: string;
  /** Names in any case: what Node gives, a `Headers`, or a plain object. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** `whsec_…`; several while secrets are being rotated. */
  readonly secret: string | readonly string[];
  /** How far the sender's clock may be off, in seconds; default 300. */
  readonly toleranceSeconds?: number;
  /** Real time in Unix milliseconds; default `Date.now()`. */
  readonly now?: number;
};

/** The request is not from a holder of the secret, or not from now. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  constructor(
    readonly reason: "missing_headers" | "invalid_signature" | "timestamp_out_of_range" | "invalid_body",
    message: string,
  ) {
    super(message);
  }
}

/**
 * Gives the event of a request, after making sure that it was signed with the secret and lately (Standard Webhooks 1.0.0,
 * gap 92). Throws `WebhookVerificationError` otherwise; answer 400 then. The same event may arrive more than once, under
 * the same id.
 *
 * @example
 * const event = verifyWebhook({ body, headers: request.headers, secret: process.env.WEBHOOK_SECRET });
 */
export function verifyWebhook(incoming: IncomingWebhook): TrellisEvent {
  const { body, headers, secret, toleranceSeconds = 300, now = Date.now() } = incoming;
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature");
  if (id === undefined || timestamp === undefined || signatures === undefined) {
    throw new WebhookVerificationError("missing_headers", "the request has no webhook-… headers");
  }
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookVerificationError("timestamp_out_of_range", "the request was not sent lately");
  }
  const signed = encodeUtf8(`${id}.${timestamp}.${body}`);
  const given = signatures.split(" ").flatMap((part) => (part.startsWith("v1,") ? [part.slice(3)] : []));
  const secrets = typeof secret === "string" ? [secret] : secret;
  // Every pair is compared, so that the time it takes reveals nothing.
  let matches = 0;
  for (const one of secrets) {
    const expected = encodeBase64(hmac(sha256, decodeBase64(one.replace(/^whsec_/, "")), signed));
    for (const other of given) matches += isEqual(expected, other) ? 1 : 0;
  }
  if (matches === 0) throw new WebhookVerificationError("invalid_signature", "no signature is by this secret");
  try {
    return JSON.parse(body) as TrellisEvent;
  } catch {
    throw new WebhookVerificationError("invalid_body", "the body is not JSON");
  }
}

function headerOf(headers: IncomingWebhook["headers"], name: string): string | undefined {
  if (typeof (headers as Headers).get === "function") return (headers as Headers).get(name) ?? undefined;
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  const value: unknown = entry?.[1];
  return typeof value === "string" ? value : undefined;
}

function isEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let different = 0;
  for (let at = 0; at < a.length; at += 1) different |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return different === 0;
}
