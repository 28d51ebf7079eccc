import { askForPasskey, type CredentialsApi, chooseDomain } from "./passkey-signer.js";
import { TrellisApiError } from "./trellis-api-error.js";
import type { PasskeySignedPayload, VerifyAuthRequest, WireEnvironment } from "./wire.js";

/**
 * The assertion that a sign-in needs beside its code, where the service has refused that code alone (gap 164); undefined where it was
 * refused for something else. What is signed names the code and the key of this client, whatever the service answered. Rejects
 * with what the browser rejects with.
 */
export async function signSecondFactor(
  refusal: unknown,
  request: VerifyAuthRequest,
  { environment, credentials }: { readonly environment: WireEnvironment; readonly credentials?: CredentialsApi },
): Promise<PasskeySignedPayload | undefined> {
  if (!(refusal instanceof TrellisApiError) || refusal.code !== "passkey_required") return undefined;
  const { otp_id: named, passkeys } = (refusal.details[0] ?? {}) as Asked;
  const { encryption_public_key, otp_id = named } = request.kms_provider_config;
  const known = Array.isArray(passkeys) ? passkeys.filter(isNamed) : [];
  const rpId = chooseDomain(known.map(({ rp_id }) => rp_id));
  if (request.assertion !== undefined || typeof otp_id !== "string" || rpId === undefined) return undefined;
  const document = {
    version: 1,
    method: "signIn",
    environment: environment === "production" ? "mainnet" : environment,
    params: { encryption_public_key, otp_id },
  };
  const allowed = known.filter(({ rp_id }) => rp_id === rpId).map(({ credential_id }) => credential_id);
  return askForPasskey(document, { rpId, allowed, ...(credentials && { credentials }) });
}

/** As the service answers it, which may be anything. */
type Asked = { readonly otp_id?: unknown; readonly passkeys?: unknown };

const isNamed = (passkey: unknown): passkey is { readonly credential_id: string; readonly rp_id: string } => {
  const { credential_id, rp_id } = (passkey ?? {}) as Record<string, unknown>;
  return typeof credential_id === "string" && typeof rp_id === "string";
};
