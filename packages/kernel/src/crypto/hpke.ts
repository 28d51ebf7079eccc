/**
 * HPKE (RFC 9180) in the one suite of interface 5.4: base mode, DHKEM(P-256, HKDF-SHA256), HKDF-SHA256,
 * ChaCha20-Poly1305, one message per context. What is opened here is a key that its owner imports; everything else is sealed here.
 */
import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, createECDH, createHmac, type ECDH, type KeyObject } from "node:crypto";
import { toUncompressedP256Point } from "./p256.js";

/** Result of sealing one message (gap 19 sends both members as padded base64). */
export type SealedMessage = {
  /** The ephemeral public key: the 65-byte uncompressed P-256 point. */
  readonly encapsulatedKey: Uint8Array;
  /** ChaCha20-Poly1305 ciphertext followed by the 16-byte tag. */
  readonly ciphertext: Uint8Array;
};

/** Context of a seal; both default to empty, which is what interface 5.4 uses. */
export type SealOptions = {
  readonly info?: Uint8Array;
  readonly aad?: Uint8Array;
};

/** The values of RFC 9180 section 5.1 that follow from the key agreement. */
export type HpkeKeySchedule = {
  readonly sharedSecret: Uint8Array;
  readonly key: Uint8Array;
  readonly baseNonce: Uint8Array;
};

const empty = Buffer.alloc(0);
const one = Buffer.from([1]);
const versionLabel = Buffer.from("HPKE-v1");
const kemSuiteId = Buffer.from([...Buffer.from("KEM"), 0x00, 0x10]);
const hpkeSuiteId = Buffer.from([...Buffer.from("HPKE"), 0x00, 0x10, 0x00, 0x01, 0x00, 0x03]);
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

function labelledExtract(suiteId: Uint8Array, salt: Uint8Array, label: string, ikm: Uint8Array): Buffer {
  return createHmac("sha256", salt).update(versionLabel).update(suiteId).update(label).update(ikm).digest();
}

// Every output of this suite fits one HMAC block, so HKDF-Expand is its first round.
function labelledExpand(suiteId: Uint8Array, prk: Uint8Array, label: string, info: Uint8Array, length: number): Buffer {
  const lengthPrefix = Buffer.from([0, length]);
  const block = createHmac("sha256", prk)
    .update(lengthPrefix)
    .update(versionLabel)
    .update(suiteId)
    .update(label)
    .update(info)
    .update(one)
    .digest();
  return block.subarray(0, length);
}

const emptyPskIdHash = labelledExtract(hpkeSuiteId, empty, "psk_id_hash", empty);
const emptyInfoHash = labelledExtract(hpkeSuiteId, empty, "info_hash", empty);

/**
 * Derives shared secret, AEAD key and base nonce from a P-256 agreement (RFC 9180 sections 4.1 and 5.1, mode 0).
 * `dh` is the 32-byte x coordinate; `encapsulatedKey` and `recipientPoint` are 65-byte uncompressed points.
 */
export function deriveKeySchedule(
  dh: Uint8Array,
  encapsulatedKey: Uint8Array,
  recipientPoint: Uint8Array,
  info: Uint8Array = empty,
): HpkeKeySchedule {
  const prk = labelledExtract(kemSuiteId, empty, "eae_prk", dh);
  const kemContext = Buffer.concat([encapsulatedKey, recipientPoint]);
  const sharedSecret = labelledExpand(kemSuiteId, prk, "shared_secret", kemContext, 32);
  const infoHash = info.length === 0 ? emptyInfoHash : labelledExtract(hpkeSuiteId, empty, "info_hash", info);
  const context = Buffer.concat([Buffer.from([0]), emptyPskIdHash, infoHash]);
  const secret = labelledExtract(hpkeSuiteId, sharedSecret, "secret", empty);
  return {
    sharedSecret,
    key: labelledExpand(hpkeSuiteId, secret, "key", context, keyBytes),
    baseNonce: labelledExpand(hpkeSuiteId, secret, "base_nonce", context, nonceBytes),
  };
}

