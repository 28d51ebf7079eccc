import { Chacha20Poly1305 } from "@hpke/chacha20poly1305";
import { p256 } from "@noble/curves/nist.js";
import { expand, extract } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, encodeUtf8 } from "./encoding.js";

const empty = new Uint8Array(0);
const kemSuiteId = concatBytes(encodeUtf8("KEM"), new Uint8Array([0x00, 0x10]));
const hpkeSuiteId = concatBytes(encodeUtf8("HPKE"), new Uint8Array([0x00, 0x10, 0x00, 0x01, 0x00, 0x03]));
const versionLabel = encodeUtf8("HPKE-v1");

function labelledExtract(suiteId: Uint8Array, salt: Uint8Array, label: string, ikm: Uint8Array): Uint8Array {
  return extract(sha256, concatBytes(versionLabel, suiteId, encodeUtf8(label), ikm), salt);
}

function labelledExpand(
  suiteId: Uint8Array,
  prk: Uint8Array,
  label: string,
  info: Uint8Array,
  length: number,
): Uint8Array {
  const labelled = concatBytes(new Uint8Array([0, length]), versionLabel, suiteId, encodeUtf8(label), info);
  return expand(sha256, prk, labelled, length);
}

/** What arrives sealed: see RFC 9180, base mode, a context of one message. */
export type SealedBytes = {
  /** 65-byte uncompressed P-256 point. */
  readonly encapsulatedKey: Uint8Array;
  /** Ciphertext with its 16-byte tag at the end. */
  readonly ciphertext: Uint8Array;
  readonly info?: Uint8Array;
  readonly aad?: Uint8Array;
};

/** Key and nonce of the one message of a context: RFC 9180, sections 4.1 and 5.1. */
function scheduleOf(parts: {
  /** The x coordinate of what both sides agree on. */
  readonly dh: Uint8Array;
  readonly encapsulatedKey: Uint8Array;
  readonly recipientPoint: Uint8Array;
  readonly info: Uint8Array;
}) {
  const prk = labelledExtract(kemSuiteId, empty, "eae_prk", parts.dh);
  const kemContext = concatBytes(parts.encapsulatedKey, parts.recipientPoint);
  const sharedSecret = labelledExpand(kemSuiteId, prk, "shared_secret", kemContext, 32);
  const context = concatBytes(
    new Uint8Array([0]),
    labelledExtract(hpkeSuiteId, empty, "psk_id_hash", empty),
    labelledExtract(hpkeSuiteId, empty, "info_hash", parts.info),
  );
  const secret = labelledExtract(hpkeSuiteId, sharedSecret, "secret", empty);
  return {
    key: labelledExpand(hpkeSuiteId, secret, "key", context, 32),
    nonce: labelledExpand(hpkeSuiteId, secret, "base_nonce", context, 12),
  };
}

const bufferOf = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;

/** Seals a message to a recipient's 65-byte point, in the same suite. Throws for bytes that are no point. */
export async function sealHpke(
  recipientPoint: Uint8Array,
  plaintext: Uint8Array,
  info: Uint8Array,
): Promise<Pick<SealedBytes, "encapsulatedKey" | "ciphertext">> {
  // It is used once: two messages under one key would share their nonce.
  const ephemeral = p256.utils.randomSecretKey();
  const encapsulatedKey = p256.getPublicKey(ephemeral, false);
  const dh = p256.getSharedSecret(ephemeral, recipientPoint, true).subarray(1);
  ephemeral.fill(0);
  const { key, nonce } = scheduleOf({ dh, encapsulatedKey, recipientPoint, info });
  const cipher = new Chacha20Poly1305().createEncryptionContext(bufferOf(key));
  const ciphertext = await cipher.seal(bufferOf(nonce), bufferOf(plaintext), bufferOf(empty));
  return { encapsulatedKey, ciphertext: new Uint8Array(ciphertext) };
}

/**
 * Opens an HPKE message (RFC 9180 base mode: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, ChaCha20-Poly1305) with a 32-byte
 * private key. Rejects when it was sealed to another key or altered on the way. Uses no WebCrypto, which React Native lacks.
 */
export async function openHpke(privateKey: Uint8Array, sealed: SealedBytes): Promise<Uint8Array> {
  const recipientPoint = p256.getPublicKey(privateKey, false);
  // The x coordinate alone is the shared secret; the first byte only gives the sign of y.
  const dh = p256.getSharedSecret(privateKey, sealed.encapsulatedKey, true).subarray(1);
  const info = sealed.info ?? empty;
  const { key, nonce } = scheduleOf({ dh, encapsulatedKey: sealed.encapsulatedKey, recipientPoint, info });
  const cipher = new Chacha20Poly1305().createEncryptionContext(bufferOf(key));
  const plaintext = await cipher.open(bufferOf(nonce), bufferOf(sealed.ciphertext), bufferOf(sealed.aad ?? empty));
  return new Uint8Array(plaintext);
}
