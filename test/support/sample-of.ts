import type { JsonSchema } from "../../src/http/json-schema.js";

/**
 * A value that a schema takes, as small as it can be: required members, and those that `named` has values for:
 * members and parameters of these names, of which a schema alone cannot say what they are.
 */
export function sampleOf(schema: JsonSchema, named: Readonly<Record<string, unknown>>, name = ""): unknown {
  if (fits(schema, named[name])) return named[name];
  const { anyOf = [], oneOf = [] } = schema as { anyOf?: JsonSchema[]; oneOf?: JsonSchema[] };
  const [choice] = [...anyOf, ...oneOf];
  if (choice !== undefined) return sampleOf(choice, named, name);
  const { const: only, enum: some } = schema as { const?: unknown; enum?: unknown[] };
  if (only !== undefined) return only;
  if (some !== undefined) return some[0];
  const {
    type,
    minimum,
    minItems = 0,
    items,
    minLength = 1,
  } = schema as {
    type?: string;
    minimum?: number;
    minItems?: number;
    items?: JsonSchema;
    minLength?: number;
  };
  if (type === "integer" || type === "number") return minimum ?? 1;
  if (type === "boolean") return false;
  if (type === "string") return "x".repeat(Math.max(1, minLength));
  if (type === "array") return Array.from({ length: minItems }, () => sampleOf(items ?? {}, named, `${name}[]`));
  const members = Object.entries(schema.properties ?? {}).filter(
    ([key, member]) => schema.required?.includes(key) || fits(member, named[key]),
  );
  return Object.fromEntries(members.map(([key, member]) => [key, sampleOf(member, named, key)]));
}

/** Whether a value for the name can stand here. */
function fits({ type, enum: some, anyOf }: JsonSchema, value: unknown): boolean {
  if (value === undefined || anyOf !== undefined) return false;
  return some === undefined ? type === (Array.isArray(value) ? "array" : typeof value) : some.includes(value);
}
