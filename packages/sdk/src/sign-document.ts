import { p256 } from "@noble/curves/nist.js";
import canonicalize from "canonicalize";
import { decodeBase64, decodeUtf8, encodeUtf8 } from "./encoding.js";
import type { AuthorizationKey } from "./open-authorization-key.js";

/** Decodes a payload: base64 of a JSON document (interface 2.8). Throws when it is not. */
export function decodePayload(payloadBase64: string): unknown {
  return JSON.parse(decodeUtf8(decodeBase64(payloadBase64)));
}

/** Signs the canonical JSON of a document: ECDSA P-256 SHA-256, low S, in DER. */
export function signDocument(document: unknown, key: AuthorizationKey): Uint8Array {
  const text = canonicalize(document);
  if (text === undefined) throw new TypeError("the payload has no canonical form");
  return p256.sign(encodeUtf8(text), key.privateKey, { prehash: true, lowS: true, format: "der" });
}
