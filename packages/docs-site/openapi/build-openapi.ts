import { type CsvForm, writeCsv } from "@trellis/kernel/csv.js";
import type { Contract } from "@trellis/kernel/endpoint.js";
import { assertOurs } from "@trellis/kernel/errors.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { isIdempotent } from "../../../src/http/idempotent-runs.js";
import { type JsonSchema, jsonSchemaOf } from "../../../src/http/json-schema.js";
import { operationalContracts } from "../../../src/http/operational-endpoints.js";
import { sandboxRpcContract } from "../../../src/http/sandbox-rpc.js";
import { type DescribedErrors, describeErrors } from "./errors.js";
import { exampleOfAnswer, exampleOfBody } from "./examples.js";
import { headerRefs, sharedHeaders, sharedParameters } from "./headers.js";
import { linksOf } from "./links.js";
import { createSchemaComponents, pascal, type SchemaComponents } from "./schemas.js";
import { describeTags } from "./tags.js";
import { describeWebhooks, type EventDescription, eventsTag } from "./webhooks.js";

/** An OpenAPI 3.1 document, as far as this code reads one. */
export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: Readonly<Record<string, unknown>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [field: string]: unknown;
}

/** As `altered-transaction.ts` finds them. */
const TransactionAlteration = Type.Object(
  {
    what: Type.String({
      description:
        "`instructions_added`, `instructions_removed` or `instructions_changed`, each with `program` and `count`; " +
        "`instructions_reordered`, `compute_unit_limit`, `compute_unit_price`, `heap_frame`, `compute_budget`, `fee_payer`, " +
        "`blockhash`, `version`, `signers`, `accounts`; others may be added.",
    }),
    program: Type.Optional(addressText()),
    count: Type.Optional(Type.Integer()),
  },
  { $id: "TransactionAlteration", description: "One difference between what was prepared and what was submitted." },
);

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
          alterations: Type.Optional(
            Type.Array(TransactionAlteration, {
              description:
                "With `transaction_not_prepared`: what the signer's wallet changed in the prepared transaction.",
            }),
          ),
        },
        { $id: "ErrorDetail", additionalProperties: true },
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

/**
 * Describes every operation as OpenAPI 3.1, read off the same contracts that route and validate: a pure function of
 * them. Schemas with an `$id` become components, and what is sent or answered without one is called by its operation; two
 * different schemas under one `$id` are a bug of ours (gap 129).
 */
export function buildOpenApi(
  endpoints: readonly { readonly contract: Contract }[],
  options: {
    readonly version: string;
    readonly serverUrl?: string;
    /** What receivers are sent, by type. */
    readonly events?: Readonly<Record<string, EventDescription>>;
    /** Only the operations of this noun, with what they refer to; a document that is read whole. */
    readonly tag?: string;
  },
): OpenApiDocument {
  const { tag, version, events = {} } = options;
  const contracts = [...endpoints.map(({ contract }) => contract), sandboxRpcContract, ...operationalContracts].filter(
    (contract) => tag === undefined || contract.tag === tag,
  );
  const schemas = createSchemaComponents();
  schemas.lift(jsonSchemaOf(ErrorBody));
  schemas.lift(jsonSchemaOf(ResponseMetadata));

  const errors = describeErrors(contracts);
  const paths: Record<string, Record<string, unknown>> = {};
  const operations = new Set<string>();
  for (const { operation } of contracts) {
    assertOurs(!operations.has(operation), `two operations are called ${operation}`);
    operations.add(operation);
  }
  for (const contract of contracts) {
    const methods = paths[contract.path] ?? {};
    paths[contract.path] = methods;
    const method = contract.method.toLowerCase();
    assertOurs(!(method in methods), `two operations answer ${contract.method} ${contract.path}`);
    methods[method] = describeOperation(contract, schemas, errors, operations);
  }

  const webhooks = describeWebhooks(tag === undefined || tag === eventsTag ? events : {}, schemas);
  return {
    openapi: "3.1.0",
    info: {
      title: tag === undefined ? "Trellis" : `Trellis: ${tag}`,
      version,
      summary: "A self-hosted smart account service for Solana.",
      description:
        "What it does and how: [the documentation](/docs/). Every answer carries `x-request-id`. Every error has the one body `Error`; branch on its `code`. " +
        "Keys go into `Authorization: Bearer`, the environment into `x-service-environment`.",
      contact: { name: "The operator of this service" },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: options.serverUrl ?? "/" }],
    tags: describeTags(contracts),
    paths,
    ...(Object.keys(webhooks).length === 0 ? {} : { webhooks }),
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key: `sk_test_…` or `sk_live_…`." },
        publishableKey: {
          type: "http",
          scheme: "bearer",
          description: "A publishable key, `pk_test_…` or `pk_live_…`, from a page of one of its origins.",
        },
        session: {
          type: "apiKey",
          in: "header",
          name: "x-session-token",
          description: "The `token` of a session: proof of who is signed in.",
        },
        member: {
          type: "apiKey",
          in: "cookie",
          name: "__Host-trellis_console",
          description:
            "A member's session of the console, from its own pages. `trellis_console` where the public URL is not https.",
        },
        csrfToken: {
          type: "apiKey",
          in: "header",
          name: "x-csrf-token",
          description: "The `csrf_token` of the member's session.",
        },
      },
      parameters: liftParameters(schemas),
      headers: sharedHeaders,
      responses: errors.shared,
      schemas: schemas.all(),
    },
  };
}

