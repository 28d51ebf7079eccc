// Writes the client library's types of the wire from openapi.json, or with --check says that they are out of date.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { byHand, discriminators, optional, parts, queries, readAs, schemaNames } from "./sdk-type-names.mjs";

const target = fileURLToPath(new URL("../packages/sdk/src/wire/generated/types.ts", import.meta.url));
const { components, paths } = JSON.parse(readFileSync(new URL("../openapi.json", import.meta.url), "utf8"));
const { schemas } = components;
const operations = Object.values(paths).flatMap((path) => Object.values(path));

const scalars = { string: "string", integer: "number", number: "number", boolean: "boolean", null: "null" };

/** The types that are written, by name. It grows while they are: each asks for those it refers to. */
const types = new Map();
const imported = new Set();

const text = fileText();
if (!process.argv.includes("--check")) {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
} else if (readFileSync(target, "utf8") !== text) {
  process.stderr.write("packages/sdk/src/wire/generated/types.ts is out of date: npm run generate\n");
  process.exitCode = 1;
}

function fileText() {
  for (const name of Object.keys(schemaNames)) {
    if (schemas[name] === undefined) fail(`the document has no schema ${name}`);
    nameOf(name);
  }
  for (const [kind, name] of Object.entries(discriminators)) {
    const { discriminator } = schemas[kind];
    ask(
      name,
      { enum: Object.keys(discriminator.mapping), description: `Which kind of ${kind} it is.` },
      `${kind}.type`,
    );
  }
  for (const [operationId, name] of Object.entries(queries)) ask(name, querySchema(operationId), operationId);
  for (const [name, type] of types)
    type.text = `${comment(type.schema)}export type ${name} = ${write(type)};`.replace(" = \n", " =\n");
  const unused = Object.keys(parts).filter((path) => ![...types.values()].some(({ from }) => from === path));
  if (unused.length > 0) fail(`the document has no ${unused.join(", ")}`);
  const imports = [...imported].sort().map((name) => `  ${name},\n`);
  const declarations = [...types].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, type]) => type.text);
  return [
    "// Generated from openapi.json by scripts/generate-sdk-types.mjs; which types, says scripts/sdk-type-names.mjs.",
    `import type {\n${imports.join("")}} from "../by-hand.js";`,
    ...declarations,
    "",
  ]
    .join("\n\n")
    .replace(/\n\n$/, "\n");
}

function fail(message) {
  throw new Error(`scripts/sdk-type-names.mjs: ${message}`);
}

/** Has a type written under a name. */
function ask(name, schema, from) {
  const known = types.get(name);
  if (known !== undefined && known.from !== from) fail(`${known.from} and ${from} are both called ${name}`);
  if (known === undefined) types.set(name, { schema, from, path: from, indent: "" });
  return name;
}

function nameOf(schemaName) {
  const hand = byHand[schemaName];
  if (hand !== undefined) {
    imported.add(hand);
    return hand;
  }
  const read = readAs[schemaName] ?? schemaName;
  return ask(schemaNames[read] ?? read, schemas[read], read);
}

/** What a list is asked with, as an object. What may be repeated may also be given once. */
function querySchema(operationId) {
  const operation = operations.find((one) => one.operationId === operationId) ?? fail(`no operation ${operationId}`);
  const inQuery = operation.parameters.filter((parameter) => parameter.in === "query");
  const fields = inQuery.map(({ name, description, schema }) => {
    const oneOrSeveral = schema.type === "array" ? { anyOf: [schema.items, schema] } : schema;
    const { minimum, maximum, default: usual } = schema;
    const bounds = maximum === undefined ? undefined : `${minimum} to ${maximum}; ${usual} when absent.`;
    const about = description ?? bounds;
    return [name, about === undefined ? oneOrSeveral : { description: about, ...oneOrSeveral }];
  });
  const required = inQuery.flatMap(({ name, required: isRequired }) => (isRequired ? [name] : []));
  return { type: "object", properties: Object.fromEntries(fields), required };
}

/** A schema as a type. `path` leads to it from the schema that has a name: `Deposit.destination`. */
function write({ schema, path, indent }) {
  const inner = (one, step) => writePart({ schema: one, path: step === undefined ? path : `${path}.${step}`, indent });
  if (schema.$ref !== undefined) return writeReference(schema.$ref.split("/").at(-1), indent);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined)
    return union(
      schema.enum.map((value) => JSON.stringify(value)),
      indent,
    );
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches !== undefined)
    return union(
      branches.map((branch, i) => inner(branch, i)),
      indent,
    );
  if (Array.isArray(schema.type))
    return union(
      schema.type.map((type) => inner({ ...schema, type })),
      indent,
    );
  if (schema.type === "array") return listOf(inner(schema.items ?? {}, "items"));
  if (schema.type === "object") return writeObject(schema, path, indent);
  if (schema.type === undefined) return "unknown";
  return scalars[schema.type] ?? fail(`no type for ${path}`);
}

function writePart(type) {
  if (readAs[type.path] !== undefined) return nameOf(readAs[type.path]);
  const name = parts[type.path];
  return name === undefined ? write(type) : ask(name, type.schema, type.path);
}

/** Texts and numbers of some form are just that in TypeScript; everything else has its name. */
function writeReference(name, indent) {
  const schema = schemas[name];
  const isScalar = schema.type in scalars && schema.enum === undefined && schema.const === undefined;
  return isScalar ? write({ schema, path: name, indent }) : nameOf(name);
}

function union(members, indent) {
  const unique = [...new Set(members)];
  const line = unique.join(" | ");
  return line.length + indent.length < 100 || line.includes("\n")
    ? line
    : unique.map((one) => `\n${indent}  | ${one}`).join("");
}

function listOf(item) {
  const isCompound = item.startsWith("readonly ") || (item.includes("|") && !item.startsWith("{"));
  return `readonly ${isCompound ? `(${item})` : item}[]`;
}

function writeObject({ properties = {}, required = [], additionalProperties, patternProperties = {} }, path, indent) {
  const inner = `${indent}  `;
  const offered = Object.entries(properties).filter(([, { deprecated }]) => deprecated !== true);
  const always = required.filter((name) => !optional[path]?.includes(name));
  const fields = offered.map(([name, schema]) => {
    const type = writePart({ schema, path: `${path}.${name}`, indent: inner });
    return `${comment(schema, inner)}${inner}readonly ${name}${always.includes(name) ? "" : "?"}: ${type};`;
  });
  const [other] = [...Object.values(patternProperties), ...(additionalProperties ? [additionalProperties] : [])];
  if (other !== undefined) {
    // A declared field has to fit what is said of all others, so beside such fields they can be anything.
    const isOpen = other === true || fields.length > 0;
    fields.push(
      `${inner}readonly [name: string]: ${isOpen ? "unknown" : write({ schema: other, path, indent: inner })};`,
    );
  }
  return fields.length === 0 ? "{}" : `{\n${fields.join("\n")}\n${indent}}`;
}

/** What the document says about a field, or about what it is a case of. */
function comment({ description, $ref }, indent = "") {
  const about = description ?? ($ref === undefined ? undefined : schemas[$ref.split("/").at(-1)].description);
  return about === undefined ? "" : `${indent}/** ${about} */\n`;
}
