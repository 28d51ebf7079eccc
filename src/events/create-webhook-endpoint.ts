import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import type { WebhookSender } from "@trellis/kernel/ports/webhook-post.js";
import { sql } from "kysely";
import Type from "typebox";
import { showSecret } from "./sign-webhook.js";
import {
  checkUrl,
  Description,
  Filters,
  getEndpointRow,
  keepFilters,
  makeNames,
  openSecret,
  secretContext,
  showEndpoint,
  Url,
  WebhookEndpointWithSecret,
} from "./webhook-endpoint.js";

/** What changing endpoints asks of the world. */
export interface EndpointNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly realClock: Clock;
  readonly webhookSender: WebhookSender;
}

/** Gap 91. A repetition under its idempotency key finds the endpoint it made before, and answers its secret once more. */
export const createWebhookEndpoint = endpoint(
  {
    operation: "createWebhookEndpoint",
    summary: "Create a webhook endpoint",
    description:
      "Events of this environment are sent there from now on, signed as Standard Webhooks 1.0.0 say. The secret is in this " +
      "answer and nowhere else.",
    tag: "Events",
    method: "POST",
    path: "/api/service/v1/webhook-endpoints",
    scope: "webhooks:write",
    environment: "optional",
    body: Type.Object({ url: Url, types: Filters, description: Type.Optional(Description) }),
    refusesNearMisses: true,
    response: { status: 201, envelope: true, schema: WebhookEndpointWithSecret },
    errors: ["invalid_webhook_url", "unknown_event_type", "webhook_endpoint_limit"],
  },
  async (needs: EndpointNeeds, { body, network, caller, operationId }) => {
    const { db, keyring, realClock } = needs;
    const types = keepFilters(body.types);
    const owner = { tenantId: caller.tenantId, environment: network.name };
    const { id, secret } = makeNames(needs, operationId && `${owner.tenantId}/${owner.environment}/${operationId}`);
    const url = await checkUrl(needs.webhookSender, body.url, network.name);
    const now = network.clock.now();
    // The tenant's row holds back every other call that makes an endpoint, so that the number stays what it may be.
    const { rows } = await sql<{ id: string }>`
      with turn as materialized (select id from tenant where id = ${owner.tenantId} for update)
      insert into webhook_endpoint (id, tenant_id, environment, url, types, description, status, secret, created_at,
        updated_at)
      select ${id}, turn.id, ${owner.environment}, ${url}, ${types}::text[], ${body.description ?? null}::text,
        'enabled', ${keyring.wrap(secret, secretContext(id))}::bytea, ${now}::int8, ${now}::int8
      from turn where (select count(*) from webhook_endpoint where tenant_id = turn.id and environment = ${owner.environment}
        and object_id is null and status <> 'deleted') < ${limits.webhookEndpointsMax}
      on conflict (id) do nothing returning id`.execute(db);
    const row = rows.length > 0 || operationId !== undefined ? await findOwn(db, owner, id) : undefined;
    if (row?.secret == null) throw new TrellisError("webhook_endpoint_limit");
    const view = showEndpoint(row, realClock.now());
    return { data: { ...view, secret: showSecret(openSecret(keyring, id, row.secret)) } };
  },
);

async function findOwn(db: Db, owner: { readonly tenantId: string; readonly environment: string }, id: string) {
  try {
    return await getEndpointRow(db, owner, id);
  } catch (error) {
    if (error instanceof TrellisError && error.code === "webhook_endpoint_not_found") return undefined;
    throw error;
  }
}
