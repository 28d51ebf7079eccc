/**
 * An OpenAPI document in which every optional field of a request may be null as well: clients in many languages send it so, and the
 * service takes it for absent. The document itself leaves it out, where it would stand a thousand times. Answers stay as they are.
 */
export function withOptionalNulls(document) {
  const { schemas } = document.components;
  const twins = Object.entries(schemas).map(([name, schema]) => [twinOf(name), loosened(schema)]);
  return {
    ...document,
    paths: mapValues(document.paths, (item) => mapValues(item, loosenedOperation)),
    components: { ...document.components, schemas: { ...schemas, ...Object.fromEntries(twins) } },
  };
}

const place = "#/components/schemas/";
const twinOf = (name) => `${name}.WithNulls`;
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const mapValues = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));

/** Of what a path has, only operations have a body. */
function loosenedOperation(operation) {
  if (!isObject(operation) || operation.requestBody === undefined) return operation;
  const { requestBody } = operation;
  const content = mapValues(requestBody.content, (media) => ({ ...media, schema: loosened(media.schema) }));
  return { ...operation, requestBody: { ...requestBody, content } };
}

/** What holds values and no schemas. */
const ofValues = new Set(["examples", "example", "default", "enum", "const", "required", "discriminator"]);

function loosened(schema) {
  if (Array.isArray(schema)) return schema.map(loosened);
  if (!isObject(schema)) return schema;
  const required = new Set(schema.required);
  return mapValues(schema, (value, key) => {
    if (ofValues.has(key)) return value;
    if (key === "$ref") return value.startsWith(place) ? place + twinOf(value.slice(place.length)) : value;
    if (key !== "properties") return loosened(value);
    return mapValues(value, (property, name) => (required.has(name) ? loosened(property) : orNull(loosened(property))));
  });
}

function orNull(schema) {
  const hasValues = schema.enum !== undefined || schema.const !== undefined;
  if (typeof schema.type === "string" && !hasValues) return { ...schema, type: [schema.type, "null"] };
  const { examples, ...one } = schema;
  return { anyOf: [one, { type: "null" }], ...(examples === undefined ? {} : { examples }) };
}
