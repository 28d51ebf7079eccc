import { createDecoder, type Decoder, getU32Decoder, type NumberDecoder } from "@solana/kit";

/**
 * A list with its count in front, read the way the program reads it. Kit's own decoder takes data that ends where a
 * count should stand for an empty list; the program refuses it, and so does this. The generated client uses this one.
 */
export function getArrayDecoder<T>(item: Decoder<T>, config: { readonly size?: NumberDecoder } = {}): Decoder<T[]> {
  const count = config.size ?? getU32Decoder();
  return createDecoder({
    read(bytes, offset) {
      const [length, start] = count.read(bytes, offset);
      const items: T[] = [];
      let at = start;
      for (let i = 0; i < length; i++) {
        const [value, next] = item.read(bytes, at);
        items.push(value);
        at = next;
      }
      return [items, at];
    },
  });
}
