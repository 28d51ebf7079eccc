import { isDeepStrictEqual } from "node:util";
import Type, { type TSchema } from "typebox";
import type { Contract } from "../endpoint.js";
import { assertOurs, type ErrorCode, errorCatalogue, wireCode } from "../errors.js";
import { isIdempotent } from "./idempotent-runs.js";
import { type JsonSchema, jsonSchemaOf } from "./json-schema.js";
import { operationalContracts } from "./operational-endpoints.js";
import { sandboxRpcContract } from "./sandbox-rpc.js";

/** An OpenAPI 3.1 document, as far as anybody here looks into one. */
export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: Readonly<Record<string, unknown>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [field: string]: unknown;
}

const ErrorBody = Type.Object(
  {
    message: Type.String({ description: "For people." }),
    code: Type.String({ description: "For programs: permanent, one catalogue." }),
    details: Type.Array(
      Type.Object(
        {
          field: Type.Optional(Type.String({ description: "Dotted path: `policies.signers.0.address`." })),
          code: Type.String(),
          message: Type.String(),
          suggestion: Type.Optional(Type.String()),
          documentation: Type.Optional(Type.String()),
        },
        { additionalProperties: true },
      ),
      { minItems: 1 },
    ),
    timestamp: Type.String({ format: "date-time" }),
    request_id: Type.String(),
  },
  {
    $id: "Error",
    examples: [
      {
        message: "threshold must be a whole number.",
        code: "invalid_request",
        details: [{ field: "threshold", code: "field_wrong_type", message: "threshold must be a whole number." }],
        timestamp: "2026-03-01T12:00:00.000Z",
        request_id: "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
      },
    ],
  },
);

const ResponseMetadata = Type.Object(
  {
    request_id: Type.String(),
    timestamp: Type.String({ format: "date-time" }),
    next_cursor: Type.Optional(Type.String({ description: "On lists: where the next page begins." })),
    complete_at: Type.Optional(
      Type.String({
        format: "date-time",
        description: "On transfers and transactions: as of when the list has everything, by the environment's clock.",
      }),
    ),
  },
  { $id: "ResponseMetadata" },
);

const authenticationErrors: readonly ErrorCode[] = [
  "api_key_required",
  "invalid_api_key",
  "api_key_disabled",
  "api_key_expired",
];

/**
 * Describes every operation as OpenAPI 3.1, read off the same contracts that route and validate: a pure function of
 * them. Schemas with an `$id` become components; two different schemas under one `$id` are a bug of ours.
 */
export function buildOpenApi(
  endpoints: readonly { readonly contract: Contract }[],
  options: {
    readonly version: string;
    readonly serverUrl?: string;
    /** What receivers are sent, by type. */
    readonly events?: Readonly<Record<string, EventDescription>>;
  },
): OpenApiDocument {
  const contracts = [...endpoints.map(({ contract }) => contract), sandboxRpcContract, ...operationalContracts];
  const schemas = new Map<string, unknown>();
  const toSchema = (schema: JsonSchema) => hoist(schema, schemas);
  toSchema(jsonSchemaOf(ErrorBody));
  toSchema(jsonSchemaOf(ResponseMetadata));

  const responses: Record<string, object> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  const operations = new Set<string>();
  for (const contract of contracts) {
    assertOurs(!operations.has(contract.operation), `two operations are called ${contract.operation}`);
    operations.add(contract.operation);
    const methods = paths[contract.path] ?? {};
    paths[contract.path] = methods;
    const method = contract.method.toLowerCase();
    assertOurs(!(method in methods), `two operations answer ${contract.method} ${contract.path}`);
    methods[method] = describeOperation(contract, toSchema, responses);
  }

  const webhooks = describeWebhooks(options.events ?? {}, toSchema);
  return {
    openapi: "3.1.0",
    info: {
      title: "Trellis",
      version: options.version,
      summary: "A self-hosted smart account service for Solana.",
      description:
        "Every answer carries `x-request-id`. Every error has the one body `Error`; branch on its `code`. " +
        "Keys go into `Authorization: Bearer`, the environment into `x-service-environment`.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: options.serverUrl ?? "/" }],
    tags: [...new Set(contracts.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    ...(Object.keys(webhooks).length === 0 ? {} : { webhooks }),
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key: `sk_test_…` or `sk_live_…`." },
      },
      parameters: sharedParameters,
      headers: sharedHeaders,
      responses,
      schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

/** One type of event. */
export interface EventDescription {
  readonly description: string;
  /** Of what its `data.object` is. */
  readonly schema: TSchema;
  readonly example: object;
}

/** Every type of event as a request that receivers get (OpenAPI 3.1 `webhooks`). */
function describeWebhooks(
  events: Readonly<Record<string, EventDescription>>,
  toSchema: (schema: JsonSchema) => unknown,
): Record<string, object> {
  const headers = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => ({
    name,
    in: "header",
    required: true,
    schema: { type: "string" },
  }));
  return Object.fromEntries(
    Object.entries(events).map(([type, { description, schema, example }]) => [
      type,
      {
        post: {
          operationId: `on_${type.replaceAll(".", "_")}`,
          summary: type,
          description,
          tags: ["Events"],
          security: [],
          parameters: headers,
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: {
                  allOf: [
                    { $ref: "#/components/schemas/Event" },
                    {
                      type: "object",
                      properties: {
                        type: { const: type },
                        data: { type: "object", properties: { object: toSchema(jsonSchemaOf(schema)) } },
                      },
                    },
                  ],
                },
                example: {
                  id: "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                  type,
                  timestamp: "2026-01-15T12:00:00.000Z",
                  environment: "sandbox",
                  tenant: "default",
                  data: { object: example, sequence: 4_711 },
                },
              },
            },
          },
          responses: {
            "2XX": { description: "It has arrived." },
            "410": { description: "Nothing more is sent to this endpoint." },
            default: { description: "It is sent again later." },
          },
        },
      },
    ]),
  );
}

