import { base64, hex } from "@scure/base";

const textEncoder = new TextEncoder();
const textDecoder = new TextDecoder("utf-8", { fatal: true });

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

/** Decodes UTF-8; throws for bytes that are not. */
export function decodeUtf8(bytes: Uint8Array): string {
  return textDecoder.decode(bytes);
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

/** Tells whether two byte arrays hold the same bytes. Not for secrets: it stops at the first difference. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, at) => byte === right[at]);
}
