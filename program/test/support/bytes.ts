/** Hand-written encoders for the program's wire format, kept apart from the generated client on purpose. */

export type Bytes = Uint8Array<ArrayBuffer>;

/** Joins byte strings. */
export function concat(...parts: readonly Uint8Array[]): Bytes {
  return new Uint8Array(Buffer.concat(parts));
}

/** Lower-case hexadecimal. */
export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** Reads hexadecimal, spaces allowed. */
export const fromHex = (text: string): Bytes => new Uint8Array(Buffer.from(text.replaceAll(/\s/g, ""), "hex"));

/** True when both hold the same bytes. */
export const equal = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** A little-endian integer of `size` bytes; negative values in two's complement. */
export function integer(value: bigint | number, size: number): Bytes {
  const bytes = new Uint8Array(size);
  let rest = BigInt.asUintN(size * 8, BigInt(value));
  for (let i = 0; i < size; i++) {
    bytes[i] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return bytes;
}

export const u8 = (value: number): Bytes => integer(value, 1);
export const u16 = (value: number): Bytes => integer(value, 2);
export const u32 = (value: number): Bytes => integer(value, 4);
export const u64 = (value: bigint | number): Bytes => integer(value, 8);
export const i64 = (value: bigint | number): Bytes => integer(value, 8);
export const u128 = (value: bigint | number): Bytes => integer(value, 16);

/** A u32 count and the items. */
export const vec = (items: readonly Uint8Array[]): Bytes => concat(u32(items.length), ...items);

/** A u32 length and the bytes. */
export const counted = (bytes: Uint8Array): Bytes => concat(u32(bytes.length), bytes);

/** A u8 count and the items. */
export const smallVec = (items: readonly Uint8Array[]): Bytes => concat(u8(items.length), ...items);

/** Tag 0, or tag 1 and the value. */
export const option = (value: Uint8Array | undefined): Bytes => (value === undefined ? u8(0) : concat(u8(1), value));

/** A u32 byte length and UTF-8. */
export const text = (value: string): Bytes => counted(Buffer.from(value));
