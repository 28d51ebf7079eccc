import { p256 } from "@noble/curves/nist.js";

/** A key that cannot be read or opened: not what the service or the platform's key export would have given. */
export class InvalidKeyError extends Error {
  override readonly name = "InvalidKeyError";
}

/**
 * Finds the P-256 private key in PKCS#8 DER: the 32 bytes behind the first byte pair `04 20` (interface 5.5).
 * Throws `InvalidKeyError` when there is no such pair or the bytes are no private key of the curve.
 */
export function privateKeyInPkcs8(der: Uint8Array): Uint8Array {
  const at = der.findIndex((byte, index) => byte === 0x04 && der[index + 1] === 0x20);
  const scalar = at === -1 ? undefined : der.slice(at + 2, at + 34);
  if (scalar === undefined || !p256.utils.isValidSecretKey(scalar)) {
    throw new InvalidKeyError("the PKCS#8 document holds no P-256 private key");
  }
  return scalar;
}
