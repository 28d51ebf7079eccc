import { p256 } from "@noble/curves/nist.js";
import { decodeBase64, decodeUtf8 } from "./encoding.js";
import { openHpke } from "./hpke-open.js";
import { InvalidKeyError, privateKeyInPkcs8 } from "./p256-private-key.js";
import type { EncryptedAuthorizationKey } from "./wire.js";

const textPrefix = "wallet-auth:";
const uncompressedPointBytes = 65;

/** The opened key that signs payloads (interface 5.5). Keep it as secret as a password: it can move the account's money. */
export type AuthorizationKey = {
  /** 32 bytes. */
  readonly privateKey: Uint8Array;
  /** 33-byte compressed point. */
  readonly publicKey: Uint8Array;
};

/**
 * Opens the authorization key of a verify or refresh answer with the client's private key (interface 5.4, 5.5; gap 19).
 * Rejects with `InvalidKeyError` when the answer was sealed to another key pair, was altered, or holds no P-256 key:
 * then only a new sign-in helps.
 */
export async function openAuthorizationKey(
  encrypted: Pick<EncryptedAuthorizationKey, "encapsulated_key" | "ciphertext">,
  privateKeyPkcs8: Uint8Array,
): Promise<AuthorizationKey> {
  const clientKey = privateKeyInPkcs8(privateKeyPkcs8);
  const text = await openText(encrypted, clientKey);
  const base64Key = text.startsWith(textPrefix) ? text.slice(textPrefix.length) : text;
  let der: Uint8Array;
  try {
    der = decodeBase64(base64Key);
  } catch (cause) {
    throw new InvalidKeyError("the opened authorization key is not base64", { cause });
  }
  const privateKey = privateKeyInPkcs8(der);
  der.fill(0);
  return { privateKey, publicKey: p256.getPublicKey(privateKey, true) };
}

async function openText(
  encrypted: Pick<EncryptedAuthorizationKey, "encapsulated_key" | "ciphertext">,
  clientKey: Uint8Array,
): Promise<string> {
  try {
    const encapsulatedKey = decodeBase64(encrypted.encapsulated_key);
    // The sender bound the encapsulated bytes as they are, so another encoding of the same point would not open anyway.
    if (encapsulatedKey.length !== uncompressedPointBytes) throw new RangeError("the encapsulated key has 65 bytes");
    const ciphertext = decodeBase64(encrypted.ciphertext);
    return decodeUtf8(await openHpke(clientKey, { encapsulatedKey, ciphertext }));
  } catch (cause) {
    throw new InvalidKeyError("the authorization key cannot be opened with this private key", { cause });
  }
}
