import { Buffer } from "node:buffer";

/** The bytes of canonical padded base64; undefined for anything else. */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.length > 0 && bytes.toString("base64") === text ? bytes : undefined;
}

/** The bytes of hex, 128 of them at most; undefined for anything else. */
export function decodeHex(text: string): Buffer | undefined {
  return /^([0-9a-fA-F]{2})+$/.test(text) && text.length <= 256 ? Buffer.from(text, "hex") : undefined;
}

/** The bytes of canonical base64url without padding, 4,096 letters at most; undefined for anything else. */
export function decodeBase64Url(text: string): Buffer | undefined {
  if (text.length === 0 || text.length > 4_096) return undefined;
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}
