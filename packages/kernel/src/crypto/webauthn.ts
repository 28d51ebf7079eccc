/** What a passkey's answers say (WebAuthn level 3, ES256 alone): read strictly, since everything in them came from outside. */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { longestSignatureBytes, type P256PublicKey, parseP256Point, verifyP256Sha256Der } from "./p256.js";

/** Where a passkey may be used. */
export interface RelyingParty {
  /** A domain, to which the passkey belongs for ever. */
  readonly id: string;
  /** Whether a page of this origin may ask for it, as browsers write origins. */
  readonly allows: (origin: string) => boolean;
}

/** An answer of `navigator.credentials.get`. */
export interface Assertion {
  readonly authenticatorData: Uint8Array;
  /** JSON, as the browser wrote it. */
  readonly clientDataJson: Uint8Array;
  /** DER. */
  readonly signature: Uint8Array;
}

/** Why an answer proves nothing. */
export type WebAuthnFault =
  | "malformed"
  /** Another kind of answer: one that registers where one that signs is needed, or the other way round. */
  | "type"
  /** It is about something else. */
  | "challenge"
  /** A page of another origin asked. */
  | "origin"
  /** A page inside a frame of a foreign page asked. */
  | "cross_origin"
  /** Made for another domain. */
  | "rp_id"
  | "user_not_present"
  /** Neither a finger, a face nor a PIN was asked for. */
  | "user_not_verified"
  | "signature"
  /** The authenticator counts, and did not count on: the answer is an old one, or a copy of the authenticator made it. */
  | "counter"
  /** The key is none of ES256. */
  | "algorithm";

const fault = <F extends WebAuthnFault>(name: F) => ({ ok: false, fault: name }) as const;

const flag = { present: 0x01, verified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40, extended: 0x80 };
const headBytes = 37;
const longestAuthenticatorData = 2_048;
const longestClientData = 2_048;

/** What every answer is held against. */
interface Expected {
  /** The challenge as bytes. */
  readonly challenge: Uint8Array;
  readonly relyingParty: RelyingParty;
}

/**
 * Whether an assertion is the signature of `key` over `challenge`, by a person who was asked, on a page that may. `counter` is the
 * last count that was reported; 0 and 0 is a passkey that is synchronised and never counts; undefined: somebody else judges it. Never throws for what a client sent.
 */
export function verifyAssertion(
  assertion: Assertion,
  expected: Expected & { readonly key: P256PublicKey; readonly counter: number | undefined },
): { readonly ok: true; readonly counter: number; readonly isBackedUp: boolean } | { ok: false; fault: WebAuthnFault } {
  const { authenticatorData, clientDataJson, signature } = assertion;
  if (signature.length > longestSignatureBytes) return fault("malformed");
  const wrong = checkClientData(clientDataJson, "webauthn.get", expected);
  if (wrong !== undefined) return fault(wrong);
  const head = readHead(authenticatorData, expected.relyingParty);
  if (typeof head === "string") return fault(head);
  if (head.has(flag.attested)) return fault("malformed");
  // Nothing follows the head unless a flag says so.
  if (!head.has(flag.extended) && authenticatorData.length !== headBytes) return fault("malformed");
  const signed = Buffer.concat([authenticatorData, createHash("sha256").update(clientDataJson).digest()]);
  if (!verifyP256Sha256Der(expected.key, signed, signature)) return fault("signature");
  // Judged behind the signature, as a count means nothing before.
  const { counter: last } = expected;
  if (last !== undefined && (head.counter !== 0 || last !== 0) && head.counter <= last) return fault("counter");
  return { ok: true, counter: head.counter, isBackedUp: head.has(flag.backedUp) };
}

/** A passkey as its registration describes it. */
export interface NewPasskey {
  readonly credentialId: Uint8Array;
  readonly publicKey: P256PublicKey;
  /** The model of the authenticator: a UUID, all zeros where it is not said. Nothing proves it. */
  readonly aaguid: string;
  readonly counter: number;
  /** Whether it can be on several devices. */
  readonly isSynced: boolean;
}

/**
 * Reads an answer of `navigator.credentials.create`. No attestation is read: it says nothing of the device. Never throws for what a
 * client sent.
 */
