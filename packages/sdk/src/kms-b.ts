import type { CustodyForm } from "./custody-form.js";
import { encodeHex } from "./encoding.js";
import type { AuthorizationKey } from "./open-authorization-key.js";
import { decodePayload, signDocument } from "./sign-document.js";
import type { KmsBSignedPayload } from "./wire.js";

/**
 * Signs a `kms_b` payload (gap 28): the document and the time are signed together, as canonical JSON of
 * `{payload, timestamp_ms}`. `timestampMs` is real time; the service accepts five minutes of difference.
 */
export function signKmsBPayload(payloadBase64: string, key: AuthorizationKey, timestampMs: number): KmsBSignedPayload {
  const stamp = String(timestampMs);
  const document = { payload: decodePayload(payloadBase64), timestamp_ms: stamp };
  return {
    public_key: encodeHex(key.publicKey),
    signature: encodeHex(signDocument(document, key)),
    timestamp_ms: stamp,
  };
}

/** Its holders sign the document and the time together, and name their key. */
export const kmsB = {
  provider: "kms_b",
  sessionKey: "KmsB",
  sign: (payload, key, timestampMs) => ({
    provider: "kms_b",
    kms_signed_payload: signKmsBPayload(payload, key, timestampMs),
  }),
} as const satisfies CustodyForm;
