import { assertOurs } from "@trellis/kernel/errors.js";
import { textForms } from "@trellis/kernel/wire-texts.js";
import type { TSchema } from "typebox";

/** The part of JSON Schema 2020-12 that contracts are written in, as TypeBox makes it. */
export interface JsonSchema {
  readonly $id?: string;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly [keyword: string]: unknown;
}

/** One property of an object, over every branch that declares it. */
export interface DeclaredProperty {
  readonly schemas: JsonSchema[];
  /** Some branch does without it. */
  optional: boolean;
}

/** A TypeBox schema seen as the JSON Schema it is. References are refused: contracts hold their schemas inline. */
export function jsonSchemaOf(schema: TSchema): JsonSchema {
  return schema as JsonSchema;
}

/** The form that a named text must have; of other schemas nothing. */
export function formOf({ $id = "" }: JsonSchema): JsonSchema {
  return (textForms as Readonly<Record<string, JsonSchema>>)[$id] ?? {};
}

/** The schema with what is said of it for readers, and no rule of validation. */
export function asDocumented({ "x-documented-as": whole, "x-documented": bounds, ...schema }: JsonSchema): JsonSchema {
  return whole === undefined ? { ...schema, ...(bounds as object | undefined) } : (whole as JsonSchema);
}

/** The branches of unions and intersections, at any depth, in place of the schemas that hold them. */
export function branchesOf(schemas: readonly JsonSchema[]): JsonSchema[] {
  return schemas.flatMap((schema) => {
    assertOurs(schema.$ref === undefined, `a contract's schema refers to ${schema.$ref}; write it inline`);
    const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
    return inner.length === 0 ? [schema] : [...(schema.properties ? [schema] : []), ...branchesOf(inner)];
  });
}

/** The properties that any of these branches declares. */
export function declaredProperties(branches: readonly JsonSchema[]): Map<string, DeclaredProperty> {
  const found = new Map<string, DeclaredProperty>();
  for (const branch of branches) {
    for (const [name, schema] of Object.entries(branch.properties ?? {})) {
      const property = found.get(name) ?? { schemas: [], optional: false };
      property.schemas.push(schema);
      property.optional ||= !branch.required?.includes(name);
      found.set(name, property);
    }
  }
  return found;
}

/** The schemas of list elements that any of these branches declares. */
export function elementSchemas(branches: readonly JsonSchema[]): JsonSchema[] {
  return branches.flatMap((branch) => branch.items ?? []);
}

/** The schemas of values under names that are not declared one by one. */
export function openValueSchemas(branches: readonly JsonSchema[]): JsonSchema[] {
  return branches.flatMap((branch) => [
    ...Object.values(branch.patternProperties ?? {}),
    ...(typeof branch.additionalProperties === "object" ? [branch.additionalProperties] : []),
  ]);
}

/** Whether null is a value of the schema. */
export function allowsNull(schema: JsonSchema): boolean {
  if (schema.anyOf || schema.oneOf) return [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some(allowsNull);
  if (schema.allOf) return schema.allOf.every(allowsNull);
  if ("const" in schema) return schema.const === null;
  if (schema.enum) return schema.enum.includes(null);
  return schema.type === undefined || schema.type === "null" || schema.type.includes("null");
}

/**
 * The schema as requests are held against it: no part carries an `$id`, so that the same named schema may occur many times in
 * one, or a word of our own (`x-…`), which validators do not know, or the form of a named text, which is for its reader to
 * judge.
 */
export function withoutIds(schema: JsonSchema): JsonSchema {
  return copyWithoutIds(schema, false) as JsonSchema;
}

function copyWithoutIds(value: unknown, isNameMap: boolean): unknown {
  if (Array.isArray(value)) return value.map((element) => copyWithoutIds(element, false));
  if (typeof value !== "object" || value === null) return value;
  const form = isNameMap ? {} : formOf(value as JsonSchema);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isNameMap || (key !== "$id" && !key.startsWith("x-") && !(key in form)))
      .map(([key, inner]) => {
        const opaque = !isNameMap && (key === "const" || key === "enum" || key === "default" || key === "examples");
        const named = !isNameMap && (key === "properties" || key === "patternProperties");
        return [key, opaque ? inner : copyWithoutIds(inner, named)];
      }),
  );
}
