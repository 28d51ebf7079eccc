/** Reads little-endian values one after the other; every read throws a `RangeError` past the end. */
export type ByteReader = {
  readonly u8: () => number;
  readonly u16: () => number;
  readonly u32: () => number;
  readonly u64: () => bigint;
  readonly bytes: (length: number) => Uint8Array;
  /** Throws a `RangeError` unless everything was read. */
  readonly end: () => void;
};

/** Makes a reader that starts at the first byte. */
export function readBytes(source: Uint8Array): ByteReader {
  const view = new DataView(source.buffer, source.byteOffset, source.byteLength);
  let at = 0;
  const advance = (length: number): number => {
    const start = at;
    if (start + length > source.length) throw new RangeError("the data ends too early");
    at += length;
    return start;
  };
  return {
    u8: () => view.getUint8(advance(1)),
    u16: () => view.getUint16(advance(2), true),
    u32: () => view.getUint32(advance(4), true),
    u64: () => view.getBigUint64(advance(8), true),
    bytes: (length) => source.slice(advance(length), at),
    end: () => {
      if (at !== source.length) throw new RangeError("there is data behind the end");
    },
  };
}
