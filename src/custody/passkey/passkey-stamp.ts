import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { canonicalJson } from "@trellis/kernel/crypto/canonical-json.js";
import { parseP256Point } from "@trellis/kernel/crypto/p256.js";
import { type Assertion, challengeOf, type RelyingParty, verifyAssertion } from "@trellis/kernel/crypto/webauthn.js";
import { documented } from "@trellis/kernel/endpoint.js";
import { assertOurs } from "@trellis/kernel/errors.js";
import type { PasskeyStamp } from "@trellis/kernel/ports/custodian.js";
import Type from "typebox";
import { decodeBase64Url } from "../encodings.js";
import { decodePayloadJson } from "../payload.js";

const base64Url = (description: string) =>
  Type.String({ description, ...documented({ pattern: "^[A-Za-z0-9_-]+$", minLength: 1, maxLength: 2_732 }) });

/** `kms_signed_payload` of a passkey, at every custodian: four texts in base64url, without padding. */
export const PasskeySignedPayload = Type.Object(
  {
    credential_id: base64Url("The passkey that signed."),
    authenticator_data: base64Url("As the browser answered it."),
    client_data_json: base64Url(
      "As the browser answered it. Its challenge is the SHA-256 of the payload's canonical JSON.",
    ),
    signature: base64Url("As the browser answered it: DER."),
  },
  { $id: "PasskeySignedPayload", additionalProperties: false },
);

/** The stamp of an entry of `kms_payloads`; undefined where it is none of a passkey. */
export function parsePasskeyStamp(signed: Readonly<Record<string, string>> | undefined): PasskeyStamp | undefined {
  const { credential_id, authenticator_data, client_data_json, signature } = signed ?? {};
  const isWhole = credential_id && authenticator_data && client_data_json && signature;
  return !isWhole
    ? undefined
    : {
        form: "passkey",
        credentialId: credential_id,
        authenticatorData: authenticator_data,
        clientDataJson: client_data_json,
        signature,
      };
}

/** What a passkey signs for a payload: the SHA-256 of its canonical JSON. Undefined for what has none. */
export function challengeFor(payloadBase64: string): Uint8Array | undefined {
  const document = decodePayloadJson(payloadBase64);
  if (document === undefined) return undefined;
  try {
    return createHash("sha256").update(canonicalJson(document), "utf8").digest();
  } catch {
    // JSON that has no canonical form (a lone surrogate) cannot have been signed.
    return undefined;
  }
}

/** Whether an assertion is about a payload. Nothing is verified. */
export function isAbout(stamp: PasskeyStamp, payloadBase64: string): boolean {
  const clientData = decodeBase64Url(stamp.clientDataJson);
  const challenge = challengeFor(payloadBase64);
  return (
    clientData !== undefined &&
    challenge !== undefined &&
    challengeOf(clientData) === Buffer.from(challenge).toString("base64url")
  );
}

/** A passkey as far as an assertion is checked by it. */
export interface KnownPasskey {
  /** 65-byte point. */
  readonly publicKey: Uint8Array;
  readonly relyingParty: RelyingParty;
  /** What it reported last; undefined: not judged here. */
  readonly counter: number | undefined;
}

/** Whether `stamp` is this passkey's signature over a payload. Never throws for what a client sent. */
export function verifyPasskeyStamp(
  payloadBase64: string,
  stamp: PasskeyStamp,
  passkey: KnownPasskey,
): ReturnType<typeof verifyAssertion> {
  const assertion = decodeAssertion(stamp);
  const challenge = challengeFor(payloadBase64);
  if (assertion === undefined || challenge === undefined) return { ok: false, fault: "malformed" };
  const key = parseP256Point(passkey.publicKey);
  assertOurs(key, "a passkey's key is stored as a point of P-256");
  return verifyAssertion(assertion, { challenge, key, relyingParty: passkey.relyingParty, counter: passkey.counter });
}

function decodeAssertion(stamp: PasskeyStamp): Assertion | undefined {
  const authenticatorData = decodeBase64Url(stamp.authenticatorData);
  const clientDataJson = decodeBase64Url(stamp.clientDataJson);
  const signature = decodeBase64Url(stamp.signature);
  return authenticatorData === undefined || clientDataJson === undefined || signature === undefined
    ? undefined
    : { authenticatorData, clientDataJson, signature };
}

/** All of it, in a fixed order: what it is recognised by when it is received again. */
export const passkeyParts = (stamp: PasskeyStamp): readonly string[] => [
  stamp.form,
  stamp.credentialId,
  stamp.authenticatorData,
  stamp.clientDataJson,
  stamp.signature,
];
