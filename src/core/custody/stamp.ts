import { Buffer } from "node:buffer";
import { limits } from "../../limits.js";
import type { Stamp } from "../../ports/custodian.js";
import { canonicalJson } from "../crypto/canonical-json.js";
import {
  isSameP256Point,
  longestSignatureBytes,
  type P256PublicKey,
  parseP256Point,
  verifyP256Sha256Der,
} from "../crypto/p256.js";
import { remembered } from "../remembered.js";
import { decodePayloadJson } from "./payload.js";

/** Why a stamp is not a signature of this key over this payload. */
type StampFault =
  /** The payload is not base64 of JSON. */
  | "malformed_payload"
  /** Signature, public key or timestamp are not in their encoding. */
  | "malformed_stamp"
  /** kms_b: the stamp names another public key. */
  | "other_public_key"
  /** kms_b: signed too long ago, or in the future (gap 28). */
  | "timestamp_out_of_range"
  /** Everything is well formed, and the signature is not of this key over this payload. */
  | "signature_mismatch";

export type StampVerdict = { readonly ok: true } | { readonly ok: false; readonly fault: StampFault };

const valid: StampVerdict = { ok: true };

/**
 * Tells whether `stamp` is the signature of a P-256 key over a payload, in the form of its custodian:
 * kms_a signs the canonical JSON of the payload document (interface 5.6), kms_b the canonical JSON of
 * `{"payload": <document>, "timestamp_ms": "<...>"}` (gap 28).
 *
 * `publicKey` is a parsed key, or a raw point of 65 or 33 bytes. `realNow` is real time in Unix milliseconds (gap 50); it
 * matters to kms_b only. Never throws for what a client sent; throws a TypeError when `publicKey` is no point.
 */
export function verifyStamp(
  payloadBase64: string,
  stamp: Stamp,
  publicKey: P256PublicKey | Uint8Array,
  time: { readonly realNow: number },
): StampVerdict {
  const document = decodePayloadJson(payloadBase64);
  if (document === undefined) return fault("malformed_payload");
  const key = publicKey instanceof Uint8Array ? parsePublicKey(publicKey) : publicKey;
  if (stamp.form === "kms_a") {
    return verify(key, document, decodeBase64(stamp.signature));
  }
  const named = decodeHex(stamp.publicKey);
  const timestamp = /^(0|[1-9]\d{0,15})$/.test(stamp.timestampMs) ? Number(stamp.timestampMs) : undefined;
  if (named === undefined || timestamp === undefined || parseP256Point(named) === undefined) {
    return fault("malformed_stamp");
  }
  if (!isSameP256Point(named, key.point)) return fault("other_public_key");
  if (Math.abs(timestamp - time.realNow) > limits.kmsTimestampToleranceMs) return fault("timestamp_out_of_range");
  return verify(key, { payload: document, timestamp_ms: stamp.timestampMs }, decodeHex(stamp.signature));
}

function verify(key: P256PublicKey, signed: unknown, signature: Uint8Array | undefined): StampVerdict {
  if (signature === undefined) return fault("malformed_stamp");
  if (signature.length > longestSignatureBytes) return fault("signature_mismatch");
  let message: string;
  try {
    message = canonicalJson(signed);
  } catch {
    // JSON that has no canonical form (a lone surrogate) cannot have been signed.
    return fault("malformed_payload");
  }
  return isSignature({ key, message, signature }) ? valid : fault("signature_mismatch");
}

interface Claim {
  readonly key: P256PublicKey;
  readonly message: string;
  readonly signature: Uint8Array;
}

/**
 * The service and the custodian look at every signature, each for itself; the arithmetic is the same both times. Nobody
 * writes into the point of a parsed key, which stands for the key here.
 */
const isSignature = remembered(
  200,
  ({ key, message, signature }: Claim) => `${toHex(key.point)} ${toHex(signature)} ${message}`,
  ({ key, message, signature }) => verifyP256Sha256Der(key, Buffer.from(message, "utf8"), signature),
);

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

function parsePublicKey(point: Uint8Array): P256PublicKey {
  const key = parseP256Point(point);
  if (key === undefined) throw new TypeError("the bytes are not a point of P-256");
  return key;
}

function fault(name: StampFault): StampVerdict {
  return { ok: false, fault: name };
}

function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.length > 0 && bytes.toString("base64") === text ? bytes : undefined;
}

function decodeHex(text: string): Buffer | undefined {
  return /^([0-9a-fA-F]{2})+$/.test(text) && text.length <= 256 ? Buffer.from(text, "hex") : undefined;
}
