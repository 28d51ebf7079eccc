import {
  allowsNull,
  branchesOf,
  declaredProperties,
  elementSchemas,
  type JsonSchema,
  openValueSchemas,
} from "./json-schema.js";

type Visit = (value: unknown) => void;

/**
 * Makes the function that takes null for absent (gap 11): in a parsed body it removes every property that is null,
 * optional, and of a type without null. Undefined when the schema has no such property. The value is changed in place.
 */
export function compileNullRemoval(schema: JsonSchema): Visit | undefined {
  return compile([schema]);
}

function compile(schemas: readonly JsonSchema[]): Visit | undefined {
  const branches = branchesOf(schemas);
  const removable: string[] = [];
  const visits: [name: string, visit: Visit][] = [];
  const properties = declaredProperties(branches);
  for (const [name, property] of properties) {
    if (property.optional && !property.schemas.some(allowsNull)) removable.push(name);
    const visit = compile(property.schemas);
    if (visit) visits.push([name, visit]);
  }
  const elements = elementSchemas(branches);
  const visitElement = elements.length > 0 ? compile(elements) : undefined;
  const values = openValueSchemas(branches);
  const visitValue = values.length > 0 ? compile(values) : undefined;
  if (removable.length === 0 && visits.length === 0 && !visitElement && !visitValue) return undefined;

  return (value) => {
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      if (visitElement) for (const element of value) visitElement(element);
      return;
    }
    const fields = value as Record<string, unknown>;
    for (const name of removable) if (fields[name] === null) delete fields[name];
    for (const [name, visit] of visits) visit(fields[name]);
    if (visitValue) for (const name of Object.keys(fields)) if (!properties.has(name)) visitValue(fields[name]);
  };
}
