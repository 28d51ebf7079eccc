import { texts } from "../texts.js";
import { ApiError, call } from "./api.js";

/** Whether this browser has passkeys at this address: they belong to a name, and to pages that reach it encrypted. */
export const hasPasskeys = (): boolean =>
  window.isSecureContext && "PublicKeyCredential" in window && !/^[\d.]+$|:/.test(location.hostname);

/** Whether the browser offers passkeys in a field, beside what it fills in there. */
export const offersPasskeys = async (): Promise<boolean> =>
  hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;

interface CreationOptions {
  readonly rp: PublicKeyCredentialRpEntity;
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly challenge: string;
  readonly pubKeyCredParams: PublicKeyCredentialParameters[];
  readonly timeout: number;
  readonly excludeCredentials: readonly { readonly type: "public-key"; readonly id: string }[];
  readonly authenticatorSelection: AuthenticatorSelectionCriteria;
  readonly attestation: AttestationConveyancePreference;
}

/** Has the browser make a passkey, and adds it to the member who is signed in. Throws `ApiError`. */
export async function addPasskey(name: string): Promise<void> {
  const { data } = await call<{ readonly public_key: CreationOptions }>({
    method: "POST",
    path: "/console/passkeys:options",
  });
  const asked = data.public_key;
  const publicKey = {
    ...asked,
    challenge: bytesOf(asked.challenge),
    user: { ...asked.user, id: bytesOf(asked.user.id) },
    excludeCredentials: asked.excludeCredentials.map(({ type, id }) => ({ type, id: bytesOf(id) })),
  };
  const made = await ask(() => navigator.credentials.create({ publicKey }));
  const { clientDataJSON, getAuthenticatorData } = made.response as AuthenticatorAttestationResponse;
  const response = {
    clientDataJSON: textOf(clientDataJSON),
    authenticatorData: textOf(getAuthenticatorData.call(made.response)),
  };
  await call({ method: "POST", path: "/console/passkeys", body: { name, credential: { id: made.id, response } } });
}

/**
 * Signs in with a passkey that the browser finds. With a `signal`, the browser offers passkeys in a field until one is chosen, or the
 * signal aborts that. Answers what signing in answers. Throws `ApiError`.
 */
export async function signInWithPasskey<T>(signal?: AbortSignal): Promise<T> {
  const { data } = await call<{ readonly challenge: string; readonly rp_id: string }>({
    method: "POST",
    path: "/console/passkey:options",
    ...(signal === undefined ? {} : { signal }),
  });
  const found = await ask(() =>
    navigator.credentials.get({
      publicKey: { challenge: bytesOf(data.challenge), rpId: data.rp_id, userVerification: "required" },
      ...(signal === undefined ? {} : { mediation: "conditional", signal }),
    }),
  );
  const { clientDataJSON, authenticatorData, signature, userHandle } = found.response as AuthenticatorAssertionResponse;
  const response = {
    clientDataJSON: textOf(clientDataJSON),
    authenticatorData: textOf(authenticatorData),
    signature: textOf(signature),
    userHandle: userHandle === null ? null : textOf(userHandle),
  };
  const body = { credential: { id: found.id, response } };
  return (await call<T>({ method: "POST", path: "/console/passkey", body })).data;
}

/** What the browser answers; where its reader has cancelled, or has none, in words of this page. */
async function ask(request: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const answered = await request();
    if (answered instanceof PublicKeyCredential) return answered;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    if (error.name === "AbortError") throw error;
    if (error.name === "InvalidStateError") throw new ApiError(0, "passkey_exists", texts.passkeys.isThere);
  }
  throw new ApiError(0, "no_passkey", texts.passkeys.none);
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

const textOf = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
