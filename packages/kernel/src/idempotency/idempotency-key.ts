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
 * What makes two requests the same: HMAC-SHA256 over method, path, the query's pairs in sorted order, and the body
 * (gap 6), whatever the order of its members and its white space. `body` is the parsed JSON, `bodyText` what it was
 * parsed from. `secret` is the keyring's `idempotency`: bodies hold guessable things such as one-time codes.
 */
export function fingerprintOf(
  secret: Uint8Array,
  request: {
    readonly method: string;
    readonly path: string;
    readonly search: string;
    readonly body: unknown;
    readonly bodyText: string;
    /** Whose request it is, where the tenant alone does not identify the caller: no caller gets the answer of another. */
    readonly holder?: string | undefined;
  },
): Uint8Array {
  const pairs = [...new URLSearchParams(request.search)].map((pair) => JSON.stringify(pair)).sort();
  const head = JSON.stringify([
    request.method,
    request.path,
    pairs,
    ...(request.holder === undefined ? [] : [request.holder]),
  ]);
  const body = isDeeper(request.body, sortedDepth) ? request.bodyText : JSON.stringify(inOrder(request.body));
  return createHmac("sha256", secret)
    .update(head)
    .update("\n")
    .update(body ?? "")
    .digest();
}

/** No body has a reason to be deeper; one that is counts by its text, so that no nesting exhausts the stack. */
const sortedDepth = 32;

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((member) => isDeeper(member, depth - 1));
}

/**
 * The same JSON with the members of every object in one order. Unlike the canonical form of RFC 8785, which has no form
 * for a lone surrogate, this takes whatever a body can hold.
 */
function inOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}

/**
 * Names the operation that a request under a key stands for: the same for every attempt, also after the record of a
 * failed one is removed, and another one for another request (gap 6). Hex of HMAC-SHA256, so that no caller can guess another
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
