import { environmentNames } from "@trellis/kernel/ports/environment.js";

/** What `x-service-environment` may say (gap 1). */
export const environmentHeaderValues = [...environmentNames, "production"] as const;

export const sharedParameters = {
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
    description: "Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed.",
    schema: { type: "string" },
  },
};

export const sharedHeaders = {
  "x-request-id": { description: "The request's id, as in the body.", schema: { type: "string" } },
  "x-next-cursor": { description: "Where the next page begins; absent on the last.", schema: { type: "string" } },
  "x-complete-at": {
    description: "With CSV: as of when everything is in the list, as `complete_at` in `metadata`.",
    schema: { type: "string", format: "date-time" },
  },
  "content-disposition": { description: "With CSV: the name of the file.", schema: { type: "string" } },
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

/** References to shared headers, as answers carry them. */
export function headerRefs(names: readonly (keyof typeof sharedHeaders)[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function environmentParameter(required: boolean) {
  return {
    name: "x-service-environment",
    in: "header",
    required,
    description: required
      ? "The environment, always."
      : "The environment. May be left out when the API key has exactly one. `production` is `mainnet`.",
    schema: { type: "string", enum: environmentHeaderValues },
  };
}
