import { createHmac } from "node:crypto";
import { TrellisError } from "../../errors.js";

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

/**
 * Names the operation that a request under a key stands for: the same for every attempt, also after the record of a
 * failed one is gone, and another one for another request (gap 6). Hex of HMAC-SHA256, so that nobody can guess another
 * tenant's.
 */
export function operationIdOf(
  secret: Uint8Array,
  scope: {
    readonly tenantId: string;
    readonly environment: string;
    readonly method: string;
    readonly path: string;
    readonly key: string;
  },
  fingerprint: Uint8Array,
): string {
  const { tenantId, environment, method, path, key } = scope;
  const name = JSON.stringify(["operation", tenantId, environment, method, path, key]);
  return createHmac("sha256", secret).update(name).update("\n").update(fingerprint).digest("hex");
}
