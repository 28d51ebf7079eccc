import { Buffer } from "node:buffer";
import { canonicalJson } from "../kernel/crypto/canonical-json.js";
import {
  longestSignatureBytes,
  type P256PublicKey,
  parseP256Point,
  verifyP256Sha256Der,
} from "../kernel/crypto/p256.js";
import { limits } from "../kernel/limits.js";
import type { Stamp } from "../ports/custodian.js";
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

/** What a well-formed stamp claims: that this is a signature over this message. */
export interface StampClaim {
  readonly message: Uint8Array;
  /** DER. */
  readonly signature: Uint8Array;
  /** kms_b: the key it names, as a 65-byte point. A kms_a stamp names none. */
  readonly named: Uint8Array | undefined;
}

export type ReadStamp =
  | { readonly ok: true; readonly claim: StampClaim }
  | { readonly ok: false; readonly fault: StampFault };

/**
 * Reads what `stamp` claims about a payload, in the form of its custodian: kms_a signs the canonical JSON of the payload
 * document (interface 5.6), kms_b the canonical JSON of `{"payload": <document>, "timestamp_ms": "<...>"}` (gap 28).
 * No signature is verified here. `realNow` is real time in Unix milliseconds (gap 50); it matters to kms_b only. Never
 * throws for what a client sent.
 */
export function readStamp(payloadBase64: string, stamp: Stamp, time: { readonly realNow: number }): ReadStamp {
  const document = decodePayloadJson(payloadBase64);
  if (document === undefined) return fault("malformed_payload");
  if (stamp.form === "kms_a") return toClaim(document, decodeBase64(stamp.signature), undefined);
  const point = decodeHex(stamp.publicKey);
  const named = point === undefined ? undefined : parseP256Point(point)?.point;
  const timestamp = /^(0|[1-9]\d{0,15})$/.test(stamp.timestampMs) ? Number(stamp.timestampMs) : undefined;
  if (named === undefined || timestamp === undefined) return fault("malformed_stamp");
  if (Math.abs(timestamp - time.realNow) > limits.kmsTimestampToleranceMs) return fault("timestamp_out_of_range");
  return toClaim({ payload: document, timestamp_ms: stamp.timestampMs }, decodeHex(stamp.signature), named);
}

function toClaim(signed: unknown, signature: Uint8Array | undefined, named: Uint8Array | undefined): ReadStamp {
  if (signature === undefined) return fault("malformed_stamp");
  if (signature.length > longestSignatureBytes) return fault("signature_mismatch");
  try {
    return { ok: true, claim: { message: Buffer.from(canonicalJson(signed), "utf8"), signature, named } };
  } catch {
    // JSON that has no canonical form (a lone surrogate) cannot have been signed.
    return fault("malformed_payload");
  }
}

/**
 * Tells whether a claim is true of a P-256 key: a parsed one, or a raw point of 65 bytes. One signature is verified, and
 * none where the stamp names another key. Throws a TypeError when `publicKey` is no point.
 */
export function verifyClaim(claim: StampClaim, publicKey: P256PublicKey | Uint8Array): StampVerdict {
  const key = publicKey instanceof Uint8Array ? parsePublicKey(publicKey) : publicKey;
  if (claim.named !== undefined && Buffer.compare(claim.named, key.point) !== 0) return fault("other_public_key");
  return verifyP256Sha256Der(key, claim.message, claim.signature) ? valid : fault("signature_mismatch");
}

/** Tells whether `stamp` is the signature of a P-256 key over a payload: `readStamp` and `verifyClaim` in one. */
export function verifyStamp(
  payloadBase64: string,
  stamp: Stamp,
  publicKey: P256PublicKey | Uint8Array,
  time: { readonly realNow: number },
): StampVerdict {
  const read = readStamp(payloadBase64, stamp, time);
  return read.ok ? verifyClaim(read.claim, publicKey) : read;
}

function parsePublicKey(point: Uint8Array): P256PublicKey {
  const key = parseP256Point(point);
  if (key === undefined) throw new TypeError("the bytes are not a point of P-256");
  return key;
}

function fault(name: StampFault): { readonly ok: false; readonly fault: StampFault } {
  return { ok: false, fault: name };
}

function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.length > 0 && bytes.toString("base64") === text ? bytes : undefined;
}

function decodeHex(text: string): Buffer | undefined {
  return /^([0-9a-fA-F]{2})+$/.test(text) && text.length <= 256 ? Buffer.from(text, "hex") : undefined;
}
