/** P-256 keys and signatures: the client's encryption key, the authorization key and its signatures (interface 5.3 to 5.7). */
import { Buffer } from "node:buffer";
import { createECDH, createPublicKey, ECDH, KeyObject, verify } from "node:crypto";
import { remembered } from "../remembered.js";

const curve = "prime256v1";
const algorithmIdentifier = "301306072a8648ce3d020106082a8648ce3d030107";
const uncompressedSpkiPrefix = Buffer.from(`3059${algorithmIdentifier}034200`, "hex");
const compressedSpkiPrefix = Buffer.from(`3039${algorithmIdentifier}032200`, "hex");
const pkcs8Prefix = Buffer.from(`308187020100${algorithmIdentifier}046d306b0201010420`, "hex");
const pkcs8PublicKeyHeader = Buffer.from("a144034200", "hex");
const uncompressedPointBytes = 65;
const compressedPointBytes = 33;
const privateKeyBytes = 32;
/** The longest DER form of two 32-byte integers. */
export const longestSignatureBytes = 72;
/** Base64 of the 91-byte SPKI; nothing longer can be one of the two accepted forms. */
const longestSpkiBase64 = 124;

/** A P-256 public key, in the form hashing and comparing need and in the form node:crypto needs. */
export type P256PublicKey = {
  /** 65-byte uncompressed point. */
  readonly point: Uint8Array;
  readonly key: KeyObject;
};

/** Why an encryption key was refused; all three answer `invalid_encryption_public_key` (gap 18). */
export type ClientEncryptionKeyFault = "not_base64" | "not_p256_spki" | "not_on_curve";

export type ParsedClientEncryptionKey =
  | { readonly ok: true; readonly publicKey: P256PublicKey }
  | { readonly ok: false; readonly fault: ClientEncryptionKeyFault };

/** A fresh authorization key (interface 5.4, 5.5). */
export type AuthorizationKey = {
  /** 65-byte uncompressed point: all the service keeps. */
  readonly publicKey: Uint8Array;
  /** 138 bytes of DER; the private scalar stands behind the first byte pair `04 20`. Wipe after sealing. */
  readonly privateKeyPkcs8: Uint8Array;
};

function isPointEncoding(point: Uint8Array): boolean {
  if (point.length === uncompressedPointBytes) return point[0] === 0x04;
  return point.length === compressedPointBytes && (point[0] === 0x02 || point[0] === 0x03);
}

function decodePoint(point: Uint8Array): Buffer | undefined {
  if (!isPointEncoding(point)) return undefined;
  try {
    const converted = ECDH.convertKey(point, curve, undefined, undefined, "uncompressed");
    return Buffer.isBuffer(converted) ? converted : undefined;
  } catch {
    // OpenSSL refuses points off the curve; that is the answer, not a fault.
    return undefined;
  }
}

function keyObjectOf(uncompressedPoint: Uint8Array): KeyObject {
  // Node reads a JWK faster than DER.
  const coordinate = (from: number) => Buffer.from(uncompressedPoint.subarray(from, from + 32)).toString("base64url");
  return createPublicKey({ key: { kty: "EC", crv: "P-256", x: coordinate(1), y: coordinate(33) }, format: "jwk" });
}

/**
 * Gives the 65-byte uncompressed point of a P-256 public key, which may be a `KeyObject` or a raw point (65 bytes
 * uncompressed, 33 compressed). Throws a `TypeError` when it is not a point of the curve.
 */
export function toUncompressedP256Point(publicKey: KeyObject | Uint8Array): Uint8Array {
  if (publicKey instanceof KeyObject) {
    if (publicKey.type !== "public" || publicKey.asymmetricKeyDetails?.namedCurve !== curve) {
      throw new TypeError("the key object is not a P-256 public key");
    }
    const spki = publicKey.export({ format: "der", type: "spki" });
    // A key imported in compressed form is exported so again.
    const point = decodePoint(
      spki.subarray(spki.length === 59 ? compressedSpkiPrefix.length : uncompressedSpkiPrefix.length),
    );
    if (point === undefined) throw new TypeError("the key object does not hold a named P-256 point");
    return point;
  }
  const point = decodePoint(publicKey);
  if (point === undefined) throw new TypeError("the bytes are not a point of P-256");
  return point;
}

/** The base64 SPKI of a 65-byte point, as clients read a recipient. */
export const spkiOfP256Point = (point: Uint8Array): string =>
  Buffer.concat([uncompressedSpkiPrefix, point]).toString("base64");

/** Public keys kept at hand: importing one costs more than verifying with it. */
const keysAtHand = 4_096;