const sharedParameters = {
  environment: environmentParameter(false),
  environmentRequired: environmentParameter(true),
  idempotencyKey: {
    name: "x-idempotency-key",
    in: "header",
    required: false,
    description:
      "Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
  requestId: {
    name: "x-request-id",
    in: "header",
    required: false,
    description: "Your own name for this request; made when absent or malformed.",
    schema: { type: "string", pattern: "^[A-Za-z0-9._-]{1,128}$" },
  },
};

const sharedHeaders = {
  "x-request-id": { description: "The request's id, as in the body.", schema: { type: "string" } },
  "x-next-cursor": { description: "Where the next page begins; absent on the last.", schema: { type: "string" } },
  "idempotent-replayed": {
    description: "`true` when this is the recorded answer of an earlier request with the same idempotency key.",
    schema: { type: "string", enum: ["true"] },
  },
  "ratelimit-limit": { description: "Requests a minute for this API key.", schema: { type: "integer" } },
  "ratelimit-remaining": { description: "Requests that would pass at once.", schema: { type: "integer" } },
  "ratelimit-reset": { description: "Seconds until the whole limit is free again.", schema: { type: "integer" } },
  "retry-after": { description: "Seconds until a retry makes sense.", schema: { type: "integer" } },
  "www-authenticate": { description: "The scheme to authenticate with.", schema: { type: "string" } },
};

type HeaderName = keyof typeof sharedHeaders;

function environmentParameter(required: boolean): object {
  return {
    name: "x-service-environment",
    in: "header",
    required,
    description: required
      ? "The environment, always."
      : "The environment. May be left out when the API key has exactly one. `production` is `mainnet`.",
    schema: { type: "string", enum: ["sandbox", "devnet", "mainnet", "production"] },
  };
}

function describeOperation(
  contract: Contract,
  toSchema: (schema: JsonSchema) => unknown,
  sharedResponses: Record<string, object>,
): object {
  const { response, scope } = contract;
  const data = toSchema(jsonSchemaOf(response.schema));
  const schema = response.envelope
    ? {
        type: "object",
        required: ["data", "metadata"],
        properties: { data, metadata: { $ref: "#/components/schemas/ResponseMetadata" } },
      }
    : data;
  return {
    operationId: contract.operation,
    summary: contract.summary,
    ...(contract.description === undefined ? {} : { description: contract.description }),
    tags: [contract.tag],
    security: scope === null ? [] : [{ apiKey: [scope] }],
    parameters: describeParameters(contract, toSchema),
    ...(contract.body === undefined
      ? {}
      : {
          requestBody: {
            required: contract.bodyMayBeAbsent !== true,
            content: { "application/json": { schema: toSchema(jsonSchemaOf(contract.body)) } },
          },
        }),
    responses: {
      [response.status]: {
        description: response.status === 201 ? "Created." : "Done.",
        headers: headerRefs([
          "x-request-id",
          ...(scope === null ? [] : (["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"] as const)),
          ...(hasPages(contract) ? (["x-next-cursor"] as const) : []),
          ...(isIdempotent(contract) ? (["idempotent-replayed"] as const) : []),
        ]),
        content: { "application/json": { schema } },
      },
      ...(response.emptyWhen === undefined
        ? {}
        : { 204: { description: response.emptyWhen, headers: headerRefs(["x-request-id"]) } }),
      ...describeErrors(contract, sharedResponses),
    },
  };
}

function describeParameters(contract: Contract, toSchema: (schema: JsonSchema) => unknown): object[] {
  const { params, query, environment, path } = contract;
  const named = params ? jsonSchemaOf(params) : {};
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => {
    const schema = named.properties?.[name];
    assertOurs(schema, `${contract.operation} does not describe the path parameter ${name}`);
    return parameter("path", name, true, schema, toSchema);
  });
  const asked = query ? jsonSchemaOf(query) : {};
  const inQuery = Object.entries(asked.properties ?? {}).map(([name, schema]) =>
    parameter("query", name, asked.required?.includes(name) ?? false, schema, toSchema),
  );
  const shared = (name: keyof typeof sharedParameters) => ({ $ref: `#/components/parameters/${name}` });
  return [
    ...inPath,
    ...inQuery,
    ...(environment === "none" ? [] : [shared(environment === "required" ? "environmentRequired" : "environment")]),
    ...(isIdempotent(contract) ? [shared("idempotencyKey")] : []),
    shared("requestId"),
  ];
}

