import type { Address } from "@solana/kit";
import { addressBytes, findProgramDerivedAddress } from "./program-address.js";
import { sha256 } from "./sha256.js";

/** The program by which a passkey signs on chain, the same id on every cluster. */
export const SIGNATURE_PROGRAM_ADDRESS = "ExtSgUPtP3JyKUysFw2S5fpL5fWfUPzGUQLd2bTwftXN" as Address;

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const PASSKEY = text("passkey");
const EXECUTION_ACCOUNT = text("execution_account");

/** Bytes of a P-256 key in compressed form: 2 or 3, then x. */
const compressedKeyBytes = 33;

/** Throws a `RangeError` for bytes that are not of the form of a compressed P-256 key. */
export function assertPasskeyKey(publicKey: Uint8Array): void {
  if (publicKey.length !== compressedKeyBytes || (publicKey[0] !== 2 && publicKey[0] !== 3)) {
    throw new RangeError("not a compressed P-256 key of 33 bytes");
  }
}

/** The account of a passkey, from its compressed P-256 key of 33 bytes. Throws a `RangeError` for bytes of another form. */
export function derivePasskeyAddress(publicKey: Uint8Array): Address {
  assertPasskeyKey(publicKey);
  return findProgramDerivedAddress(SIGNATURE_PROGRAM_ADDRESS, [PASSKEY, sha256(publicKey)]).address;
}

/** The address without data that signs for a passkey's account. */
export const derivePasskeyExecutionAddress = (passkeyAccount: Address): Address =>
  findProgramDerivedAddress(SIGNATURE_PROGRAM_ADDRESS, [addressBytes(passkeyAccount), EXECUTION_ACCOUNT]).address;
