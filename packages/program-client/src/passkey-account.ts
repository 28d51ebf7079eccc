import { type Address, getU64Decoder, type ReadonlyUint8Array } from "@solana/kit";
import { ZERO_ADDRESS } from "./addresses.js";
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

const accountBytes = 152;
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
  if (bytes.length !== accountBytes || foundVersion !== version || scheme !== webAuthn) {
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
