import type { CustodyForm } from "./custody-form.js";
import { encodeBase64 } from "./encoding.js";
import type { AuthorizationKey } from "./open-authorization-key.js";
import { decodePayload, signDocument } from "./sign-document.js";
import type { KmsASignedPayload } from "./wire.js";

/**
 * Signs a `kms_a` payload (interface 5.6): ECDSA P-256 SHA-256 over the canonical JSON of the document, low S, as
 * base64 of DER. It signs what it is given: check the payload with `assertPayloadMatches` first.
 */
export function signKmsAPayload(payloadBase64: string, key: AuthorizationKey): KmsASignedPayload {
  return { signature: encodeBase64(signDocument(decodePayload(payloadBase64), key)) };
}

/** Its holders sign the document of a payload, and nothing else. */
export const kmsA = {
  provider: "kms_a",
  sessionKey: "KmsA",
  sign: (payload, key) => ({ provider: "kms_a", kms_signed_payload: signKmsAPayload(payload, key) }),
} as const satisfies CustodyForm;
