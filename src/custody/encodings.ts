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
