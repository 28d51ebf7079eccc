import { branchesOf, declaredProperties, elementSchemas, type JsonSchema, openValueSchemas } from "../json-schema.js";
import type { Words } from "./dialect.js";

/** Makes another value of a parsed JSON one; what needs no other name is shared with it. */
type Rename = (value: unknown) => unknown;

/**
 * Makes the function that takes a body from one set of names to another, by what its schema declares: a field, or the
 * value of a field, that no schema names stays as it is, whatever it says (gap 113). `schema` is in neutral names;
 * `from` says which side `words` lead away from. Undefined when the schema holds nothing that has another name.
 */
export function compileRenaming(schema: JsonSchema, words: Words, from: "theirs" | "neutral"): Rename | undefined {
  return compile([schema], words, from);
}

function compile(schemas: readonly JsonSchema[], words: Words, from: "theirs" | "neutral"): Rename | undefined {
  const branches = branchesOf(schemas);
  const properties = declaredProperties(branches);
  /** By neutral name. */
  const inside = new Map<string, Rename>();
  /** By the name that is received. */
  const renamed = new Map<string, string>();
  for (const [name, property] of properties) {
    const rename =
      ownValue(words.values, name) && holdsText(property.schemas)
        ? renameValue(words.values[name] ?? {})
        : compile(property.schemas, words, from);
    if (rename) inside.set(name, rename);
  }
  for (const [incoming, outgoing] of Object.entries(words.fields)) {
    const neutral = from === "theirs" ? outgoing : incoming;
    const other = from === "theirs" ? incoming : outgoing;
    if (properties.has(neutral) && !properties.has(other)) renamed.set(incoming, outgoing);
  }
  const elements = elementSchemas(branches);
  const inElement = elements.length > 0 ? compile(elements, words, from) : undefined;
  const values = openValueSchemas(branches);
  const inValue = values.length > 0 ? compile(values, words, from) : undefined;
  if (inside.size === 0 && renamed.size === 0 && !inElement && !inValue) return undefined;

  return (value) => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return inElement ? value.map(inElement) : value;
    const members = Object.entries(value).map(([name, inner]): [string, unknown] => {
      const outgoing = renamed.get(name);
      // Said in both names: the other one stays, and is one of the unknown fields.
      const isTaken = outgoing !== undefined && Object.hasOwn(value, outgoing);
      const used = outgoing === undefined || isTaken ? name : outgoing;
      const neutral = from === "theirs" ? used : name;
      const rename = inside.get(neutral) ?? (properties.has(neutral) ? undefined : inValue);
      return [used, rename ? rename(inner) : inner];
    });
    return Object.fromEntries(members);
  };
}

function renameValue(words: Readonly<Record<string, string>>): Rename {
  return (value) => (typeof value === "string" && ownValue(words, value) ? words[value] : value);
}

function ownValue(record: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(record, name);
}

/** Whether some branch takes a text there. */
function holdsText(schemas: readonly JsonSchema[]): boolean {
  return branchesOf(schemas).some(
    ({ type, enum: allowed, const: only }) =>
      [type].flat().includes("string") || typeof only === "string" || allowed?.some((one) => typeof one === "string"),
  );
}
