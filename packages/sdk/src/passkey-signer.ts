import { sha256 } from "@noble/hashes/sha2.js";
import { base64urlnopad } from "@scure/base";
import canonicalize from "canonicalize";
import { approveByRedirect } from "./approval-redirect.js";
import { encodeUtf8 } from "./encoding.js";
import type { GuardianPage } from "./guardian-page.js";
import { approveInWindow, windowBlocked, windowFor } from "./guardian-window.js";
import { decodePayload } from "./sign-document.js";
import type { KmsPayload, Passkey, PasskeySignedPayload, SubmitKmsPayload } from "./wire.js";

/** The part of `navigator.credentials` that is used here. */
export type CredentialsApi = Pick<CredentialsContainer, "create" | "get">;

/** Passkeys of the user's, each of which signs for one wallet: the browser asks for a finger, a face or a PIN at every payload. */
export type PasskeySigner = {
  /** As `passkeys.list` answers them, or one that was just added. */
  readonly passkeys: readonly Pick<Passkey, "provider" | "signer" | "credential_id" | "rp_id">[];
  /** Default: `navigator.credentials`. */
  readonly credentials?: CredentialsApi;
  /** Transactions of its provider's wallets are approved on the guardian's own page. */
  readonly page?: GuardianPage;
};

/** The passkeys among them that sign for a payload's wallet. */
export function passkeysFor(
  { passkeys }: PasskeySigner,
  { provider, address }: Pick<KmsPayload, "provider" | "address">,
) {
  return passkeys.filter((passkey) => passkey.provider === provider && passkey.signer === address);
}

/**
 * Has one of the wallet's passkeys sign a payload: what it signs is the SHA-256 of the payload's canonical JSON, which is computed
 * here. The payload has to be checked before. Rejects with what the browser rejects with, such as a `NotAllowedError` where the
 * user declines.
 */
export async function signPayloadByPasskey(payload: KmsPayload, signer: PasskeySigner): Promise<SubmitKmsPayload> {
  const own = passkeysFor(signer, payload);
  const rpId = chooseDomain(own.map(({ rp_id }) => rp_id));
  const [first] = own;
  if (rpId === undefined || first === undefined)
    throw new TypeError(`no passkey was given that signs for ${payload.address}`);
  const allowed = own.filter(({ rp_id }) => rp_id === rpId).map(({ credential_id }) => credential_id);
  const document = decodePayload(payload.payload);
  const isTransaction = (document as { readonly method?: unknown } | null)?.method === "signTransaction";
  if (signer.page?.provider === first.provider && isTransaction) {
    const stamp = await approveOnPage(payload.payload, allowed, signer.page);
    return { provider: first.provider, kms_signed_payload: stamp };
  }
  return {
    provider: first.provider,
    kms_signed_payload: await askForPasskey(document, {
      rpId,
      allowed,
      ...(signer.credentials && { credentials: signer.credentials }),
    }),
  };
}

/** In the window that the tap has opened, or without one. */
async function approveOnPage(payload: string, credentialIds: readonly string[], page: GuardianPage) {
  const { origin, redirect, form = "window" } = page;
  const opened = form === "redirect" ? null : windowFor(page);
  if (opened !== null) return approveInWindow(payload, credentialIds, origin, opened);
  if (redirect === undefined) throw windowBlocked();
  return approveByRedirect(payload, credentialIds, origin, redirect);
}

/** Has a passkey of a domain sign the SHA-256 of a document's canonical JSON: one of those allowed, or, where none is named, any. */
export async function askForPasskey(
  document: unknown,
  asked: { readonly rpId: string; readonly allowed: readonly string[]; readonly credentials?: CredentialsApi },
): Promise<PasskeySignedPayload> {
  const text = canonicalize(document);
  if (text === undefined) throw new TypeError("the document has no canonical form");
  const credential = (await credentialsOf(asked).get({
    publicKey: {
      challenge: Uint8Array.from(sha256(encodeUtf8(text))),
      rpId: asked.rpId,
      allowCredentials: asked.allowed.map((id) => ({ type: "public-key", id: fromBase64Url(id) })),
      userVerification: "required",
      timeout: 60_000,
    },
  })) as PublicKeyCredential | null;
  if (credential === null) throw new TypeError("the browser answered no passkey");
  const { authenticatorData, clientDataJSON, signature } = credential.response as AuthenticatorAssertionResponse;
  return {
    credential_id: toBase64Url(credential.rawId),
    authenticator_data: toBase64Url(authenticatorData),
    client_data_json: toBase64Url(clientDataJSON),
    signature: toBase64Url(signature),
  };
}

/** What is there to ask for passkeys. Throws a `TypeError` where nothing is. */
export function credentialsOf({ credentials }: Pick<PasskeySigner, "credentials">): CredentialsApi {
  const found = credentials ?? (globalThis.navigator as Navigator | undefined)?.credentials;
  if (found === undefined) throw new TypeError("this browser has no passkeys, or the page is not served by https");
  return found;
}

/** A passkey belongs to one domain: that of this page, where there is one of it. */
export function chooseDomain(domains: readonly string[]): string | undefined {
  const host = (globalThis.location as Location | undefined)?.hostname;
  const isOfPage = (domain: string) => host === domain || host?.endsWith(`.${domain}`) === true;
  return domains.find(isOfPage) ?? domains[0];
}

/** Base64url without padding, as the interface writes bytes of passkeys. */
export const toBase64Url = (bytes: ArrayBuffer): string => base64urlnopad.encode(new Uint8Array(bytes));
export const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(base64urlnopad.decode(text));
