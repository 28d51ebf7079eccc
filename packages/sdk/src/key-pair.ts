import { p256 } from "@noble/curves/nist.js";
import { hex } from "@scure/base";
import { concatBytes, encodeBase64 } from "./encoding.js";

const spkiPrefix = hex.decode("3059301306072a8648ce3d020106082a8648ce3d030107034200");
const pkcs8Prefix = hex.decode("308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420");
const pkcs8PublicKeyHeader = hex.decode("a144034200");

/** The client's HPKE key pair (interface 5.3). */
export type EncryptionKeyPair = {
  /** Base64 of the 91-byte SPKI DER: goes out as `kms_provider_config.encryption_public_key`. */
  readonly publicKeySpkiBase64: string;
  /** 138 bytes of PKCS#8 DER; never leaves the client. */
  readonly privateKeyPkcs8: Uint8Array;
};

/**
 * Makes the P-256 key pair the service seals the authorization key to (interface 5.3, gap 18). Needs only
 * `crypto.getRandomValues`. Make a new pair for every sign-in, and keep the private key where the session is kept.
 *
 * @example
 * const keyPair = generateEncryptionKeyPair();
 * await trellis.auth.verify({ email, otp_code, kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 } });
 */
export function generateEncryptionKeyPair(): EncryptionKeyPair {
  const secretKey = p256.utils.randomSecretKey();
  const publicKey = p256.getPublicKey(secretKey, false);
  const keyPair = {
    publicKeySpkiBase64: encodeBase64(concatBytes(spkiPrefix, publicKey)),
    privateKeyPkcs8: concatBytes(pkcs8Prefix, secretKey, pkcs8PublicKeyHeader, publicKey),
  };
  secretKey.fill(0);
  return keyPair;
}
