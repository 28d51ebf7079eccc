import { branchesOf, declaredProperties, elementSchemas, type JsonSchema, openValueSchemas } from "./json-schema.js";

type Find = (value: unknown, path: string) => string | undefined;

/**
 * Makes the function that finds a field that no branch of the schema declares, and names it by its dotted path.
 * Objects without declared properties are open: anything goes in them.
 */
export function findUndeclared(schema: JsonSchema): Find {
  return compile([schema]);
}

function compile(schemas: readonly JsonSchema[]): Find {
  const branches = branchesOf(schemas);
  const properties = new Map<string, Find>();
  for (const [name, property] of declaredProperties(branches)) properties.set(name, compile(property.schemas));
  const elements = elementSchemas(branches);
  const findInElement = elements.length > 0 ? compile(elements) : undefined;
  const values = openValueSchemas(branches);
  const findInValue = values.length > 0 ? compile(values) : undefined;
  const isOpen = properties.size === 0 || branches.some((branch) => branch.additionalProperties === true);

  return (value, path) => {
    if (typeof value !== "object" || value === null) return undefined;
    for (const [key, inner] of Object.entries(value)) {
      const innerPath = path === "" ? key : `${path}.${key}`;
      const find = Array.isArray(value) ? findInElement : (properties.get(key) ?? findInValue);
      if (!find && !Array.isArray(value) && !isOpen) return innerPath;
      const found = find?.(inner, innerPath);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}
