/** Ed25519 (RFC 8032) over raw bytes: 32-byte seeds and public keys, 64-byte signatures. */
import { Buffer } from "node:buffer";
import { createPrivateKey, createPublicKey, KeyObject, randomBytes, sign, verify } from "node:crypto";

/** Node reads and writes keys as JWK some ten times faster than as DER. */
const jwkKind = { kty: "OKP", crv: "Ed25519" } as const;
const seedBytes = 32;
const publicKeyBytes = 32;
const signatureBytes = 64;

/** A key pair in raw form, as custody stores it. */
export type Ed25519KeyPair = {
  /** 32 bytes, secret. */
  readonly seed: Uint8Array;
  /** 32 bytes: the bytes of the Solana address. */
  readonly publicKey: Uint8Array;
};

/** Keeps imported keys, as importing one costs more than using it. */
export type Ed25519KeyCache = {
  /** The private key object of a 32-byte seed. */
  readonly privateKey: (seed: Uint8Array) => KeyObject;
  /** The public key object of 32 raw bytes. */
  readonly publicKey: (publicKey: Uint8Array) => KeyObject;
  /** Forgets every key. */
  readonly clear: () => void;
};

/** Imports a 32-byte seed. Throws a `RangeError` for any other length. */
export function importEd25519Seed(seed: Uint8Array): KeyObject {
  if (seed.length !== seedBytes) throw new RangeError("an Ed25519 seed has 32 bytes");
  // The public half is asked for and not read: the seed alone determines the key.
  return createPrivateKey({ key: { ...jwkKind, d: base64Url(seed), x: "" }, format: "jwk" });
}

/** Imports a raw 32-byte public key. Throws a `RangeError` for any other length. */
export function importEd25519PublicKey(publicKey: Uint8Array): KeyObject {
  if (publicKey.length !== publicKeyBytes) throw new RangeError("an Ed25519 public key has 32 bytes");
  return createPublicKey({ key: { ...jwkKind, x: base64Url(publicKey) }, format: "jwk" });
}

/** Gives the raw 32 bytes of the public key that belongs to a seed or to a key object. */
export function ed25519PublicKeyOf(key: KeyObject | Uint8Array): Uint8Array {
  const keyObject = key instanceof KeyObject ? key : importEd25519Seed(key);
  requireEd25519(keyObject);
  const publicKey = keyObject.type === "public" ? keyObject : createPublicKey(keyObject);
  return new Uint8Array(Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url"));
}

/** Makes a key pair; `random` gives the seed and defaults to the operating system's source. */
export function generateEd25519KeyPair(random: (size: number) => Uint8Array = randomBytes): Ed25519KeyPair {
  const seed = Uint8Array.from(random(seedBytes));
  return { seed, publicKey: ed25519PublicKeyOf(seed) };
}

/** Signs `message` (the message itself, not its hash) with a seed or a private key object; gives 64 bytes. */
export function signEd25519(privateKey: KeyObject | Uint8Array, message: Uint8Array): Uint8Array {
  const key = privateKey instanceof KeyObject ? privateKey : importEd25519Seed(privateKey);
  requireEd25519(key);
  return sign(null, message, key);
}

/**
 * Whether `signature` is `publicKey`'s signature of `message`. A signature or raw key of another length is false;
 * S outside the group order is false (RFC 8032 section 5.1.7).
 */
export function verifyEd25519(publicKey: KeyObject | Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== signatureBytes) return false;
  if (publicKey instanceof KeyObject) {
    requireEd25519(publicKey);
    return verify(null, message, publicKey, signature);
  }
  if (publicKey.length !== publicKeyBytes) return false;
  return verify(null, message, importEd25519PublicKey(publicKey), signature);
}

/**
 * Makes a cache of imported keys that holds at most `maxEntries` of each kind and drops the one used longest ago.
 * Private keys stay in memory while cached: give custody a cache of its own and `clear` it when it closes.
 */
export function createEd25519KeyCache(maxEntries: number): Ed25519KeyCache {
  if (!Number.isSafeInteger(maxEntries) || maxEntries < 1) throw new RangeError("maxEntries is a positive integer");
  const privateKeys = new Map<string, KeyObject>();
  const publicKeys = new Map<string, KeyObject>();
  const lookUp = (
    keys: Map<string, KeyObject>,
    bytes: Uint8Array,
    load: (bytes: Uint8Array) => KeyObject,
  ): KeyObject => {
    const name = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
    const key = keys.get(name) ?? load(bytes);
    // A Map keeps insertion order, so re-inserting makes the first entry the one used longest ago.
    keys.delete(name);
    keys.set(name, key);
    if (keys.size > maxEntries) {
      const oldest = keys.keys().next();
      if (oldest.done !== true) keys.delete(oldest.value);
    }
    return key;
  };
  return {
    privateKey: (seed) => lookUp(privateKeys, seed, importEd25519Seed),
    publicKey: (publicKey) => lookUp(publicKeys, publicKey, importEd25519PublicKey),
    clear: () => {
      privateKeys.clear();
      publicKeys.clear();
    },
  };
}

function base64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64url");
}

function requireEd25519(key: KeyObject): void {
  if (key.asymmetricKeyType !== "ed25519") throw new TypeError("the key object is not an Ed25519 key");
}
