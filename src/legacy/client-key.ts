import { Buffer } from "node:buffer";
import { type P256PublicKey, parseP256Point } from "@trellis/kernel/crypto/p256.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { getClientKey } from "../people/session.js";

/** A point of P-256 in hex: 65 bytes uncompressed, or 33 compressed. */
const hexPoint = /^(?:04[0-9a-f]{128}|0[23][0-9a-f]{64})$/i;

/**
 * Reads `auth_public_key` (interface 4.16, gap 61): the base64 SPKI that the present interface takes (gap 18), or the bare
 * point in hex, as clients of the old one send it. Throws `invalid_encryption_public_key`.
 */
export function getLegacyClientKey(text: string): P256PublicKey {
  if (!hexPoint.test(text)) return getClientKey(text, "auth_public_key");
  const publicKey = parseP256Point(Buffer.from(text, "hex"));
  if (publicKey === undefined) {
    throw new TrellisError("invalid_encryption_public_key", {
      field: "auth_public_key",
      message: "auth_public_key does not hold a point of the curve P-256.",
    });
  }
  return publicKey;
}
