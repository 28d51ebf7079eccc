/** A private key in a PKCS#11 token. */
export interface Pkcs11Place {
  readonly kind: "pkcs11";
  /** Of the library that speaks to the token. */
  readonly modulePath: string;
  readonly token: string;
  /** The key's label, and its id in hexadecimal: one of them at least. */
  readonly object: string | null;
  readonly id: string | null;
  readonly pinFile: string;
}

/**
 * Reads a URI of RFC 7512 without its scheme: `token=…;object=…;id=%01?module-path=/…&pin-source=/…`. Every part is named once,
 * and no other is there: one that were left out in silence would mean another key.
 */
export function parsePkcs11(text: string): Pkcs11Place | { readonly problem: string } {
  const [path = "", query = "", ...more] = text.split("?");
  const parts = partsOf(path, ";", ["token", "object", "id", "type"]);
  const options = partsOf(query, "&", ["module-path", "pin-source"]);
  const token = parts?.get("token")?.toString("utf8");
  const modulePath = options?.get("module-path")?.toString("utf8");
  const pinFile = options
    ?.get("pin-source")
    ?.toString("utf8")
    .replace(/^file:(\/\/(?=\/))?/, "");
  const object = parts?.get("object")?.toString("utf8") ?? null;
  const id = parts?.get("id")?.toString("hex") ?? null;
  const type = parts?.get("type")?.toString("utf8") ?? "private";
  const isWhole = more.length === 0 && type === "private" && (object !== null || id !== null);
  if (!token || !modulePath?.startsWith("/") || !pinFile?.startsWith("/") || !isWhole) {
    return {
      problem:
        "names a PKCS#11 key that must be of the form pkcs11:token=…;object=…;id=%01?module-path=/…&pin-source=/…",
    };
  }
  return { kind: "pkcs11", modulePath, token, object, id, pinFile };
}

/** Undefined for anything unknown, empty or named twice. */
function partsOf(text: string, between: string, known: readonly string[]): ReadonlyMap<string, Buffer> | undefined {
  const parts = new Map<string, Buffer>();
  for (const part of text.split(between)) {
    const [, name = "", value = ""] = /^([a-z-]+)=([^=?#]+)$/.exec(part) ?? [];
    if (!known.includes(name) || parts.has(name) || /%(?![0-9a-fA-F]{2})/.test(value)) return undefined;
    // Bytes, because an id need not be text.
    const bytes = value
      .split(/(%[0-9a-fA-F]{2})/)
      .map((piece, i) => Buffer.from(i % 2 ? piece.slice(1) : piece, i % 2 ? "hex" : "utf8"));
    parts.set(name, Buffer.concat(bytes));
  }
  return parts;
}
