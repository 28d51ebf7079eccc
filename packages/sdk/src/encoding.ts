import { base64, hex } from "@scure/base";

const textEncoder = new TextEncoder();

/** Encodes bytes as padded base64. */
export function encodeBase64(bytes: Uint8Array): string {
  return base64.encode(bytes);
}

/** Decodes padded base64; throws for anything a base64 encoder would not have written. */
export function decodeBase64(text: string): Uint8Array {
  return base64.decode(text);
}

/** Encodes bytes as lower-case hex. */
export function encodeHex(bytes: Uint8Array): string {
  return hex.encode(bytes);
}

/** Encodes a text as UTF-8. */
export function encodeUtf8(text: string): Uint8Array {
  return textEncoder.encode(text);
}

/** Decodes UTF-8; throws a `TypeError` for bytes that are not. By hand, as React Native has no `TextDecoder`. */
export function decodeUtf8(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0;
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    let point = length === 1 ? first : first & (0x7f >> length);
    for (let next = 1; next < length; next += 1) {
      const byte = bytes[at + next] ?? 0;
      // A byte that does not continue the character ends it before its time, and is no character of this length.
      point = (byte & 0xc0) === 0x80 ? (point << 6) | (byte & 0x3f) : Number.NaN;
      if (Number.isNaN(point)) break;
    }
    const isWhole = first < 0x80 || (first >= 0xc2 && first < 0xf5);
    const smallest = [0, 0, 0x80, 0x800, 0x10000][length] ?? 0;
    const isSurrogate = point >= 0xd800 && point < 0xe000;
    if (!isWhole || !(point >= smallest && point <= 0x10ffff) || isSurrogate) throw new TypeError("not UTF-8");
    text += String.fromCodePoint(point);
    at += length;
  }
  return text;
}

/** Joins byte arrays. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Says whether two byte arrays hold the same bytes. Not for secrets: it stops at the first difference. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, at) => byte === right[at]);
}
