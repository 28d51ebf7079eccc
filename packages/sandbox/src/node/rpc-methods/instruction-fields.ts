import type { Address } from "@solana/kit";
import { addressOf } from "../address-bytes.js";

/** Reads little-endian fields one after another. Each throws RangeError past the end. */
export interface Fields {
  u8(): number;
  u16(): number;
  u32(): number;
  u64(): bigint;
  address(): Address;
  addresses(count: number): Address[];
  /** One byte says whether there is one. */
  optionalAddress(): Address | null;
  /** 8 bytes of length, then UTF-8. */
  text(): string;
  restAsText(): string;
  isAtEnd(): boolean;
}

/** What an instruction says: its name and what it is about, or undefined where that is not known. */
export type Words = { readonly type: string; readonly info: Readonly<Record<string, unknown>> } | undefined;

/** What `read` makes of data; undefined where the data ends too early, or is no text where text should be. */
export function readFields<Value>(data: Uint8Array, read: (fields: Fields) => Value): Value | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const strictText = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let at = 0;
  const take = (length: number): number => {
    if (length > data.length - at) throw new RangeError("the data ends too early");
    at += length;
    return at - length;
  };
  const bytes = (length: number): Uint8Array => data.subarray(take(length), at);
  const address = (): Address => addressOf(bytes(32));
  const u8 = (): number => view.getUint8(take(1));
  const u64 = (): bigint => view.getBigUint64(take(8), true);
  try {
    return read({
      u8,
      u16: () => view.getUint16(take(2), true),
      u32: () => view.getUint32(take(4), true),
      u64,
      address,
      addresses: (count) => {
        if (count * 32 > data.length - at) throw new RangeError("the data ends too early");
        return Array.from({ length: count }, address);
      },
      optionalAddress: () => (u8() === 0 ? null : address()),
      text: () => strictText.decode(bytes(Number(u64()))),
      restAsText: () => strictText.decode(bytes(data.length - at)),
      isAtEnd: () => at === data.length,
    });
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}
