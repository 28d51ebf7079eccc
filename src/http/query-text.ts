import { branchesOf, declaredProperties, elementSchemas, type JsonSchema } from "./json-schema.js";

/** Reads one value from its text; what it cannot read stays text, for validation to name. */
type Read = (text: string) => unknown;
type Fields = Record<string, unknown>;

/**
 * Makes the function that turns a query's texts into the values of its schema (gap 11): integers, numbers, booleans, and
 * lists from one or several occurrences. Undefined when every declared value is text. The query is changed in place.
 */
export function compileQueryReading(schema: JsonSchema): ((query: Fields) => void) | undefined {
  const steps: ((query: Fields) => void)[] = [];
  for (const [name, property] of declaredProperties(branchesOf([schema]))) {
    const branches = branchesOf(property.schemas);
    const elements = elementSchemas(branches);
    const read = readerOf(elements.length > 0 ? branchesOf(elements) : branches);
    if (elements.length > 0) {
      steps.push((query) => {
        const given = query[name];
        if (given !== undefined) query[name] = (Array.isArray(given) ? given : [given]).map(read ?? String);
      });
    } else if (read) {
      steps.push((query) => {
        const given = query[name];
        if (typeof given === "string") query[name] = read(given);
      });
    }
  }
  if (steps.length === 0) return undefined;
  return (query) => {
    for (const step of steps) step(query);
  };
}

function readerOf(branches: readonly JsonSchema[]): Read | undefined {
  const types = new Set(branches.flatMap((branch) => branch.type ?? []));
  const readers: Read[] = [];
  if (types.has("boolean")) readers.push((text) => (text === "true" ? true : text === "false" ? false : text));
  if (types.has("number")) readers.push((text) => (/^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text));
  else if (types.has("integer")) readers.push((text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text));
  if (readers.length === 0) return undefined;
  return (text) => {
    for (const read of readers) {
      const value = read(text);
      if (typeof value !== "string") return value;
    }
    return text;
  };
}
