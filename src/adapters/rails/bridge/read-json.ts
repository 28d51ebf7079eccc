/**
 * Reading what a partner wrote. Its documents and its answers contradict each other, so nothing is required here that is
 * not used, names are found although they stand in quotation marks, and no number is ever a float.
 */
export type Json = { readonly [name: string]: unknown };

/**
 * Parses JSON with every number as the text it was written as, and every text that no database keeps (a NUL, half a
 * character) as null: one such text must not keep the rest of an answer out. Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  const exact = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
  return JSON.parse(exact, (_name, value) => (typeof value === "string" && !isKept(value) ? null : value));
}

/** With `u`, whole pairs are one character, so that only halves are surrogates. */
const isKept = (value: string): boolean => !value.includes("\u0000") && !/\p{Surrogate}/u.test(value);

/** The beginning of a text, never with half a character at its end. */
export const cut = (value: string, most: number): string => value.slice(0, most).replace(/[\ud800-\udbff]$/, "");

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The field of that name, of an object that may be none; null counts as absent. */
export function field(from: unknown, name: string): unknown {
  if (!isJson(from)) return undefined;
  const value = Object.hasOwn(from, name)
    ? from[name]
    : Object.hasOwn(from, `"${name}"`)
      ? from[`"${name}"`]
      : undefined;
  return value ?? undefined;
}

/** The text of a field, trimmed; undefined where it is absent, empty or no text. */
export function text(from: unknown, name: string): string | undefined {
  const value = field(from, name);
  const trimmed = typeof value === "string" ? value.trim() : "";
  return trimmed === "" ? undefined : trimmed;
}

/** A truth value, also where it was written as text. */
export function flag(from: unknown, name: string): boolean | undefined {
  const value = field(from, name);
  if (value === true || value === "true") return true;
  return value === false || value === "false" ? false : undefined;
}

/** The objects of a list; of a single object, that one. */
export function objects(value: unknown): readonly Json[] {
  if (Array.isArray(value)) return value.filter(isJson);
  return isJson(value) ? [value] : [];
}

/** Texts of a list, or of what is a single text. */
export function texts(value: unknown): readonly string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((one): one is string => typeof one === "string" && one.trim() !== "").map((one) => one.trim());
}

/** Every text inside, up to a number of them and not deeper than anybody nests: `{all_of: ["a", {any_of: ["b"]}]}`. */
export function textsWithin(value: unknown, most = 50, depth = 6): readonly string[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [value.trim()];
  if (depth === 0 || typeof value !== "object" || value === null) return [];
  const found: string[] = [];
  for (const inner of Object.values(value)) {
    found.push(...textsWithin(inner, most - found.length, depth - 1));
    if (found.length >= most) break;
  }
  return found.slice(0, most);
}

/** A decimal amount as it was written, without sign and exponent; undefined where it is none. */
export function decimal(from: unknown, name: string): string | undefined {
  const written = text(from, name);
  return written !== undefined && isDecimal(written) ? written : undefined;
}

export function isDecimal(written: string): boolean {
  return /^\d{1,18}(\.\d{1,18})?$/.test(written);
}

/** Whether two decimals are the same number: `"10"` and `"10.00"` are. */
export function sameDecimal(one: string, other: string): boolean {
  const plain = (written: string) => {
    const [whole = "", fraction = ""] = written.split(".");
    return `${whole.replace(/^0+(?=\d)/, "")}.${fraction.replace(/0+$/, "")}`;
  };
  return plain(one) === plain(other);
}

/** Unix milliseconds of a date, or of a number of milliseconds that was written instead. */
export function instant(from: unknown, name: string): number | undefined {
  const written = text(from, name);
  if (written === undefined) return undefined;
  const at = /^\d{12,14}$/.test(written) ? Number(written) : Date.parse(written);
  return Number.isFinite(at) && at >= 0 ? Math.floor(at) : undefined;
}

/** The texts of an object by name, for what is passed on as it is; lists are joined, objects left out. */
export function textFields(from: unknown): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const quoted of isJson(from) ? Object.keys(from) : []) {
    const name = quoted.replace(/^"(.*)"$/, "$1");
    const values = texts(field(from, name));
    if (/^[a-z][a-z0-9_]{0,63}$/.test(name) && values.length > 0) found[name] = cut(values.join(", "), 2_000);
  }
  return found;
}
