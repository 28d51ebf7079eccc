import { Buffer } from "node:buffer";
import { type P256PublicKey, parseP256Point } from "@trellis/kernel/crypto/p256.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { StampEntry } from "../custody/match-stamps.js";
import { legacyForm } from "./legacy-custodian.js";

/** A signed payload, as confirm takes it. */
export interface SignedMpcPayload {
  readonly entry: StampEntry;
  /** The key it says it was signed with, where it says so. */
  readonly publicKey: P256PublicKey | undefined;
}

const field = "mpc_payload";
/** No signed payload is longer than this in any of its forms. */
const charactersMax = 4_096;
const hex = /^([0-9a-fA-F]{2})+$/;

/**
 * Reads `mpc_payload` (interface 4.16, gap 79): the JSON of one signed payload, or base64 of it. It names the provider, as
 * `{provider, signature}` or in the form of submit, or the key, as `{public_key, signature}`; signatures are DER, in base64
 * or in hex. Undefined for the empty text: nothing is signed but the transaction. Throws `invalid_request`, and
 * `provider_not_available` for another provider than the one of v0.
 */
export function readMpcPayload(text: string): SignedMpcPayload | undefined {
  if (text === "") return undefined;
  const signed = text.length > charactersMax ? undefined : parseObject(text);
  if (signed === undefined) throw malformed("mpc_payload must be the JSON of one signed payload, or base64 of it.");
  const { provider = legacyForm.name, public_key: publicKey, kms_signed_payload: inner } = signed;
  if (provider !== legacyForm.name) {
    throw new TrellisError("provider_not_available", {
      field,
      message: `By v0 a payment is signed by ${legacyForm.name}.`,
    });
  }
  const signature = signed.signature ?? (isObject(inner) ? inner.signature : undefined);
  if (typeof signature !== "string" || signature === "") throw malformed("mpc_payload has no signature.");
  const key =
    typeof publicKey === "string" && hex.test(publicKey) ? parseP256Point(Buffer.from(publicKey, "hex")) : undefined;
  if (publicKey !== undefined && key === undefined) {
    throw malformed("public_key must be a P-256 public key in hex.");
  }
  // Base64 of DER begins with M, and hex of it with 3.
  const base64 = hex.test(signature) ? Buffer.from(signature, "hex").toString("base64") : signature;
  return {
    entry: { provider: legacyForm.name, stamp: { form: legacyForm.name, signature: base64 }, field },
    publicKey: key,
  };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  const json = text.trimStart().startsWith("{") ? text : Buffer.from(text, "base64").toString("utf8");
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function malformed(message: string): TrellisError {
  return new TrellisError("invalid_request", { field, message });
}
