import { Buffer } from "node:buffer";
import { ECDH } from "node:crypto";
import { parseClientEncryptionKey, parseP256Point, verifyP256Sha256Raw } from "@trellis/kernel/crypto/p256.js";
import { challengeOf, originOf } from "@trellis/kernel/crypto/webauthn.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { type ReadPasskeyAssertion, readPasskeyAssertion, recoverPasskeyKeys } from "@trellis/program-client";
import Type, { type Static } from "typebox";
import type { Ceremony } from "./ceremony-store.js";

const bytes = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description });

/** What a browser returned, as clients send it on. */
export const AuthenticatorResponse = Type.Object(
  {
    response: Type.Object({
      authenticatorData: bytes(2_732, "Base64url."),
      clientDataJSON: bytes(2_732, "Base64url."),
      signature: bytes(100, "Base64url: DER."),
      publicKey: Type.Optional(bytes(128, "Base64url: SPKI, as `getPublicKey()` says it.")),
    }),
  },
  { $id: "PasskeyAuthenticatorResponse" },
);

type Response = Static<typeof AuthenticatorResponse>["response"];

/** How callers name a challenge. */
export const Challenge = Type.String({ maxLength: 64, description: "32 bytes in base64, of either alphabet." });

/** A challenge as callers name it, in base64url. Throws `invalid_request` for what is none. */
export function parseChallenge(text: string): string {
  const challenge = fromBase64(text);
  if (challenge.length !== 32) {
    throw new TrellisError("invalid_request", { field: "challenge", message: "A challenge has 32 bytes in base64." });
  }
  return Buffer.from(challenge).toString("base64url");
}

/** The challenge that an answer is about, base64url. Throws `invalid_passkey_assertion` where it names none. */
export function challengeIn({ clientDataJSON }: Pick<Response, "clientDataJSON">): string {
  const challenge = challengeOf(fromBase64(clientDataJSON));
  if (challenge === undefined) throw refusedAnswer("client_data");
  return challenge;
}

/** What an answer is held against. */
type AskedCeremony = Pick<Ceremony, "challenge" | "relying_party_id" | "origin"> & {
  readonly kind: Ceremony["kind"] | "approve";
};

/** An answer that was signed for a ceremony. */
export interface SignedAnswer {
  readonly assertion: ReadPasskeyAssertion;
  /** Compressed: the passkey's own, or the two that the signature can be of. */
  readonly keys: readonly Uint8Array[];
}

/**
 * Holds an answer against its ceremony: the very page asked, in no frame, its owner was verified, and the signature is of the key that
 * is named, or of one of those that it can be of. Throws `invalid_passkey_assertion`, whose `reason` says what is wrong.
 */
export function readAnswer(ceremony: AskedCeremony, response: Response): SignedAnswer {
  const clientDataJson = fromBase64(response.clientDataJSON);
  const read = readPasskeyAssertion(
    {
      authenticatorData: fromBase64(response.authenticatorData),
      clientDataJson,
      signature: fromBase64(response.signature),
    },
    {
      relyingPartyId: ceremony.relying_party_id,
      challenge: Buffer.from(ceremony.challenge, "base64url"),
      ceremonies: ceremony.kind === "create" ? ["create", "get"] : ["get"],
    },
  );
  if (!read.ok) throw refusedAnswer(read.fault);
  if (originOf(clientDataJson) !== ceremony.origin) throw refusedAnswer("origin");
  if (!read.isUserVerified) throw refusedAnswer("user_not_verified");
  const { publicKey } = response;
  if (ceremony.kind === "create" && publicKey === undefined) throw refusedAnswer("public_key");
  const keys = publicKey === undefined ? recoverPasskeyKeys(read.message, read.signature) : [compressedKey(publicKey)];
  const signers = keys.filter((key) => {
    const parsed = parseP256Point(key);
    return parsed !== undefined && verifyP256Sha256Raw(parsed, read.message, read.signature);
  });
  if (signers.length === 0) throw refusedAnswer("signature");
  return { assertion: read, keys: signers };
}

function compressedKey(spki: string): Uint8Array {
  const parsed = parseClientEncryptionKey(Buffer.from(fromBase64(spki)).toString("base64"));
  if (!parsed.ok) throw refusedAnswer("public_key");
  return Uint8Array.from(
    ECDH.convertKey(parsed.publicKey.point, "prime256v1", undefined, undefined, "compressed") as Buffer,
  );
}

/** Of either alphabet. */
const fromBase64 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "base64url"));

/** An answer that is refused, with the reason for a program. */
export const refusedAnswer = (reason: string): TrellisError =>
  new TrellisError("invalid_passkey_assertion", {
    field: "authenticatorResponse",
    message: `This is not a passkey's answer to the challenge: ${reason.replaceAll("_", " ")}.`,
    facts: { reason },
  });
