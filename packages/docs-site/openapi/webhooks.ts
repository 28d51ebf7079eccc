import type { TSchema } from "typebox";
import { jsonSchemaOf } from "../../../src/http/json-schema.js";
import type { SchemaComponents } from "./schemas.js";

/** One type of event. */
export interface EventDescription {
  readonly description: string;
  /** Of what its `data.object` is. */
  readonly schema: TSchema;
  readonly example: object;
}

/** Where the webhooks stand among the nouns. */
export const eventsTag = "Events";

/** Every type of event as a request that receivers get (OpenAPI 3.1 `webhooks`). */
export function describeWebhooks(
  events: Readonly<Record<string, EventDescription>>,
  { lift }: Pick<SchemaComponents, "lift">,
): Record<string, object> {
  const headers = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => ({
    name,
    in: "header",
    required: true,
    schema: { type: "string" },
  }));
  // One of each kind shows the form of all.
  const view = new Set<TSchema>();
  const isFirstOfItsKind = (schema: TSchema) => view.size < view.add(schema).size;
  return Object.fromEntries(
    Object.entries(events).map(([type, { description, schema, example }]) => [
      type,
      {
        post: {
          operationId: `on_${type.replaceAll(".", "_")}`,
          summary: type,
          description,
          tags: [eventsTag],
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
                        data: { type: "object", properties: { object: lift(jsonSchemaOf(schema)), sequence: {} } },
                      },
                    },
                  ],
                },
                ...(isFirstOfItsKind(schema)
                  ? {
                      example: {
                        id: "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                        type,
                        timestamp: "2026-01-15T12:00:00.000Z",
                        environment: "sandbox",
                        tenant: "default",
                        data: { object: example, sequence: 4_711 },
                      },
                    }
                  : {}),
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
