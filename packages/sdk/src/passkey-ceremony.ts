import { sha256 } from "@noble/hashes/sha2.js";
import { base58 } from "@scure/base";
import { concatBytes, encodeUtf8 } from "./encoding.js";

/** What of a ceremony the passkey signs for. */
export type SignedCeremony = {
  readonly ceremony_type: "create" | "auth";
  /** The key that the session is opened for, or that loses it. */
  readonly session_key: string;
  /** Seconds from when it lands; of `auth` this is signed. */
  readonly session_seconds: number;
  /** ISO 8601; of `create` this is signed. */
  readonly session_expires_at: string | null;
  /** Base58, 32 bytes. */
  readonly slot_hash: string;
  /** Pays, and signs the transaction. */
  readonly payer: string;
};

const kinds = { create: "initialize_passkey", auth: "refresh_session_key" } as const;

/**
 * Computes the 32 bytes that a passkey signs to open, replace or end a session of its signer. Whatever slot hash the service says: the same
 * bytes never stand for another key or another end. Throws a `RangeError` where one of its parts is no such thing.
 */
export function challengeOfCeremony(ceremony: SignedCeremony): Uint8Array {
  const expiration = new Uint8Array(8);
  new DataView(expiration.buffer).setBigUint64(0, signedExpiration(ceremony), true);
  return sha256(
    concatBytes(
      bytesOf(ceremony.slot_hash),
      bytesOf(ceremony.payer),
      encodeUtf8(kinds[ceremony.ceremony_type]),
      bytesOf(ceremony.session_key),
      expiration,
    ),
  );
}

/** Unix seconds of a creation, else seconds. */
function signedExpiration({ ceremony_type, session_seconds, session_expires_at }: SignedCeremony): bigint {
  const seconds = ceremony_type === "create" ? Date.parse(session_expires_at ?? "") / 1_000 : session_seconds;
  if (!Number.isSafeInteger(seconds) || seconds < 0) throw new RangeError("the session has no end in whole seconds");
  return BigInt(seconds);
}

function bytesOf(text: string): Uint8Array {
  const bytes = base58.decode(text);
  if (bytes.length !== 32) throw new RangeError(`not 32 bytes in base58: ${text}`);
  return bytes;
}
