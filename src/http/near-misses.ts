import { TrellisError } from "@trellis/kernel/errors.js";
import { branchesOf, declaredProperties, elementSchemas, type JsonSchema, openValueSchemas } from "./json-schema.js";

/** A field that is known under another spelling, and where it stands. */
interface NearMiss {
  readonly path: readonly string[];
  readonly known: string;
}

type Search = (value: unknown, path: readonly string[]) => NearMiss | undefined;

/** A longer name is no slip of the pen. */
const nameCharactersMax = 100;

/**
 * Makes the check for bodies in which a name that is ignored would do harm: it throws `invalid_request` for a field that
 * is a known one but for capitals, underscores and hyphens (`timeLock` for `time_lock`), and has no meaning of its own
 * (gap 11), and, where the name of a field with fields of its own is given as `beside`, for one of these that stands next to it.
 * Other unknown fields are left alone. Undefined when the schema has no properties.
 */
export function compileNearMissRefusal(schema: JsonSchema, beside?: string): ((body: unknown) => void) | undefined {
  const search = compile([schema]);
  if (search === undefined) return undefined;
  const searchBeside = beside === undefined ? undefined : compileBeside(schema, beside);
  return (body) => {
    const found = search(body, []);
    if (found !== undefined) {
      const field = found.path.join(".");
      throw unknownField(field, `it is spelled ${found.known}`, found.known);
    }
    const misplaced = searchBeside?.(body);
    if (misplaced !== undefined) {
      const place = `${beside}.${misplaced.known}`;
      throw unknownField(misplaced.name, `it belongs in ${place}`, place);
    }
  };
}

function unknownField(field: string, correction: string, suggestion: string): TrellisError {
  const message = `${field} is not a known field here; ${correction}.`;
  return new TrellisError("invalid_request", {
    message,
    details: [{ field, code: "field_unknown", message, suggestion }],
  });
}

/** Finds fields that are known within another one and stand, with a value, next to it. */
function compileBeside(schema: JsonSchema, beside: string) {
  const properties = declaredProperties(branchesOf([schema]));
  const inner = declaredProperties(branchesOf(properties.get(beside)?.schemas ?? []));
  const known = new Map([...inner.keys()].reverse().map((name) => [plainOf(name), name]));
  return (body: unknown): { readonly name: string; readonly known: string } | undefined => {
    if (typeof body !== "object" || body === null) return undefined;
    for (const [name, value] of Object.entries(body)) {
      if (value === null || properties.has(name) || name.length > nameCharactersMax) continue;
      const meant = known.get(plainOf(name));
      if (meant !== undefined) return { name, known: meant };
    }
    return undefined;
  };
}

function compile(schemas: readonly JsonSchema[]): Search | undefined {
  const branches = branchesOf(schemas);
  const properties = declaredProperties(branches);
  // Of two spellings that are read, the one declared first is suggested: the later entry of a map wins.
  const known = new Map([...properties.keys()].reverse().map((name) => [plainOf(name), name]));
  const searches = new Map<string, Search>();
  for (const [name, property] of properties) {
    const search = compile(property.schemas);
    if (search) searches.set(name, search);
  }
  const elements = elementSchemas(branches);
  const inElement = elements.length > 0 ? compile(elements) : undefined;
  const values = openValueSchemas(branches);
  const inValue = values.length > 0 ? compile(values) : undefined;
  if (properties.size === 0 && !inElement && !inValue) return undefined;

  return (value, path) => {
    if (typeof value !== "object" || value === null) return undefined;
    if (Array.isArray(value)) {
      if (!inElement) return undefined;
      for (const [i, element] of value.entries()) {
        const found = inElement(element, [...path, String(i)]);
        if (found) return found;
      }
      return undefined;
    }
    for (const [name, inner] of Object.entries(value)) {
      const isKnown = properties.has(name);
      const meant = isKnown || name.length > nameCharactersMax ? undefined : known.get(plainOf(name));
      if (meant !== undefined) return { path: [...path, name], known: meant };
      const found = (isKnown ? searches.get(name) : inValue)?.(inner, [...path, name]);
      if (found) return found;
    }
    return undefined;
  };
}

function plainOf(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}
