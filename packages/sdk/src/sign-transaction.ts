import { ed25519 } from "@noble/curves/ed25519.js";
import { type Address, getAddressDecoder } from "@solana/addresses";
import type { SignatureBytes } from "@solana/keys";
import { getTransactionDecoder, getTransactionEncoder } from "@solana/transactions";
import { decodeBase64, encodeBase64, equalBytes } from "./encoding.js";
import { InvalidKeyError } from "./p256-private-key.js";

/** An Ed25519 key of the caller's own: 32 bytes of seed, or the 64 bytes of a key file, seed and public key. */
export type SignerKey = Uint8Array;

/** The address of a key. Throws `InvalidKeyError` when it is none, or its two halves do not belong together. */
export function addressOfKey(key: SignerKey): Address {
  if (key.length !== 32 && key.length !== 64) throw new InvalidKeyError("an Ed25519 key has 32 or 64 bytes");
  const publicKey = ed25519.getPublicKey(key.subarray(0, 32));
  if (key.length === 64 && !equalBytes(publicKey, key.subarray(32))) {
    throw new InvalidKeyError("the public half of the key does not belong to its secret half");
  }
  return getAddressDecoder().decode(publicKey);
}

/**
 * Puts the signatures of these keys into a base64 transaction and returns it as base64; other signatures stay as they
 * are. It signs what it is given: check the transaction first. Throws `InvalidKeyError` for a key that the transaction
 * has no place for.
 */
export function signTransaction(transactionBase64: string, keys: readonly SignerKey[]): string {
  const transaction = getTransactionDecoder().decode(decodeBase64(transactionBase64));
  const signatures = { ...transaction.signatures };
  for (const key of keys) {
    const address = addressOfKey(key);
    if (!Object.hasOwn(signatures, address)) {
      throw new InvalidKeyError(`the transaction has no place for a signature of ${address}`);
    }
    const message = Uint8Array.from(transaction.messageBytes);
    signatures[address] = ed25519.sign(message, key.subarray(0, 32)) as SignatureBytes;
  }
  return encodeBase64(Uint8Array.from(getTransactionEncoder().encode({ ...transaction, signatures })));
}