function parameter(
  place: "path" | "query",
  name: string,
  required: boolean,
  schema: JsonSchema,
  toSchema: (schema: JsonSchema) => unknown,
): object {
  const { description, ...rest } = schema;
  return { name, in: place, required, ...(description === undefined ? {} : { description }), schema: toSchema(rest) };
}

/** The errors of an operation by status; what is the same for many operations becomes a component. */
function describeErrors(contract: Contract, sharedResponses: Record<string, object>): Record<string, object> {
  const codesByStatus = new Map<number, Set<ErrorCode>>();
  for (const code of [...contract.errors, ...floorErrors(contract)]) {
    const status = errorCatalogue[code][0];
    codesByStatus.set(status, (codesByStatus.get(status) ?? new Set()).add(code));
  }
  const described: Record<string, object> = {};
  for (const [status, codes] of codesByStatus) {
    const response = describeError(status, [...codes]);
    const isOwn = contract.errors.some((code) => codes.has(code));
    const name = isOwn ? undefined : `Error${status}`;
    if (name !== undefined) sharedResponses[name] ??= response;
    described[String(status)] =
      name !== undefined && isDeepStrictEqual(sharedResponses[name], response)
        ? { $ref: `#/components/responses/${name}` }
        : response;
  }
  return described;
}

function describeError(status: number, codes: readonly ErrorCode[]): object {
  return {
    description: codes.map((code) => `- \`${wireCode(code)}\`: ${errorCatalogue[code][1]}`).join("\n"),
    headers: headerRefs([
      "x-request-id",
      ...(status === 429 || status === 409 ? (["retry-after"] as const) : []),
      ...(status === 401 ? (["www-authenticate"] as const) : []),
    ]),
    content: {
      "application/json": {
        schema: {
          allOf: [
            { $ref: "#/components/schemas/Error" },
            { type: "object", properties: { code: { enum: [...new Set(codes.map(wireCode))] } } },
          ],
        },
      },
    },
  };
}

/** What any operation with these guards and parts can answer before its handler runs. */
function floorErrors(contract: Contract): ErrorCode[] {
  const { scope, environment, body, query, params } = contract;
  return [
    ...(scope === null ? [] : [...authenticationErrors, "insufficient_scope" as const, "rate_limit_exceeded" as const]),
    ...(environment === "none" ? [] : (["invalid_environment", "environment_not_available"] as const)),
    ...(environment === "optional" || environment === "required" ? (["environment_required"] as const) : []),
    ...(body || query || params ? (["invalid_request"] as const) : []),
    ...(body ? (["malformed_json", "body_too_large", "unsupported_media_type"] as const) : []),
    ...(isIdempotent(contract)
      ? (["invalid_idempotency_key", "idempotency_key_reused", "idempotency_in_progress"] as const)
      : []),
    "internal_error",
  ];
}

function hasPages(contract: Contract): boolean {
  return contract.query !== undefined && "cursor" in (jsonSchemaOf(contract.query).properties ?? {});
}

function headerRefs(names: readonly HeaderName[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** A copy of the schema in which every named schema is a reference to its component. */
function hoist(schema: JsonSchema, components: Map<string, unknown>): unknown {
  const { $id, ...rest } = schema;
  const copy = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, hoistIn(key, value, components)]));
  if ($id === undefined) return copy;
  assertOurs(/^[A-Za-z0-9._-]+$/.test($id), `the schema name ${$id} is not fit for a component`);
  const known = components.get($id);
  assertOurs(known === undefined || isDeepStrictEqual(known, copy), `two different schemas are called ${$id}`);
  components.set($id, copy);
  return { $ref: `#/components/schemas/${$id}` };
}

const schemaMaps = new Set(["properties", "patternProperties"]);
const schemaLists = new Set(["anyOf", "oneOf", "allOf", "items", "additionalProperties", "not"]);

function hoistIn(key: string, value: unknown, components: Map<string, unknown>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (schemaMaps.has(key)) {
    return Object.fromEntries(
      Object.entries(value as Record<string, JsonSchema>).map(([name, schema]) => [name, hoist(schema, components)]),
    );
  }
  if (!schemaLists.has(key)) return value;
  return Array.isArray(value)
    ? (value as JsonSchema[]).map((schema) => hoist(schema, components))
    : hoist(value as JsonSchema, components);
}