function describeOperation(
  contract: Contract,
  schemas: SchemaComponents,
  errors: DescribedErrors,
  operations: ReadonlySet<string>,
): object {
  const { response, scope, description = `${contract.summary}.` } = contract;
  const links = linksOf(contract.operation, operations);
  return {
    operationId: contract.operation,
    summary: contract.summary,
    description: scope === null ? description : `${description} Scope: \`${scope}\`.`,
    tags: [contract.tag],
    security: securityOf(contract),
    ...(scope === null ? {} : { "x-required-scope": scope }),
    parameters: describeParameters(contract, schemas),
    ...(contract.body === undefined
      ? {}
      : {
          requestBody: {
            required: contract.bodyMayBeAbsent !== true,
            content: {
              "application/json": {
                schema: schemas.lift(jsonSchemaOf(contract.body), `${pascal(contract.operation)}Request`),
                example: exampleOfBody(contract),
              },
            },
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
          ...(response.csv === undefined ? [] : (["x-complete-at", "content-disposition"] as const)),
        ]),
        content: {
          "application/json": { schema: describeAnswer(contract, schemas), example: exampleOfAnswer(contract) },
          ...(response.csv === undefined ? {} : { "text/csv": describeCsv(response.csv, contract) }),
        },
        ...(links === undefined ? {} : { links }),
      },
      ...(response.emptyWhen === undefined
        ? {}
        : { 204: { description: response.emptyWhen, headers: headerRefs(["x-request-id"]) } }),
      ...errors.of(contract),
    },
  };
}

function describeCsv(form: CsvForm, contract: Contract): object {
  const { data } = exampleOfAnswer(contract) as { readonly data: readonly unknown[] };
  return { schema: { type: "string" }, example: writeCsv(form, data) };
}

const liftParameters = (schemas: SchemaComponents): Record<string, object> =>
  Object.fromEntries(
    Object.entries(sharedParameters).map(([name, one]) => [name, { ...one, schema: schemas.lift(one.schema) }]),
  );

/** What a success answers; an envelope is called by what is in it. */
function describeAnswer({ operation, response }: Contract, schemas: SchemaComponents): object {
  const data: { $ref?: string; items?: { $ref?: string } } = schemas.lift(
    jsonSchemaOf(response.schema),
    `${pascal(operation)}Result`,
  );
  if (!response.envelope) return data;
  const named = data.$ref ?? data.items?.$ref;
  const name = named === undefined ? pascal(operation) : named.slice(named.lastIndexOf("/") + 1);
  return schemas.add(`${name}${data.items === undefined ? "" : "List"}Answer`, {
    type: "object",
    required: ["data", "metadata"],
    properties: { data, metadata: { $ref: "#/components/schemas/ResponseMetadata" } },
  });
}

/** The ways in: any one of them will do, and all that stands in it is needed together. */
function securityOf(contract: Contract): Record<string, string[]>[] {
  const { scope, publishable, needsSession, takesSession } = contract;
  const member = { member: [], ...(contract.method === "GET" ? {} : { csrfToken: [] }) };
  if (scope === null) return contract.console === "member" ? [member] : [];
  const session: Record<string, string[]> = { session: [] };
  return [
    { apiKey: [], ...(needsSession === true ? session : {}) },
    { ...member, ...(needsSession === true ? session : {}) },
    ...(takesSession === true ? [{ apiKey: [], ...session }] : []),
    ...(publishable === undefined
      ? []
      : [{ publishableKey: [], ...(publishable === "open" && needsSession !== true ? {} : session) }]),
  ];
}

function describeParameters(contract: Contract, { lift }: SchemaComponents): object[] {
  const { params, query, environment, path } = contract;
  const named = params ? jsonSchemaOf(params) : {};
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => {
    const schema = named.properties?.[name];
    assertOurs(schema, `${contract.operation} does not describe the path parameter ${name}`);
    return parameter("path", name, true, schema, lift);
  });
  const asked = query ? jsonSchemaOf(query) : {};
  const inQuery = Object.entries(asked.properties ?? {}).map(([name, schema]) =>
    parameter("query", name, asked.required?.includes(name) ?? false, schema, lift),
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
  lift: SchemaComponents["lift"],
): object {
  const { description, ...rest } = schema;
  return { name, in: place, required, ...(description === undefined ? {} : { description }), schema: lift(rest) };
}

function hasPages(contract: Contract): boolean {
  return contract.query !== undefined && "cursor" in (jsonSchemaOf(contract.query).properties ?? {});
}
