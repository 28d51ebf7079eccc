/** A passkey's authenticator in software: what devices answer, byte for byte, and what attackers would like them to. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** What an answer is about, and how it may differ from an honest one. */
export interface Asked {
  readonly challenge: Uint8Array;
  readonly rpId: string;
  readonly origin: string;
  /** Members of clientDataJSON beside the usual ones. */
  readonly clientData?: object;
  /** Flags; by default: present, verified. */
  readonly flags?: number;
  /** What the authenticator counts; it begins at 0 and stays there where it is synchronised. */
  readonly counter?: number;
}

/** One passkey. */
export interface SoftPasskey {
  readonly credentialId: Uint8Array;
  /** 65-byte point. */
  readonly point: Uint8Array;
  /** As `navigator.credentials.create` answers, its bytes in base64url. */
  register(asked: Asked): { id: string; clientDataJSON: string; authenticatorData: string; attestationObject: string };
  /** As `navigator.credentials.get` answers. */
  assert(asked: Asked): { authenticatorData: Uint8Array; clientDataJson: Uint8Array; signature: Uint8Array };
}

const present = 0x01;
const verified = 0x04;
const attested = 0x40;

/** Makes a passkey of ES256. */
export function createSoftPasskey(): SoftPasskey {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const credentialId = randomBytes(32);
  const spki = publicKey.export({ format: "der", type: "spki" });
  const point = spki.subarray(spki.length - 65);
  return {
    credentialId,
    point,
    register: (asked) => {
      const flags = asked.flags ?? present | verified | attested;
      const authenticatorData = Buffer.concat([head(asked, flags), attestedData(credentialId, point)]);
      return {
        id: credentialId.toString("base64url"),
        clientDataJSON: clientDataOf("webauthn.create", asked).toString("base64url"),
        authenticatorData: authenticatorData.toString("base64url"),
        attestationObject: attestationOf(authenticatorData).toString("base64url"),
      };
    },
    assert: (asked) => assertWith(privateKey, asked),
  };
}

function assertWith(privateKey: KeyObject, asked: Asked) {
  const authenticatorData = head(asked, asked.flags ?? present | verified);
  const clientDataJson = clientDataOf("webauthn.get", asked);
  const signed = Buffer.concat([authenticatorData, createHash("sha256").update(clientDataJson).digest()]);
  return { authenticatorData, clientDataJson, signature: sign("sha256", signed, privateKey) };
}

function head({ rpId, counter = 0 }: Asked, flags: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([createHash("sha256").update(rpId).digest(), Buffer.of(flags), count]);
}

function attestedData(credentialId: Buffer, point: Uint8Array): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(credentialId.length);
  const key = [Buffer.from("a5010203262001215820", "hex"), point.subarray(1, 33), Buffer.from("225820", "hex")];
  return Buffer.concat([Buffer.alloc(16), length, credentialId, ...key, point.subarray(33)]);
}

/** CBOR of {"fmt": "none", "attStmt": {}, "authData": …}. */
function attestationOf(authenticatorData: Buffer): Buffer {
  const start = Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746158", "hex");
  return Buffer.concat([start, Buffer.of(authenticatorData.length), authenticatorData]);
}

function clientDataOf(type: string, { challenge, origin, clientData }: Asked): Buffer {
  const text = Buffer.from(challenge).toString("base64url");
  return Buffer.from(JSON.stringify({ type, challenge: text, origin, crossOrigin: false, ...clientData }));
}

/** What a browser with this one passkey offers to a page of an origin. */
export function browserWith(passkey: SoftPasskey, origin = "http://localhost:3000") {
  const buffer = (bytes: Uint8Array | string) =>
    Uint8Array.from(typeof bytes === "string" ? Buffer.from(bytes, "base64url") : bytes).buffer;
  const rawId = buffer(passkey.credentialId);
  const host = new URL(origin).hostname;
  const challengeIn = ({ challenge }: { readonly challenge: BufferSource }) => new Uint8Array(challenge as ArrayBuffer);
  return {
    create: async ({ publicKey }: CredentialCreationOptions = {}) => {
      if (publicKey === undefined) return null;
      const { rp } = publicKey;
      const made = passkey.register({ challenge: challengeIn(publicKey), rpId: rp.id ?? host, origin });
      const prefix = Buffer.from("3059301306072a8648ce3d020106082a8648ce3d030107034200", "hex");
      return {
        rawId,
        response: {
          clientDataJSON: buffer(made.clientDataJSON),
          getAuthenticatorData: () => buffer(made.authenticatorData),
          getPublicKey: () => buffer(Buffer.concat([prefix, passkey.point])),
        },
      } as unknown as Credential;
    },
    get: async ({ publicKey }: CredentialRequestOptions = {}) => {
      if (publicKey === undefined) return null;
      const made = passkey.assert({ challenge: challengeIn(publicKey), rpId: publicKey.rpId ?? host, origin });
      return {
        rawId,
        response: {
          authenticatorData: buffer(made.authenticatorData),
          clientDataJSON: buffer(made.clientDataJson),
          signature: buffer(made.signature),
        },
      } as unknown as Credential;
    },
  };
}