export function readRegistration(
  answer: Pick<Assertion, "authenticatorData" | "clientDataJson">,
  expected: Expected,
): { readonly ok: true; readonly passkey: NewPasskey } | { readonly ok: false; readonly fault: WebAuthnFault } {
  const { authenticatorData, clientDataJson } = answer;
  const wrong = checkClientData(clientDataJson, "webauthn.create", expected);
  if (wrong !== undefined) return fault(wrong);
  const head = readHead(authenticatorData, expected.relyingParty);
  if (typeof head === "string") return fault(head);
  if (!head.has(flag.attested)) return fault("malformed");
  const bytes = Buffer.from(authenticatorData);
  const idFrom = headBytes + 18;
  if (bytes.length < idFrom) return fault("malformed");
  const idLength = bytes.readUInt16BE(headBytes + 16);
  const keyFrom = idFrom + idLength;
  if (idLength < 1 || idLength > longestCredentialId) return fault("malformed");
  const publicKey = readCoseKey(bytes.subarray(keyFrom, keyFrom + coseKeyBytes));
  if (publicKey === undefined) return fault("algorithm");
  if (!head.has(flag.extended) && bytes.length !== keyFrom + coseKeyBytes) return fault("malformed");
  const aaguid = bytes.toString("hex", headBytes, headBytes + 16);
  const passkey = {
    credentialId: Uint8Array.from(bytes.subarray(idFrom, keyFrom)),
    publicKey,
    aaguid: aaguid.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
    counter: head.counter,
    isSynced: head.has(flag.backupEligible),
  };
  return { ok: true, passkey };
}

/** What the standard allows. */
export const longestCredentialId = 1_023;

/** What the browser says of the page and of the question. */
function checkClientData(
  bytes: Uint8Array,
  type: "webauthn.get" | "webauthn.create",
  { challenge, relyingParty }: Expected,
): WebAuthnFault | undefined {
  const data = parseClientData(bytes);
  if (data === undefined) return "malformed";
  if (data.type !== type) return "type";
  if (data.challenge !== Buffer.from(challenge).toString("base64url")) return "challenge";
  if (typeof data.origin !== "string" || !relyingParty.allows(data.origin)) return "origin";
  // Some browsers do not say of which page.
  if (data.topOrigin !== undefined) return "cross_origin";
  return data.crossOrigin === undefined || data.crossOrigin === false ? undefined : "cross_origin";
}

/** The challenge that an answer is about; undefined where it cannot be read. Nothing is verified. */
export function challengeOf(clientDataJson: Uint8Array): string | undefined {
  const challenge = parseClientData(clientDataJson)?.challenge;
  return typeof challenge === "string" ? challenge : undefined;
}

/** The origin of the page that asked, as the browser wrote it. Nothing is verified. */
export function originOf(clientDataJson: Uint8Array): string | undefined {
  const origin = parseClientData(clientDataJson)?.origin;
  return typeof origin === "string" ? origin : undefined;
}

function parseClientData(bytes: Uint8Array): Record<string, unknown> | undefined {
  if (bytes.length > longestClientData) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    // Text that is no JSON is one of the answers of a parser of untrusted input.
    return undefined;
  }
}

interface Head {
  readonly has: (bit: number) => boolean;
  readonly counter: number;
}

/** The first 37 bytes: hash of the domain, flags, count. */
function readHead(bytes: Uint8Array, { id }: RelyingParty): Head | WebAuthnFault {
  if (bytes.length < headBytes || bytes.length > longestAuthenticatorData) return "malformed";
  if (Buffer.compare(bytes.subarray(0, 32), createHash("sha256").update(id).digest()) !== 0) return "rp_id";
  const flags = bytes[32] ?? 0;
  const has = (bit: number) => (flags & bit) !== 0;
  if (!has(flag.present)) return "user_not_present";
  if (!has(flag.verified)) return "user_not_verified";
  if (has(flag.backedUp) && !has(flag.backupEligible)) return "malformed";
  return { has, counter: Buffer.from(bytes.subarray(33, headBytes)).readUInt32BE() };
}

/** CTAP2 has one spelling for an ES256 key: a map of kty EC2, alg ES256, crv P-256, x, y. */
const coseHead = Buffer.from("a5010203262001215820", "hex");
const coseMiddle = Buffer.from("225820", "hex");
const coseKeyBytes = coseHead.length + 32 + coseMiddle.length + 32;

function readCoseKey(bytes: Uint8Array): P256PublicKey | undefined {
  const key = Buffer.from(bytes);
  const yFrom = coseHead.length + 32;
  if (key.length !== coseKeyBytes || !key.subarray(0, coseHead.length).equals(coseHead)) return undefined;
  if (!key.subarray(yFrom, yFrom + coseMiddle.length).equals(coseMiddle)) return undefined;
  const x = key.subarray(coseHead.length, yFrom);
  return parseP256Point(Buffer.concat([Buffer.of(4), x, key.subarray(yFrom + coseMiddle.length)]));
}
