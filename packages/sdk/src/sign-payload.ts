import { findForm } from "./custody-forms.js";
import { encodeBase64 } from "./encoding.js";
import type { AuthorizationKey } from "./open-authorization-key.js";
import { signDocument } from "./sign-document.js";
import type { KmsPayload, SubmitKmsPayload } from "./wire.js";

/**
 * Signs one entry of `kms_payloads` in the form its provider takes, ready for submit (interface 2.10).
 * Throws a `TypeError` for a provider whose keys are not at the service: those sign the transaction itself.
 */
export function signPayload(
  payload: KmsPayload,
  key: AuthorizationKey,
  timestampMs: number = Date.now(),
): SubmitKmsPayload {
  const form = findForm(payload.provider);
  if (form !== undefined) return form.sign(payload.payload, key, timestampMs);
  throw new TypeError(`payloads of the provider ${payload.provider} are not signed with an authorization key`);
}

/**
 * Signs the change of a session's encryption key (gap 20): goes out as `signature` of a refresh that names another
 * public key than the one given at verify. Base64 of DER, by the authorization key while it is still live.
 */
export function signKeyChange(encryptionPublicKey: string, refreshToken: string, key: AuthorizationKey): string {
  const document = { encryption_public_key: encryptionPublicKey, refresh_token: refreshToken };
  return encodeBase64(signDocument(document, key));
}