const importPoint = remembered(
  keysAtHand,
  (point: Uint8Array) => Buffer.from(point.buffer, point.byteOffset, point.byteLength).toString("latin1"),
  (point): P256PublicKey | undefined => {
    const uncompressed = decodePoint(point);
    return uncompressed === undefined ? undefined : { point: uncompressed, key: keyObjectOf(uncompressed) };
  },
);

/**
 * Imports a raw P-256 point (65 bytes uncompressed or 33 compressed), or gives undefined when it is not on the curve.
 * Keys that were imported lately are handed out again, each time with bytes of the caller's own.
 */
export function parseP256Point(point: Uint8Array): P256PublicKey | undefined {
  const imported = importPoint(point);
  return imported && { point: Uint8Array.from(imported.point), key: imported.key };
}

/**
 * Reads `kms_provider_config.encryption_public_key` (interface 5.3, gap 18): canonical padded base64 of an SPKI in DER,
 * 91 bytes with the uncompressed or 59 with the compressed point. Anything else is refused, named by `fault`; it never throws.
 */
export function parseClientEncryptionKey(base64Spki: string): ParsedClientEncryptionKey {
  if (base64Spki.length > longestSpkiBase64) return { ok: false, fault: "not_p256_spki" };
  const der = Buffer.from(base64Spki, "base64");
  // Node's decoder skips what it does not know; only a text it would write itself is base64.
  if (base64Spki.length === 0 || der.toString("base64") !== base64Spki) return { ok: false, fault: "not_base64" };
  const point = pointInSpki(der);
  if (point === undefined) return { ok: false, fault: "not_p256_spki" };
  const publicKey = parseP256Point(point);
  return publicKey === undefined ? { ok: false, fault: "not_on_curve" } : { ok: true, publicKey };
}

function pointInSpki(der: Buffer): Buffer | undefined {
  for (const prefix of [uncompressedSpkiPrefix, compressedSpkiPrefix]) {
    // The second byte of the prefix is the length of all that follows the two.
    if (der.length === (prefix[1] ?? 0) + 2 && der.subarray(0, prefix.length).equals(prefix)) {
      const point = der.subarray(prefix.length);
      return isPointEncoding(point) ? point : undefined;
    }
  }
  return undefined;
}

/**
 * Makes a P-256 key pair whose PKCS#8 form is read as interface 5.5 says: the bytes before the scalar are constant and
 * hold no earlier pair `04 20`, so the 32 bytes behind its first occurrence are always the private key.
 */
export function generateAuthorizationKey(): AuthorizationKey {
  const pair = createECDH(curve);
  const publicKey = pair.generateKeys();
  const scalar = pair.getPrivateKey();
  const padding = Buffer.alloc(privateKeyBytes - scalar.length);
  const privateKeyPkcs8 = Buffer.concat([pkcs8Prefix, padding, scalar, pkcs8PublicKeyHeader, publicKey]);
  scalar.fill(0);
  return { publicKey, privateKeyPkcs8 };
}

/**
 * Whether `derSignature` is an ECDSA P-256 SHA-256 signature of `message` (interface 5.6, gap 28). DER has to be
 * strict; high S is accepted, as clients write it half the time. A malformed signature is false, never a throw.
 */
export function verifyP256Sha256Der(
  publicKey: KeyObject | P256PublicKey,
  message: Uint8Array,
  derSignature: Uint8Array,
): boolean {
  if (derSignature.length > longestSignatureBytes) return false;
  const key = publicKey instanceof KeyObject ? publicKey : publicKey.key;
  if (key.asymmetricKeyDetails?.namedCurve !== curve) throw new TypeError("the key object is not a P-256 key");
  return verify("sha256", message, { key, dsaEncoding: "der" }, derSignature);
}

/** The same for a signature of r and s as they are, 64 bytes: for recognising that a signature is one, never for accepting it. */
export function verifyP256Sha256Raw(publicKey: P256PublicKey, message: Uint8Array, signature: Uint8Array): boolean {
  return (
    signature.length === 64 && verify("sha256", message, { key: publicKey.key, dsaEncoding: "ieee-p1363" }, signature)
  );
}

/**
 * Whether two encodings name the same P-256 point, compressed or not (gap 28: points are compared, not strings).
 * Bytes that are no point of the curve equal nothing, not even themselves.
 */
export function isSameP256Point(left: Uint8Array, right: Uint8Array): boolean {
  const first = decodePoint(left);
  const second = decodePoint(right);
  return first !== undefined && second !== undefined && first.equals(second);
}
