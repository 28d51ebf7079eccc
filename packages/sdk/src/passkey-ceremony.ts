import { sha256 } from "@noble/hashes/sha2.js";
import { base58 } from "@scure/base";
import { concatBytes, encodeBase64, encodeUtf8 } from "./encoding.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";

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

/** The 32 bytes of an address. Throws a `RangeError` for anything else. */
export function bytesOf(text: string): Uint8Array {
  const bytes = base58.decode(text);
  if (bytes.length !== 32) throw new RangeError(`not 32 bytes in base58: ${text}`);
  return bytes;
}

const thisMachine = ["localhost", "127.0.0.1", "[::1]"];

/**
 * The origin of a page to which a browser is to go: by https, or by http on this machine. Throws `TransactionMismatchError` with `payload` for any
 * other address: a browser would run some of them as a script of the page that goes there.
 */
export function originOfPage(url: string): string {
  const { protocol, hostname, origin } = new URL(url);
  if (protocol === "https:" || (protocol === "http:" && thisMachine.includes(hostname))) return origin;
  throw new TransactionMismatchError("payload", "this is no address of a page", { actual: url });
}

/** What was asked for. */
export type ExpectedCeremony = {
  readonly kind: "create" | "auth";
  /** Where the browser is to go. */
  readonly url: string;
  /** Of the page. */
  readonly origin: string;
  readonly sessionKey: string;
  readonly seconds: number;
  readonly redirectUrl?: string | undefined;
  /** Unix milliseconds, where the environment has the world's clock. */
  readonly nowMs?: number;
};

/** How far the service's clock may be ahead. */
const aheadSeconds = 300;

/**
 * Makes sure that a passkey that signs this challenge lets this key sign for as long as was asked for, that its page is of the origin that was
 * named, and that it goes back to where it was to. Throws `TransactionMismatchError` with `payload`.
 */
export function assertCeremony(
  ceremony: SignedCeremony & { readonly redirect_url: string | null; readonly origin: string },
  expected: ExpectedCeremony,
): void {
  const { url, origin, sessionKey, seconds, redirectUrl, kind, nowMs } = expected;
  assertSame("the page is of another origin: name its own as pageOrigin", origin, originOfPage(url));
  assertSame("the passkey would belong to another page", origin, ceremony.origin);
  assertSame("the passkey is asked for something else", kind, ceremony.ceremony_type);
  assertSame("the session would be of another key", sessionKey, ceremony.session_key);
  assertSame("the session would have another length", seconds, ceremony.session_seconds);
  assertSame(
    "the page would go elsewhere",
    redirectUrl && new URL(redirectUrl).href,
    ceremony.redirect_url ?? undefined,
  );
  const signed = encodeBase64(challengeOfCeremony(ceremony));
  assertSame("the passkey would sign something else", signed, new URL(url).searchParams.get("challenge"));
  if (kind === "auth" || nowMs === undefined) return;
  const latest = Math.ceil(nowMs / 1_000) + seconds + aheadSeconds;
  if (Number(signedExpiration(ceremony)) > latest) {
    const difference = { expected: `at most ${latest}`, actual: ceremony.session_expires_at };
    throw new TransactionMismatchError("payload", "the session would end later", difference);
  }
}

/** Throws `TransactionMismatchError` with `payload` where the two differ. */
export function assertSame(message: string, expected: unknown, actual: unknown): void {
  if (expected !== actual) throw new TransactionMismatchError("payload", message, { expected, actual });
}
