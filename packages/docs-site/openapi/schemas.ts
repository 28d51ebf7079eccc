import { isDeepStrictEqual } from "node:util";
import { assertOurs } from "@trellis/kernel/errors.js";
import { environmentNames } from "@trellis/kernel/ports/environment.js";
import { verificationStatuses } from "@trellis/kernel/ports/rails.js";
import { scopes } from "@trellis/kernel/scope.js";
import { transactionKinds } from "../../../src/history/transaction-kind.js";
import { asDocumented, formOf, type JsonSchema } from "../../../src/http/json-schema.js";
import { orderStates } from "../../../src/standing-orders/order-states.js";
import { frequencies } from "../../../src/standing-orders/schedule.js";
import { paymentIntentStates } from "../../../src/submissions/intent-states.js";
import { environmentHeaderValues } from "./headers.js";

/** The named schemas of a document, and what turns contracts' schemas into references to them. */
export interface SchemaComponents {
  /**
   * The schema as the document has it: a reference where it, or `name` for it, is named. Another spelling of something is
   * left out.
   */
  lift(schema: JsonSchema, name?: string): object;
  /** Adds a schema that is in the document's form already, and refers to it. */
  add(name: string, schema: object): object;
  /** By name. */
  all(): Record<string, object>;
}

/**
 * Two different schemas under one name are a bug of ours; only their description may differ, which stands beside the
 * reference then.
 */
export function createSchemaComponents(): SchemaComponents {
  const components = new Map<string, object>();
  const nameOfValues = new Map(Object.entries(namedValues).map(([name, values]) => [JSON.stringify(values), name]));
  const valuesName = ({ enum: values }: JsonSchema) => nameOfValues.get(JSON.stringify(values));
  const isPlain = (schema: JsonSchema | undefined): schema is JsonSchema & { readonly type: string } =>
    schema !== undefined &&
    schema.$id === undefined &&
    valuesName(schema) === undefined &&
    ["string", "integer", "number", "boolean"].includes(String(schema.type));

  function add(name: string, schema: object): object {
    assertOurs(/^[A-Za-z0-9._-]+$/.test(name), `the schema name ${name} is not fit for a component`);
    const reference = { $ref: `#/components/schemas/${name}` };
    const known = components.get(name);
    if (known === undefined) components.set(name, schema);
    if (known === undefined || isDeepStrictEqual(known, schema)) return reference;
    const { description, ...bare } = schema as JsonSchema;
    const { description: _known, ...bareKnown } = known as JsonSchema;
    assertOurs(isDeepStrictEqual(bare, bareKnown), `two different schemas are called ${name}`);
    return description === undefined ? reference : { ...reference, description };
  }

  function lift(declared: JsonSchema, name?: string): object {
    const schema = asDocumented(declared);
    const values = valuesName(schema);
    if (values !== undefined && schema.$id === undefined) {
      const { type, enum: list, ...beside } = schema;
      return { ...add(values, { type, enum: list }), ...beside };
    }
    const form = formOf(schema);
    if (Object.keys(form).length > 0) {
      // The component has what is true of every such text; what a field says of its own stands beside the reference.
      const beside = Object.entries(schema).filter(
        ([key]) => key === "description" || !(key in form || key in bareText),
      );
      return { ...add(String(schema.$id), { type: "string", ...form }), ...Object.fromEntries(beside) };
    }
    const { $id = isStructured(schema) ? name : undefined, ...rest } = schema;
    const described = describe(rest, $id);
    return $id === undefined ? described : add($id, described);
  }

  function describe(schema: JsonSchema, name: string | undefined): object {
    const { anyOf, ...rest } = schema;
    const copy: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(rest)) {
      if (key === "properties" || key === "patternProperties") copy[key] = liftProperties(value as Properties);
      else if (schemaKeys.has(key) && typeof value === "object" && value !== null) {
        copy[key] = Array.isArray(value) ? value.map((one: JsonSchema) => lift(one)) : lift(value as JsonSchema);
      } else copy[key] = value;
    }
    // Without a word generators take 32 bits for either, which no time in milliseconds and few amounts fit in.
    if (rest.type === "integer" && !(Number(rest.maximum) < 2 ** 31)) copy.format ??= "int64";
    if (rest.type === "number") copy.format ??= "double";
    if (anyOf === undefined) return copy;
    return { ...describeUnion(anyOf.filter(isSpelling), name), ...copy };
  }

  function liftProperties(properties: Properties): Record<string, object> {
    const spelled = Object.entries(properties).filter(([, schema]) => isSpelling(schema));
    return Object.fromEntries(spelled.map(([key, schema]) => [key, lift(schema)]));
  }

  /** A union in the words that generators understand best: one list of values, a type that may be null, distinguished by a field. */
  function describeUnion(branches: readonly JsonSchema[], name: string | undefined): object {
    const [first, second] = branches;
    if (first !== undefined && second === undefined) return lift(first);
    if (branches.every(({ const: value }) => typeof value === "string")) {
      return { type: "string", enum: branches.map(({ const: value }) => value) };
    }
    if (second?.type === "null" && branches.length === 2 && isPlain(first)) {
      return { ...lift(first), type: [first.type, "null"] };
    }
    const field = reportingField(branches);
    const lifted = branches.map((branch) =>
      lift(branch, name && field && `${pascal(String(branch.properties?.[field]?.const))}${name}`),
    );
    const references = lifted.flatMap((one) => ("$ref" in one ? [one.$ref] : []));
    if (field === undefined || references.length < lifted.length) return { anyOf: lifted };
    const values = branches.map(({ properties }) => String(properties?.[field]?.const));
    return {
      oneOf: lifted,
      discriminator: {
        propertyName: field,
        mapping: Object.fromEntries(values.map((value, i) => [value, references[i]])),
      },
    };
  }

  return { lift, add, all: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

const bareText = { $id: "", type: "string" };

type Properties = Readonly<Record<string, JsonSchema>>;

const schemaKeys: ReadonlySet<string> = new Set(["oneOf", "allOf", "items", "additionalProperties", "not"]);

const isSpelling = (schema: JsonSchema): boolean => schema["x-other-spelling"] !== true;

/** Whether a schema is worth a name of its own that was not given to it. */
const isStructured = ({ properties, anyOf }: JsonSchema): boolean => properties !== undefined || anyOf !== undefined;

/** Lists of values that occur in several places: a type each for generated clients. */
const namedValues: Readonly<Record<string, readonly string[]>> = {
  Environment: environmentNames,
  EnvironmentHeader: environmentHeaderValues,
  PaymentState: paymentIntentStates,
  OrderFrequency: frequencies,
  OrderStatus: orderStates.all,
  KycStatus: verificationStatuses,
  Scope: scopes,
  TransactionKind: transactionKinds,
};

/** The field by whose constant the branches of a union are distinguished. */
function reportingField(branches: readonly JsonSchema[]): string | undefined {
  const [first] = branches;
  return Object.keys(first?.properties ?? {}).find((name) => {
    const values = branches.map(({ properties, required }) =>
      required?.includes(name) === true ? properties?.[name]?.const : undefined,
    );
    return values.every((value) => typeof value === "string") && new Set(values).size === values.length;
  });
}

/** `account_not_found`, `createAccount` or `add-signer` as a name for a type. */
export function pascal(name: string): string {
  return name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
