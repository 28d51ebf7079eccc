import type { Decoder, ReadonlyUint8Array } from "@solana/kit";

/** Bytes that claim to be the program's and are not: another kind of account, cut short, or impossible values. */
export class ProgramDataError extends Error {
  override readonly name = "ProgramDataError";
}

export function startsWith(bytes: ReadonlyUint8Array, prefix: ReadonlyUint8Array): boolean {
  return bytes.length >= prefix.length && prefix.every((byte, index) => bytes[index] === byte);
}

/**
 * Decodes account data of one kind. Bytes after the last field are allowed (accounts are allocated with room to spare).
 * Throws a `ProgramDataError` when the discriminator is another one or the data ends early.
 */
export function decodeAccountData<T>(
  what: string,
  data: ReadonlyUint8Array,
  discriminator: ReadonlyUint8Array,
  decoder: Decoder<T>,
): T {
  if (!startsWith(data, discriminator)) throw new ProgramDataError(`not a ${what} account`);
  return decodeBytes(`${what} account`, data, decoder);
}

/** Decodes bytes of unknown origin; whatever goes wrong is a `ProgramDataError` that keeps the cause. */
export function decodeBytes<T>(what: string, data: ReadonlyUint8Array, decoder: Decoder<T>): T {
  return readBytes(what, data, decoder)[0];
}

/** The same, and the offset where decoding ended. */
export function readBytes<T>(what: string, data: ReadonlyUint8Array, decoder: Decoder<T>): [T, number] {
  // A Node buffer would hand out further buffers, which share its memory and compare differently.
  const bytes = Object.getPrototypeOf(data) === Uint8Array.prototype ? data : Uint8Array.from(data);
  try {
    return decoder.read(bytes, 0);
  } catch (cause) {
    throw new ProgramDataError(`malformed ${what}`, { cause });
  }
}
