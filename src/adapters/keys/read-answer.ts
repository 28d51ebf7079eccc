import { Buffer } from "node:buffer";

/** A text in an answer, below these names; undefined where it is none. */
export function textAt(value: unknown, ...names: readonly string[]): string | undefined {
  let found = value;
  for (const name of names) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return typeof found === "string" ? found : undefined;
}

/** The bytes of canonical base64 of so many bytes; undefined for anything else. */
export function bytesOf(text: string | undefined, length: number): Uint8Array | undefined {
  if (text === undefined || text.length > 4 * length) return undefined;
  const bytes = Buffer.from(text, "base64");
  return bytes.length === length && bytes.toString("base64") === text ? new Uint8Array(bytes) : undefined;
}
