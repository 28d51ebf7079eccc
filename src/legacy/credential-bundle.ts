import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { createBase58check } from "@scure/base";
import { documented } from "@trellis/kernel/endpoint.js";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { OpenedSession } from "../people/session.js";

const base58check = createBase58check(
  (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest()),
);

/**
 * Writes a sealed authorization key as one text (interface 5.10, gap 61): base58check of the encapsulated key as a 33-byte
 * compressed point, followed by the ciphertext. HPKE hashes the point in its uncompressed form: the client that opens the bundle
 * restores that first.
 */
export function encodeCredentialBundle(sealed: OpenedSession["sealed"]): string {
  const { encapsulated_key, ciphertext } = sealed.encrypted_authorization_key;
  const point = Buffer.from(encapsulated_key, "base64");
  assertOurs(point.length === 65, "an encapsulated key is an uncompressed point");
  const compressed = Buffer.concat([Buffer.from([0x02 | ((point[64] ?? 0) & 1)]), point.subarray(1, 33)]);
  return base58check.encode(Buffer.concat([compressed, Buffer.from(ciphertext, "base64")]));
}

/** In seconds, as `bundleLifeMs` keeps them. */
export const bundleLifeBounds = documented({ minimum: 1, maximum: limits.sessionMaxMs / 1000 });

/**
 * The life of a credential bundle in milliseconds, where one is asked for: v0 says how long, not until when (interface
 * 4.16). Throws `invalid_expiration` for none at all and for more than 30 days (gap 20).
 */
export function bundleLifeMs(expirationSeconds: number | undefined): number | undefined {
  if (expirationSeconds === undefined) return undefined;
  const lifeMs = expirationSeconds * 1000;
  if (lifeMs <= 0 || lifeMs > limits.sessionMaxMs) {
    throw new TrellisError("invalid_expiration", {
      field: "expiration",
      message: `expiration is a number of seconds, from 1 to ${limits.sessionMaxMs / 1000}.`,
    });
  }
  return lifeMs;
}
