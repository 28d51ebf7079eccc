import { ed25519 } from "@noble/curves/ed25519.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, decodeBase64, encodeHex, encodeUtf8 } from "./encoding.js";

/** A key that verifies notes (C2SP signed-note), or cosignatures of them. */
export type PinnedKey = {
  readonly name: string;
  readonly kind: "ed25519" | "cosignature";
  readonly id: string;
  readonly publicKey: Uint8Array;
};

const kinds = { 1: "ed25519", 4: "cosignature" } as const;
const timeBytes = 8;

/** Reads `name+id+key`; undefined for anything else. */
export function parseKey(vkey: string): PinnedKey | undefined {
  const [, name = "", id = "", base64 = ""] =
    /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/.exec(vkey.trim()) ?? [];
  const bytes = bytesOf(base64);
  const kind = kinds[bytes?.[0] as keyof typeof kinds];
  if (bytes?.length !== 33 || kind === undefined) return undefined;
  const known = encodeHex(sha256(concatBytes(encodeUtf8(`${name}\n`), bytes))).slice(0, 8);
  return known === id ? { name, kind, id, publicKey: bytes.slice(1) } : undefined;
}

/** The text of a note that this key has signed or cosigned; undefined where it has not. */
export function openNote(note: string, key: PinnedKey): string | undefined {
  const end = note.lastIndexOf("\n\n");
  if (end < 0) return undefined;
  const text = note.slice(0, end + 1);
  const isSigned = note
    .slice(end + 2)
    .split("\n")
    .some((line) => isSignatureOf(line, text, key));
  return isSigned ? text : undefined;
}

function isSignatureOf(line: string, text: string, { name, kind, id, publicKey }: PinnedKey): boolean {
  const [dash, signer, base64 = ""] = line.split(" ");
  const bytes = bytesOf(base64);
  if (dash !== "—" || signer !== name || bytes === undefined || encodeHex(bytes.subarray(0, 4)) !== id) return false;
  const signature = bytes.slice(4);
  if (kind === "ed25519") return isValid(signature, text, publicKey);
  if (signature.length !== timeBytes + 64) return false;
  const time = new DataView(signature.buffer, signature.byteOffset).getBigUint64(0);
  return isValid(signature.slice(timeBytes), `cosignature/v1\ntime ${time}\n${text}`, publicKey);
}

function isValid(signature: Uint8Array, text: string, publicKey: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, encodeUtf8(text), publicKey, { zip215: false });
  } catch {
    // What is no signature at all does not hold either.
    return false;
  }
}

function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return decodeBase64(base64);
  } catch {
    // Nor is what is no base64.
    return undefined;
  }
}

/** Bytes of hexadecimal digits; none for what are none. */
export const hexBytes = (hex: string): Uint8Array =>
  Uint8Array.from(/^([0-9a-f]{2})*$/.test(hex) ? (hex.match(/../g) ?? []) : [], (pair) => Number.parseInt(pair, 16));
