import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";

/** A secret as its owner gets it, once: Standard Webhooks 1.0.0. */
export const showSecret = (secret: Uint8Array): string => `whsec_${Buffer.from(secret).toString("base64")}`;

/**
 * The headers of one attempt, by Standard Webhooks 1.0.0: HMAC-SHA256 over id, time and body, once with each secret. `now`
 * is real time in Unix milliseconds.
 */
export function signWebhook(
  id: string,
  body: string,
  secrets: readonly Uint8Array[],
  now: number,
): Readonly<Record<string, string>> {
  const timestamp = Math.floor(now / 1000);
  const sign = (secret: Uint8Array) =>
    `v1,${createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": secrets.map(sign).join(" "),
  };
}