function sealWith(
  ephemeral: ECDH,
  encapsulatedKey: Buffer,
  recipientPublicKey: KeyObject | Uint8Array,
  plaintext: Uint8Array,
  options: SealOptions,
): SealedMessage {
  const recipientPoint = toUncompressedP256Point(recipientPublicKey);
  const dh = ephemeral.computeSecret(recipientPoint);
  const schedule = deriveKeySchedule(dh, encapsulatedKey, recipientPoint, options.info);
  // The nonce of sequence number 0 is the base nonce itself; a context seals once, so no other is needed.
  const cipher = createCipheriv("chacha20-poly1305", schedule.key, schedule.baseNonce, { authTagLength: tagBytes });
  if (options.aad !== undefined) cipher.setAAD(options.aad, { plaintextLength: plaintext.length });
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  return { encapsulatedKey, ciphertext };
}

/**
 * Seals `plaintext` so that only the holder of the recipient's P-256 private key can read it (interface 5.4, gap 19).
 *
 * The recipient is a P-256 `KeyObject` or a raw point (65 bytes uncompressed or 33 compressed). Throws a `TypeError`
 * for anything else: keys of clients pass `parseClientEncryptionKey` first, so that is a bug of the caller.
 */
export function sealTo(
  recipientPublicKey: KeyObject | Uint8Array,
  plaintext: Uint8Array,
  options: SealOptions = {},
): SealedMessage {
  const ephemeral = createECDH("prime256v1");
  const encapsulatedKey = ephemeral.generateKeys();
  return sealWith(ephemeral, encapsulatedKey, recipientPublicKey, plaintext, options);
}

/**
 * The same with a given ephemeral private key (32 bytes), to reproduce published vectors.
 * Never for real messages: two seals under one ephemeral key reuse key and nonce.
 *
 * @internal
 */
export function sealWithEphemeralKey(
  recipientPublicKey: KeyObject | Uint8Array,
  plaintext: Uint8Array,
  ephemeralPrivateKey: Uint8Array,
  options: SealOptions = {},
): SealedMessage {
  const ephemeral = createECDH("prime256v1");
  ephemeral.setPrivateKey(ephemeralPrivateKey);
  return sealWith(ephemeral, ephemeral.getPublicKey(), recipientPublicKey, plaintext, options);
}

/** A recipient of messages: the raw private scalar, which is wiped after use, and the 65-byte point. */
export function generateHpkeRecipient(): { readonly privateKey: Uint8Array; readonly point: Uint8Array } {
  const pair = createECDH("prime256v1");
  const point = pair.generateKeys();
  const scalar = pair.getPrivateKey();
  // Node leaves out leading zeros.
  const privateKey = Buffer.concat([Buffer.alloc(32 - scalar.length), scalar]);
  scalar.fill(0);
  return { privateKey, point };
}

/** The 65-byte point of a recipient's private scalar. */
export function hpkePointOf(privateKey: Uint8Array): Uint8Array {
  const recipient = createECDH("prime256v1");
  recipient.setPrivateKey(privateKey);
  return recipient.getPublicKey();
}

/**
 * Opens a message with its recipient's private scalar; undefined where it was sealed to another key or context, was altered, or is
 * no message at all.
 */
export function openSealed(
  privateKey: Uint8Array,
  { encapsulatedKey, ciphertext }: SealedMessage,
  options: SealOptions = {},
): Uint8Array | undefined {
  if (encapsulatedKey.length !== 65 || ciphertext.length < tagBytes) return undefined;
  const recipient = createECDH("prime256v1");
  recipient.setPrivateKey(privateKey);
  try {
    // Throws for bytes that are no point of the curve; the last call does where the tag does not fit.
    const dh = recipient.computeSecret(encapsulatedKey);
    const schedule = deriveKeySchedule(dh, encapsulatedKey, recipient.getPublicKey(), options.info);
    const body = ciphertext.subarray(0, -tagBytes);
    const decipher = createDecipheriv("chacha20-poly1305", schedule.key, schedule.baseNonce, {
      authTagLength: tagBytes,
    });
    decipher.setAAD(options.aad ?? empty, { plaintextLength: body.length });
    decipher.setAuthTag(ciphertext.subarray(-tagBytes));
    const plaintext = decipher.update(body);
    try {
      decipher.final();
      return plaintext;
    } catch (error) {
      plaintext.fill(0);
      throw error;
    }
  } catch {
    return undefined;
  }
}
