/** Reading what a browser returns for a challenge, into what the signature program needs of it. */
import { Buffer } from "node:buffer";
import { sha256 } from "./sha256.js";

/** What a page had the passkey do: be made, or sign. */
export type PasskeyCeremony = "create" | "get";

/** How the text that a passkey signed differs from the plainest one. */
export type ClientDataForm = {
  readonly ceremony: PasskeyCeremony;
  /** A page in a frame asked, of which a page around it is of another origin. */
  readonly isCrossOrigin: boolean;
  /** Without TLS: a page of the own machine. */
  readonly isHttp: boolean;
  /** Chromium has added its remark. */
  readonly hasRemark: boolean;
  /** Null: none in the origin. */
  readonly port: number | null;
};

/** Why an assertion is refused: the signature program would refuse it, or the caller did not expect it. */
export type PasskeyAssertionFault =
  /** The text has more in it, or other things, than the program can put together again. */
  | "client_data"
  /** Another ceremony than those expected. */
  | "ceremony"
  | "challenge"
  | "origin"
  /** A page in a frame of another origin asked, which was not expected. */
  | "cross_origin"
  | "authenticator_data"
  | "relying_party"
  | "user_not_present"
  | "signature";

/** What an assertion has to be. */
export type ExpectedPasskeyAssertion = {
  readonly relyingPartyId: string;
  readonly challenge: Uint8Array;
  /** Without it only `get`. The program takes `create` for initialize alone. */
  readonly ceremonies?: readonly PasskeyCeremony[];
  /**
   * Whether a page of the relying party may ask from within a page of another origin, which can hide what its user approves;
   * without it, it may not. The program takes both.
   */
  readonly allowCrossOrigin?: boolean;
};

/** What a browser returned; bytes, the signature in DER. */
export type PasskeyAssertion = {
  readonly authenticatorData: Uint8Array;
  readonly clientDataJson: Uint8Array;
  readonly signature: Uint8Array;
};

/** The parts of an assertion. */
export type ReadPasskeyAssertion = {
  readonly form: ClientDataForm;
  /** What the passkey signed: the authenticator data and the hash of the client data. */
  readonly message: Uint8Array;
  /** r and s, 64 bytes, s in the lower half. */
  readonly signature: Uint8Array;
  readonly isUserVerified: boolean;
  /** As the passkey reports it; 0 where it counts nothing. */
  readonly counter: number;
};

const clientData =
  /^\{"type":"webauthn\.(create|get)","challenge":"([\w-]{43})","origin":"(https?):\/\/([a-z0-9.-]{1,32})(?::(\d{1,5}))?","crossOrigin":(true|false)(,"other_keys_can_be_added_here":"do not compare clientDataJSON against a template\. See https:\/\/goo\.gl\/yabPex")?\}$/;

const flag = { present: 0x01, verified: 0x04, attested: 0x40, extended: 0x80 };
const headBytes = 37;

/**
 * Reads an assertion over `challenge` by a passkey of `relyingPartyId`, as the signature program will: it puts the client data
 * together again from a few flags, and refuses text that differs by one byte. The signature is not verified. Never throws for
 * what a client sent.
 */
export function readPasskeyAssertion(
  assertion: PasskeyAssertion,
  expected: ExpectedPasskeyAssertion,
): ({ readonly ok: true } & ReadPasskeyAssertion) | { readonly ok: false; readonly fault: PasskeyAssertionFault } {
  const fault = (name: PasskeyAssertionFault) => ({ ok: false, fault: name }) as const;
  const { authenticatorData, clientDataJson } = assertion;
  const found = clientData.exec(Buffer.from(clientDataJson).toString("latin1"));
  if (found === null) return fault("client_data");
  const [, type, challenge, protocol, host, port, crossOrigin, remark] = found;
  const ceremony = type === "create" ? "create" : "get";
  const { ceremonies = ["get"], allowCrossOrigin = false } = expected;
  if (!ceremonies.includes(ceremony)) return fault("ceremony");
  if (challenge !== Buffer.from(expected.challenge).toString("base64url")) return fault("challenge");
  // A port with leading zeros or beyond the last one is none that the program writes.
  if (host !== expected.relyingPartyId || (port !== undefined && !isPort(port))) return fault("origin");
  const isCrossOrigin = crossOrigin === "true";
  if (isCrossOrigin && !allowCrossOrigin) return fault("cross_origin");

  const flags = authenticatorData[headBytes - 5] ?? 0;
  const has = (bit: number): boolean => (flags & bit) !== 0;
  const hasMore = has(flag.attested) || has(flag.extended);
  const isForm = has(flag.attested) === (ceremony === "create") && hasMore === authenticatorData.length > headBytes;
  if (authenticatorData.length < headBytes || !isForm) return fault("authenticator_data");
  const relyingParty = sha256(Buffer.from(expected.relyingPartyId));
  if (!relyingParty.every((byte, i) => authenticatorData[i] === byte)) return fault("relying_party");
  if (!has(flag.present)) return fault("user_not_present");
  const signature = lowSignatureOf(assertion.signature);
  if (signature === undefined) return fault("signature");
  return {
    ok: true,
    form: {
      ceremony,
      isCrossOrigin,
      isHttp: protocol === "http",
      hasRemark: remark !== undefined,
      port: port === undefined ? null : Number(port),
    },
    message: Uint8Array.of(...authenticatorData, ...sha256(clientDataJson)),
    signature,
    isUserVerified: has(flag.verified),
    counter: Buffer.from(authenticatorData).readUInt32BE(headBytes - 4),
  };
}

const isPort = (digits: string): boolean => Number(digits) <= 65_535 && String(Number(digits)) === digits;

/** The order of P-256. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * r and s of an ECDSA signature in DER, 64 bytes, with the s of the lower half: authenticators return either one, and the
 * runtime accepts the lower alone. Undefined where the bytes are no such signature.
 */
export function lowSignatureOf(der: Uint8Array): Uint8Array | undefined {
  const [sequence, length] = der;
  if (sequence !== 0x30 || length !== der.length - 2) return undefined;
  const first = readInteger(der, 2);
  const second = first && readInteger(der, first.end);
  if (first === undefined || second === undefined || second.end !== der.length) return undefined;
  const s = second.value > order / 2n ? order - second.value : second.value;
  return Uint8Array.of(...bigEndian(first.value), ...bigEndian(s));
}

/** A positive integer below the order, in its one DER form. */
function readInteger(der: Uint8Array, at: number): { readonly value: bigint; readonly end: number } | undefined {
  const length = der[at + 1] ?? 0;
  const end = at + 2 + length;
  const bytes = der.subarray(at + 2, end);
  const [first = 0, second = 0] = bytes;
  const isPadded = bytes.length > 1 && first === 0 && second < 0x80;
  if (der[at] !== 0x02 || length === 0 || length > 33 || end > der.length || first >= 0x80 || isPadded)
    return undefined;
  const value = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  return value > 0n && value < order ? { value, end } : undefined;
}

const bigEndian = (value: bigint): Uint8Array => Buffer.from(value.toString(16).padStart(64, "0"), "hex");
