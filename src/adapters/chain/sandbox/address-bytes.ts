import { base58 } from "@scure/base";
import type { Address, Blockhash, Signature } from "@solana/kit";

/** Base58 of 32 bytes, as an address. */
export function addressOf(bytes: Uint8Array): Address {
  return base58.encode(bytes) as Address;
}

/** The 32 bytes of an address that is known to be one. */
export function addressBytes(address: Address): Uint8Array {
  return base58.decode(address);
}

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
