import { Buffer } from "node:buffer";
import { canonicalJson } from "@trellis/kernel/crypto/canonical-json.js";
import {
  longestSignatureBytes,
  type P256PublicKey,
  parseP256Point,
  verifyP256Sha256Der,
} from "@trellis/kernel/crypto/p256.js";
import type { KeyStamp } from "@trellis/kernel/ports/custodian.js";
import type { StampFault } from "./custodian-form.js";
import { formOf } from "./forms.js";
import { decodePayloadJson } from "./payload.js";

export type StampVerdict = { readonly ok: true } | { readonly ok: false; readonly fault: StampFault };

const valid: StampVerdict = { ok: true };

/** What a well-formed stamp claims: that this is a signature over this message. */
export interface StampClaim {
  readonly message: Uint8Array;
  /** DER. */
  readonly signature: Uint8Array;
  /** The key it names, as a 65-byte point; undefined in a form that names none. */
  readonly named: Uint8Array | undefined;
}

export type ReadStamp =
  | { readonly ok: true; readonly claim: StampClaim }
  | { readonly ok: false; readonly fault: StampFault };

/**
 * Reads what `stamp` claims about a payload, in the form of its custodian. No signature is verified here. `realNow` is real
 * time in Unix milliseconds (gap 50), for forms that have a timestamp. Never throws for what a client sent.
 */
export function readStamp(payloadBase64: string, stamp: KeyStamp, time: { readonly realNow: number }): ReadStamp {
  const document = decodePayloadJson(payloadBase64);
  if (document === undefined) return fault("malformed_payload");
  const form = formOf(stamp.form);
  const decoded = form.decode(stamp, time);
  if (typeof decoded === "string") return fault(decoded);
  const { signature, named } = decoded;
  if (signature === undefined) return fault("malformed_stamp");
  if (signature.length > longestSignatureBytes) return fault("signature_mismatch");
  try {
    const message = Buffer.from(canonicalJson(form.documentToSign(document, stamp)), "utf8");
    return { ok: true, claim: { message, signature, named } };
  } catch {
    // JSON that has no canonical form (a lone surrogate) cannot have been signed.
    return fault("malformed_payload");
  }
}

/**
 * Whether a claim is true of a P-256 key: a parsed one, or a raw point of 65 bytes. One signature is verified, and
 * none where the stamp names another key. Throws a TypeError when `publicKey` is no point.
 */
export function verifyClaim(claim: StampClaim, publicKey: P256PublicKey | Uint8Array): StampVerdict {
  const key = publicKey instanceof Uint8Array ? parsePublicKey(publicKey) : publicKey;
  if (claim.named !== undefined && Buffer.compare(claim.named, key.point) !== 0) return fault("other_public_key");
  return verifyP256Sha256Der(key, claim.message, claim.signature) ? valid : fault("signature_mismatch");
}

/** Whether `stamp` is the signature of a P-256 key over a payload: `readStamp` and `verifyClaim` in one. */
export function verifyStamp(
  payloadBase64: string,
  stamp: KeyStamp,
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
