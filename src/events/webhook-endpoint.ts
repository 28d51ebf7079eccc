import { Buffer } from "node:buffer";
import { createHash, createHmac } from "node:crypto";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { DbOrTrx, WebhookEndpointTable } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import type { TargetFault, WebhookSender } from "@trellis/kernel/ports/webhook-post.js";
import type { Selectable } from "kysely";
import Type, { type Static } from "typebox";
import { liveStates } from "./endpoint-states.js";
import { trimFilter } from "./event-types.js";
import { typesOf } from "./list-events.js";

/** A row. */
export type WebhookEndpointRow = Selectable<WebhookEndpointTable>;

const fields = {
  id: Type.String({ examples: ["we_…"] }),
  url: Type.String(),
  types: Type.Array(Type.String()),
  description: Type.Optional(Type.String()),
  status: Type.Enum([...liveStates]),
  disabled_reason: Type.Optional(
    Type.Enum(["gone", "failing", "paused"], {
      description: "It answered 410, failed for too long, or was paused.",
    }),
  ),
  failing_since: Type.Optional(Type.String({ format: "date-time", description: "Nothing has arrived since." })),
  former_secret_until: Type.Optional(
    Type.String({ format: "date-time", description: "Until then events are signed with the former secret, too." }),
  ),
  created_at: Type.String({ format: "date-time" }),
  updated_at: Type.String({ format: "date-time" }),
};

/** Where events are sent, as answers show it (gap 91). */
export const WebhookEndpoint = Type.Object(fields, { $id: "WebhookEndpoint" });
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

/** The same with its secret, in the only answer that has it. */
export const WebhookEndpointWithSecret = Type.Object(
  {
    ...fields,
    secret: Type.String({ description: "`whsec_…`. It is not returned again." }),
  },
  { $id: "WebhookEndpointWithSecret" },
);

/** What requests may say of one. */
export const Url = Type.String({ maxLength: 2_048, examples: ["https://example.org/hooks"] });
export const Filters = Type.Array(Type.String({ maxLength: 64 }), {
  minItems: 1,
  maxItems: limits.webhookFiltersMax,
  description: "Types, or their beginnings up to a dot (`proposal` takes all of `proposal.*`); `*` is everything.",
  examples: [["*"]],
});
export const Description = Type.String({ maxLength: 200 });

/** The wire form of a row. `realNow`: Unix milliseconds. */
export function showEndpoint(row: WebhookEndpointRow, realNow: number): WebhookEndpoint {
  const until = row.previous_secret_until;
  return {
    id: row.id,
    url: row.url,
    types: row.types,
    ...(row.description === null ? {} : { description: row.description }),
    status: row.status === "enabled" ? "enabled" : "disabled",
    ...(row.disabled_reason === null ? {} : { disabled_reason: row.disabled_reason as "gone" | "failing" | "paused" }),
    ...(row.failing_since === null ? {} : { failing_since: new Date(Number(row.failing_since)).toISOString() }),
    ...(until === null || Number(until) <= realNow
      ? {}
      : { former_secret_until: new Date(Number(until)).toISOString() }),
    created_at: new Date(Number(row.created_at)).toISOString(),
    updated_at: new Date(Number(row.updated_at)).toISOString(),
  };
}

/** Filters in the form in which they are kept. Throws `unknown_event_type`. */
export function keepFilters(filters: readonly string[]): string[] {
  typesOf(filters, (i) => `types.${i}`);
  const trimmed = [...new Set(filters.map((filter) => (filter === "*" ? filter : trimFilter(filter))))];
  return trimmed.includes("*") ? ["*"] : trimmed;
}

const reasons: Record<TargetFault, string> = {
  invalid_url: "must be an https URL of a public address on an allowed port, without user name and fragment",
  private_address: "leads to an address that is not a public one",
  unknown_host: "has a name without an address",
};

/**
 * A URL that events may be sent to (gap 93), as it is dialled: what is stored and returned is that, however it was spelled.
 * Throws `invalid_webhook_url` for any other, and for one with blanks or control characters, which a URL does not have.
 */
export async function checkUrl(
  sender: WebhookSender,
  url: string,
  environment: EnvironmentName,
  field = "url",
): Promise<string> {
  const fault = /[\s\p{Cc}]/u.test(url) ? "invalid_url" : await sender.check(url, rulesOf(environment));
  if (fault === undefined) return new URL(url).href;
  throw new TrellisError("invalid_webhook_url", {
    field,
    message: `${field} ${reasons[fault]}.`,
    facts: { reason: fault },
  });
}

/** A developer's receiver stands beside the sandbox. */
export const rulesOf = (environment: string) => ({ allowsLoopback: environment === "sandbox" });

/** An endpoint of this owner's. Throws `webhook_endpoint_not_found`. */
export async function getEndpointRow(
  db: DbOrTrx,
  owner: { readonly tenantId: string; readonly environment: string },
  id: string,
  more: { readonly orDeleted: boolean } = { orDeleted: false },
): Promise<WebhookEndpointRow> {
  const row = /^we_[0-9a-f]{32}$/.test(id)
    ? await db
        .selectFrom("webhook_endpoint")
        .selectAll()
        .where("id", "=", id)
        .where("tenant_id", "=", owner.tenantId)
        .where("environment", "=", owner.environment)
        .executeTakeFirst()
    : undefined;
  if (row === undefined || (row.status === "deleted" && !more.orDeleted)) {
    throw new TrellisError("webhook_endpoint_not_found");
  }
  return row;
}

/** What a stored secret is bound to. */
export const secretContext = (id: string): string => `webhook_endpoint/${id}`;

/** The bytes of a stored secret. */
export const openSecret = (keyring: Keyring, id: string, sealed: Uint8Array): Uint8Array =>
  keyring.unwrap(sealed, secretContext(id));

/**
 * A name and a secret for what one operation makes: the same for every attempt under an idempotency key, so that a
 * repetition finds what an attempt before it made, and can answer its secret once more.
 */
export function makeNames(
  needs: { readonly keyring: Keyring; readonly random: Random },
  operationId: string | undefined,
): { readonly id: string; readonly secret: Uint8Array } {
  const seed = operationId ?? needs.random.uuid();
  const id = `we_${createHash("sha256").update(`webhook-endpoint/${seed}`).digest("hex").slice(0, 32)}`;
  const secret =
    operationId === undefined
      ? needs.random.bytes(32)
      : new Uint8Array(createHmac("sha256", needs.keyring.deriveSecret("webhook-secret")).update(seed).digest());
  return { id, secret };
}

export const isSameSecret = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
