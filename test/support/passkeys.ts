import { createHash, type KeyObject } from "node:crypto";
import canonicalize from "canonicalize";
import { addPasskey } from "../../src/passkeys/add-passkey.js";
import { beginPasskey } from "../../src/passkeys/begin-passkey.js";
import { beginPasskeySignIn } from "../../src/sign-in/begin-passkey-sign-in.js";
import { type Asked, createSoftPasskey, type SoftPasskey } from "./authenticator.js";
import { type CallParts, type HeldAccount, stampKmsA, type TestNetwork } from "./test-network.js";

/** A page of the machine itself, which a sandbox allows. */
export const page = { rpId: "localhost", origin: "http://localhost:3000" };

/** What beginning to add one answers. */
export interface Begun {
  readonly ceremony_id: string;
  readonly signer: string;
  readonly public_key: { readonly challenge: string; readonly rp: { readonly id: string } } & Record<string, unknown>;
}

/** A passkey as answers show it. */
export interface WirePasskey {
  readonly id: string;
  readonly signer: string;
  readonly credential_id: string;
  readonly name: string;
  readonly last_used_at?: string;
}

/** Base64 of a document, as payloads are handed out. */
export const toPayload = (document: object): string => Buffer.from(JSON.stringify(document)).toString("base64");

/** The document that adds a passkey, as its holder signs it. */
export const addition = (begun: Begun, passkey: SoftPasskey) => ({
  version: 1,
  method: "addPasskey",
  environment: "sandbox",
  wallet: begun.signer,
  params: {
    credential_id: Buffer.from(passkey.credentialId).toString("base64url"),
    public_key: Buffer.from(passkey.point).toString("hex"),
  },
  nonce: begun.public_key.challenge,
});

/** The one that removes it. `expires_at`: by the environment's clock. */
export const removal = ({ signer }: Pick<Begun, "signer">, { id, credential_id }: WirePasskey, expires_at: string) => ({
  version: 1,
  method: "removePasskey",
  environment: "sandbox",
  wallet: signer,
  params: { credential_id, passkey_id: id },
  expires_at,
});

/** What is sent for it: signed now, and good for ten minutes. */
export function removing(
  test: Pick<TestNetwork, "network">,
  signer: Pick<Begun, "signer">,
  passkey: WirePasskey,
  sign: (document: object) => object,
) {
  const expires_at = new Date(test.network.clock.now() + 600_000).toISOString();
  return { expires_at, authorization: sign(removal(signer, passkey, expires_at)) };
}

/** A signature of a session's key in the form of `kms_a`. */
export const bySessionKey = (key: KeyObject, document: object) => ({
  provider: "kms_a",
  kms_signed_payload: { signature: stampKmsA(toPayload(document), key) },
});
export const bySession = (holder: HeldAccount, document: object) => bySessionKey(holder.authorizationKey, document);

/** A passkey's signature of a payload, as an entry of `kms_payloads`. */
export function byPasskey(passkey: SoftPasskey, payload: string, more: Partial<Asked> = {}, provider = "kms_a") {
  const document = JSON.parse(Buffer.from(payload, "base64").toString("utf8"));
  const challenge = createHash("sha256")
    .update(canonicalize(document) ?? "")
    .digest();
  const assertion = passkey.assert({ ...page, challenge, ...more });
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
  return {
    provider,
    kms_signed_payload: {
      credential_id: text(passkey.credentialId),
      authenticator_data: text(assertion.authenticatorData),
      client_data_json: text(assertion.clientDataJson),
      signature: text(assertion.signature),
    },
  };
}

/** Begins to add a passkey to an e-mail account. */
export const begin = (test: TestNetwork, address: string, parts: CallParts = {}) =>
  test.call<Begun>(beginPasskey, { params: { address }, body: {}, ...parts });

/** Everything that adds a passkey, by the holder's session unless something else authorises it. */
export async function addSoftPasskey(
  test: TestNetwork,
  holder: HeldAccount,
  more: {
    readonly passkey?: SoftPasskey;
    readonly asked?: Partial<Asked>;
    readonly body?: (begun: Begun, passkey: SoftPasskey) => object | Promise<object>;
    readonly parts?: CallParts;
  } = {},
): Promise<{
  readonly passkey: SoftPasskey;
  readonly wire: WirePasskey;
  readonly begun: Begun;
  /** The same request again. */
  readonly request: () => Promise<WirePasskey>;
}> {
  const { address } = holder.verified;
  const begun = await begin(test, address);
  const passkey = more.passkey ?? createSoftPasskey();
  const challenge = Buffer.from(begun.public_key.challenge, "base64url");
  const { clientDataJSON, authenticatorData } = passkey.register({ ...page, challenge, ...more.asked });
  const parts = {
    params: { address },
    body: {
      ceremony_id: begun.ceremony_id,
      name: "Ada's phone",
      credential: { response: { clientDataJSON, authenticatorData } },
      authorization: bySession(holder, addition(begun, passkey)),
      ...(await more.body?.(begun, passkey)),
    },
    ...more.parts,
  };
  const request = () => test.call<WirePasskey>(addPasskey, parts);
  return { passkey, wire: await request(), begun, request };
}

/** Has a passkey require itself beside the code, or lift that; the request, for those who change something about it. */
export async function requirement(
  test: TestNetwork,
  address: string,
  { signer }: Pick<Begun, "signer">,
  passkey: SoftPasskey,
  required: boolean,
) {
  const { nonce } = await test.call<{ nonce: string }>(beginPasskeySignIn);
  const document = {
    version: 1,
    method: "requirePasskey",
    environment: "sandbox",
    wallet: signer,
    params: { required },
    nonce,
  };
  const authorization = byPasskey(passkey, toPayload(document));
  return { document, request: { params: { address }, body: { required, nonce, authorization } } };
}

/** What a passkey signs beside a code. */
export const secondFactor = (encryptionKey: string, otpId: string) => ({
  version: 1,
  method: "signIn",
  environment: "sandbox",
  params: { encryption_public_key: encryptionKey, otp_id: otpId },
});
