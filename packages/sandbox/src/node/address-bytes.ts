import { base58 } from "@scure/base";
import type { Blockhash, Signature } from "@solana/kit";

export { addressBytes, addressOfBytes as addressOf } from "@trellis/program-client";

/** Base58 of 64 bytes, as a transaction signature. */
export function signatureOf(bytes: Uint8Array): Signature {
  return base58.encode(bytes) as Signature;
}

/** The 64 bytes of a signature that is known to be one. */
export function signatureBytes(signature: Signature): Uint8Array {
  return base58.decode(signature);
}

/** Base58 of 32 bytes, as a blockhash. */
export function blockhashOf(bytes: Uint8Array): Blockhash {
  return base58.encode(bytes) as Blockhash;
}
