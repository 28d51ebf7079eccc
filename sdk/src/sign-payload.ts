import { p256 } from "@noble/curves/nist.js";
import canonicalize from "canonicalize";
import { decodeBase64, decodeUtf8, encodeBase64, encodeHex, encodeUtf8 } from "./encoding.js";
import type { AuthorizationKey } from "./open-authorization-key.js";
import type { KmsASignedPayload, KmsBSignedPayload, KmsPayload, SubmitKmsPayload } from "./wire.js";

function canonicalBytes(document: unknown): Uint8Array {
  const text = canonicalize(document);
  if (text === undefined) throw new TypeError("the payload has no canonical form");
  return encodeUtf8(text);
}

function signDer(message: Uint8Array, key: AuthorizationKey): Uint8Array {
  return p256.sign(message, key.privateKey, { prehash: true, lowS: true, format: "der" });
}

/** Decodes a payload: base64 of a JSON document (interface 2.8). Throws when it is not. */
export function decodePayload(payloadBase64: string): unknown {
  return JSON.parse(decodeUtf8(decodeBase64(payloadBase64)));
}

/**
 * Signs a `kms_a` payload (interface 5.6): ECDSA P-256 SHA-256 over the canonical JSON of the document, low S, as
 * base64 of DER. It signs what it is given: check the payload with `assertPayloadMatches` first.
 */
export function signKmsAPayload(payloadBase64: string, key: AuthorizationKey): KmsASignedPayload {
  return { signature: encodeBase64(signDer(canonicalBytes(decodePayload(payloadBase64)), key)) };
}

/**
 * Signs a `kms_b` payload (gap 28): the document and the time are signed together, as canonical JSON of
 * `{payload, timestamp_ms}`. `timestampMs` is real time; the service accepts five minutes of difference.
 */
export function signKmsBPayload(payloadBase64: string, key: AuthorizationKey, timestampMs: number): KmsBSignedPayload {
  const stamp = String(timestampMs);
  const message = canonicalBytes({ payload: decodePayload(payloadBase64), timestamp_ms: stamp });
  return {
    public_key: encodeHex(key.publicKey),
    signature: encodeHex(signDer(message, key)),
    timestamp_ms: stamp,
  };
}

/**
 * Signs one entry of `kms_payloads` in the form its provider takes, ready for submit (interface 2.10).
 * Throws a `TypeError` for a provider whose keys are not at the service: those sign the transaction itself.
 */
export function signPayload(
  payload: KmsPayload,
  key: AuthorizationKey,
  timestampMs: number = Date.now(),
): SubmitKmsPayload {
  switch (payload.provider) {
    case "kms_a":
      return { provider: "kms_a", kms_signed_payload: signKmsAPayload(payload.payload, key) };
    case "kms_b":
      return { provider: "kms_b", kms_signed_payload: signKmsBPayload(payload.payload, key, timestampMs) };
    default:
      throw new TypeError(`payloads of the provider ${payload.provider} are not signed with an authorization key`);
  }
}

/**
 * Signs the change of a session's encryption key (gap 20): goes out as `signature` of a refresh that names another
 * public key than the one given at verify. Base64 of DER, by the authorization key while it is still live.
 */
export function signKeyChange(encryptionPublicKey: string, refreshToken: string, key: AuthorizationKey): string {
  const document = { encryption_public_key: encryptionPublicKey, refresh_token: refreshToken };
  return encodeBase64(signDer(canonicalBytes(document), key));
}
