/** Asking the browser's passkeys, and what of their answers the service needs. */
import { type Approval, type Ceremony, fromBase64, toBase64Url } from "./ceremony.js";

/** As clients of this interface send it: each base64url. */
export interface AuthenticatorResponse {
  readonly response: {
    readonly authenticatorData: string;
    readonly clientDataJSON: string;
    readonly signature: string;
    /** SPKI, where the passkey has just been made. */
    readonly publicKey?: string;
  };
}

/** A passkey that was made here, which has signed nothing so far. */
export interface MadePasskey {
  readonly id: ArrayBuffer;
  readonly publicKey: string;
}

const timeout = 60_000;
/** ECDSA over P-256, which is all that the signature program checks. */
const es256 = -7;

/**
 * Has the browser make a passkey for the page's host. It has to be one that browsers find without a list: later the page asks for any passkey
 * of the host. Rejects with what the browser rejects with.
 */
export async function makePasskey(ceremony: Ceremony): Promise<MadePasskey> {
  const { app_name, tenant_name, user_id } = ceremony;
  const credential = (await navigator.credentials.create({
    publicKey: {
      challenge: fromBase64(ceremony.challenge),
      rp: { name: tenant_name },
      user: { id: idBytes(user_id), name: `${app_name}#${user_id}`, displayName: app_name },
      pubKeyCredParams: [{ type: "public-key", alg: es256 }],
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
      timeout,
    },
  })) as PublicKeyCredential | null;
  const publicKey = (credential?.response as AuthenticatorAttestationResponse | undefined)?.getPublicKey();
  if (!credential || !publicKey) throw new TypeError("the browser made no passkey of this kind");
  return { id: credential.rawId, publicKey: toBase64Url(publicKey) };
}

/** Has a passkey sign the ceremony's challenge: the one that was just made, else any of the host's. Rejects with what the browser rejects with. */
export async function askPasskey(ceremony: Ceremony | Approval, made?: MadePasskey): Promise<AuthenticatorResponse> {
  const credential = (await navigator.credentials.get({
    publicKey: {
      challenge: fromBase64(ceremony.challenge),
      allowCredentials: made === undefined ? [] : [{ type: "public-key", id: made.id }],
      userVerification: "required",
      timeout,
    },
  })) as PublicKeyCredential | null;
  if (credential === null) throw new TypeError("the browser answered no passkey");
  const { authenticatorData, clientDataJSON, signature } = credential.response as AuthenticatorAssertionResponse;
  return {
    response: {
      authenticatorData: toBase64Url(authenticatorData),
      clientDataJSON: toBase64Url(clientDataJSON),
      signature: toBase64Url(signature),
      ...(made === undefined ? {} : { publicKey: made.publicKey }),
    },
  };
}

/** The 16 bytes of a UUID. */
function idBytes(uuid: string): Uint8Array<ArrayBuffer> {
  const pairs = uuid.replaceAll("-", "").match(/../g) ?? [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}
