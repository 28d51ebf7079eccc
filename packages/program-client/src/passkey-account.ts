import { type Address, getU64Decoder, type ReadonlyUint8Array } from "@solana/kit";
import { ZERO_ADDRESS } from "./addresses.js";
import { derivePasskeyAddress, SIGNATURE_PROGRAM_ADDRESS } from "./passkey-addresses.js";
import { addressOfBytes } from "./program-address.js";
import { ProgramDataError } from "./program-data.js";
import { sha256 } from "./sha256.js";

/** A passkey as its account on chain says. */
export type PasskeyAccount = {
  /** The host that the passkey belongs to, for ever. */
  readonly relyingPartyId: string;
  /** P-256, compressed, 33 bytes. */
  readonly publicKey: Uint8Array;
  /** The key that signs in its place; null where there never was one. It may have ended. */
  readonly session: { readonly key: Address /** Unix seconds. */; readonly expiresAt: bigint } | null;
  /** The highest count the passkey has reported; 0 for one that counts nothing. */
  readonly counter: bigint;
};

/** Bytes of a passkey's account. */
export const passkeyAccountBytes = 152;
const version = 1;
const webAuthn = 0;
const relyingPartyIdMax = 32;

/**
 * Reads the data of a passkey's account. Throws a `ProgramDataError` for anything else: another size, version or scheme, a host
 * that its own hash denies. Its owner is the caller's to check.
 */
export function decodePasskeyAccount(data: ReadonlyUint8Array): PasskeyAccount {
  const bytes = Uint8Array.from(data);
  const [foundVersion, scheme] = bytes;
  if (bytes.length !== passkeyAccountBytes || foundVersion !== version || scheme !== webAuthn) {
    throw new ProgramDataError("not a passkey account");
  }
  const length = bytes[4] ?? 0;
  const name = bytes.subarray(5, 5 + length);
  const hash = bytes.subarray(37, 69);
  if (length === 0 || length > relyingPartyIdMax || !sha256(name).every((byte, i) => hash[i] === byte)) {
    throw new ProgramDataError("malformed passkey account");
  }
  // The last bit of y, or the first byte of a compressed key, which ends in that bit.
  const parity = bytes[101] ?? 0;
  if (parity > 3) throw new ProgramDataError("malformed passkey account");
  const key = addressOfBytes(bytes.subarray(104, 136));
  return {
    relyingPartyId: new TextDecoder().decode(name),
    publicKey: Uint8Array.of(2 | (parity & 1), ...bytes.subarray(69, 101)),
    session: key === ZERO_ADDRESS ? null : { key, expiresAt: getU64Decoder().decode(bytes, 136) },
    counter: getU64Decoder().decode(bytes, 144),
  };
}

/**
 * The passkey whose account is stored at an address; undefined for everything else that may lie there: accounts of other programs,
 * those that this version cannot read, and one that no passkey's address leads to.
 */
export function findPasskeyAt(
  address: Address,
  stored: { readonly owner: Address; readonly data: ReadonlyUint8Array } | undefined,
): PasskeyAccount | undefined {
  if (stored?.owner !== SIGNATURE_PROGRAM_ADDRESS) return undefined;
  try {
    const account = decodePasskeyAccount(stored.data);
    return derivePasskeyAddress(account.publicKey) === address ? account : undefined;
  } catch (error) {
    if (!(error instanceof ProgramDataError)) throw error;
    return undefined;
  }
}
