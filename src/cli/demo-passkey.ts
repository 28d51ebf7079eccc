import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** What is asked of it; the types of browsers are not known to a command line. */
interface Asked<Named> {
  readonly publicKey?: (Named & { readonly challenge: ArrayBuffer | ArrayBufferView }) | undefined;
}
type Creation = Asked<{ readonly rp: { readonly id?: string | undefined } }>;
type Assertion = Asked<{ readonly rpId?: string | undefined }>;

/** The page that it pretends to stand in: the sandbox accepts any of this machine. */
const origin = "http://localhost:3000";

/** What an authenticator says that a person was there, was verified, and that a key follows. */
const flags = { present: 0x01, verified: 0x04, attested: 0x40 } as const;

/**
 * One passkey in software, for stories without a browser: it answers like `navigator.credentials`, and asks nobody for a finger. Its key
 * is gone with this process.
 */
export function createDemoPasskey() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const id = randomBytes(32);
  const spki = publicKey.export({ format: "der", type: "spki" });
  return {
    create: async ({ publicKey: asked }: Creation = {}) => {
      if (asked === undefined) return null;
      const authenticatorData = Buffer.concat([
        head(asked.rp.id ?? "", flags.present | flags.verified | flags.attested),
        attested(id, spki.subarray(-65)),
      ]);
      return answer(id, {
        clientDataJSON: buffer(clientData("webauthn.create", asked.challenge)),
        getAuthenticatorData: () => buffer(authenticatorData),
        getPublicKey: () => buffer(spki),
      });
    },
    get: async ({ publicKey: asked }: Assertion = {}) => {
      if (asked === undefined) return null;
      const authenticatorData = head(asked.rpId ?? "", flags.present | flags.verified);
      const client = clientData("webauthn.get", asked.challenge);
      return answer(id, {
        clientDataJSON: buffer(client),
        authenticatorData: buffer(authenticatorData),
        signature: buffer(signBoth(privateKey, authenticatorData, client)),
      });
    },
  };
}

/** A `Credential`, whose type is not known here either. */
const answer = (id: Uint8Array, response: object) => ({ rawId: buffer(id), response }) as unknown as null;

const buffer = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;

function clientData(type: string, challenge: ArrayBuffer | ArrayBufferView): Buffer {
  const bytes = challenge instanceof ArrayBuffer ? Buffer.from(challenge) : Buffer.from(challenge.buffer);
  return Buffer.from(JSON.stringify({ type, challenge: bytes.toString("base64url"), origin, crossOrigin: false }));
}

/** The domain's hash, the flags, and a counter that stays 0, as that of a synchronised passkey does. */
const head = (domain: string, bits: number): Buffer =>
  Buffer.concat([createHash("sha256").update(domain).digest(), Buffer.of(bits, 0, 0, 0, 0)]);

/** No maker's id, the passkey's id, and its key as COSE writes a P-256 point. */
const attested = (id: Uint8Array, point: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.alloc(16),
    Buffer.of(0, id.length),
    id,
    Buffer.from("a5010203262001215820", "hex"),
    point.subarray(1, 33),
    Buffer.from("225820", "hex"),
    point.subarray(33),
  ]);

const signBoth = (key: KeyObject, authenticatorData: Uint8Array, client: Uint8Array): Buffer =>
  sign("sha256", Buffer.concat([authenticatorData, createHash("sha256").update(client).digest()]), key);
