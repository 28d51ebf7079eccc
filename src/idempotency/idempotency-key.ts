import { createHmac } from "node:crypto";
import { TrellisError } from "../errors.js";

const printable = /^[\x20-\x7e]{1,255}$/;

/**
 * The key of a request, from its headers `x-idempotency-key` and `idempotency-key` (gap 6): undefined when neither is
 * there. Throws `invalid_idempotency_key` for a malformed one, and for two that differ.
 */
export function parseIdempotencyKey(prefixed: string | undefined, plain: string | undefined): string | undefined {
  const key = prefixed ?? plain;
  if (key === undefined) return undefined;
  if (prefixed !== undefined && plain !== undefined && prefixed !== plain) {
    throw new TrellisError("invalid_idempotency_key", {
      message: "The headers x-idempotency-key and idempotency-key name different keys.",
    });
  }
  if (!printable.test(key)) throw new TrellisError("invalid_idempotency_key");
  return key;
}

/**
 * What makes two requests the same: HMAC-SHA256 over method, path, the query's pairs in sorted order, and the body's
 * text (gap 6). `secret` is the keyring's `idempotency`: bodies hold guessable things such as one-time codes.
 */
export function fingerprintOf(
  secret: Uint8Array,
  request: { readonly method: string; readonly path: string; readonly search: string; readonly bodyText: string },
): Uint8Array {
  const pairs = [...new URLSearchParams(request.search)].map((pair) => JSON.stringify(pair)).sort();
  const head = JSON.stringify([request.method, request.path, pairs]);
  return createHmac("sha256", secret).update(head).update("\n").update(request.bodyText).digest();
}
