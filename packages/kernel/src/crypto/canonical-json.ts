/** What RFC 8785 can serialize; `undefined` members are left out, as `JSON.stringify` does. */
export type CanonicalizableJson =
  | null
  | boolean
  | number
  | string
  | readonly CanonicalizableJson[]
  | { readonly [key: string]: CanonicalizableJson | undefined };

const loneSurrogate = /\p{Surrogate}/u;

/**
 * Serializes a JSON value by RFC 8785: object keys in UTF-16 order at every depth, arrays in their own order, no white
 * space (interface 5.6). Throws a `TypeError` for what JSON cannot say exactly: NaN, infinities, lone surrogates, bigint,
 * functions, symbols, class instances, undefined inside an array.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case "string":
      return canonicalString(value);
    case "number":
      if (!Number.isFinite(value)) throw new TypeError("a number in canonical JSON has to be finite");
      return JSON.stringify(value);
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? canonicalArray(value) : canonicalObject(value);
    default:
      throw new TypeError(`canonical JSON has no form for ${typeof value}`);
  }
}

function canonicalString(text: string): string {
  if (loneSurrogate.test(text)) throw new TypeError("canonical JSON has no form for a lone surrogate");
  return JSON.stringify(text);
}

function canonicalArray(items: readonly unknown[]): string {
  // Array.from visits holes too: they are undefined and refused.
  return `[${Array.from(items, canonicalJson).join(",")}]`;
}

function canonicalObject(object: object): string {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null)
    throw new TypeError("canonical JSON takes plain objects only");
  // The default sort compares UTF-16 code units, which is the order of RFC 8785 section 3.2.3.
  const members = Object.entries(object)
    .filter((entry) => entry[1] !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => `${canonicalString(key)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}
