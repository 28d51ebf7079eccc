import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { sql } from "kysely";
import Type from "typebox";
import type { EndpointNeeds } from "./create-webhook-endpoint.js";
import { liveStates } from "./endpoint-states.js";
import {
  checkUrl,
  Description,
  Filters,
  getEndpointRow,
  keepFilters,
  showEndpoint,
  Url,
  WebhookEndpoint,
} from "./webhook-endpoint.js";

/** Gap 91. What an endpoint that is enabled again has not got yet is sent to it then. */
export const updateWebhookEndpoint = endpoint(
  {
    operation: "updateWebhookEndpoint",
    summary: "Change a webhook endpoint",
    description: "What is not named stays. Disabled, it gets nothing; enabled again, what was on its way.",
    tag: "Events",
    method: "PATCH",
    path: "/api/service/v1/webhook-endpoints/{endpoint_id}",
    scope: "webhooks:write",
    environment: "optional",
    params: Type.Object({ endpoint_id: Type.String() }),
    body: Type.Object(
      {
        url: Type.Optional(Url),
        types: Type.Optional(Filters),
        description: Type.Optional(Type.Union([Description, Type.Null()])),
        status: Type.Optional(Type.Enum([...liveStates])),
      },
      { examples: [{ status: "disabled" }] },
    ),
    refusesNearMisses: true,
    response: { status: 200, envelope: true, schema: WebhookEndpoint },
    errors: ["webhook_endpoint_not_found", "invalid_webhook_url", "unknown_event_type"],
  },
  async (needs: EndpointNeeds, { params, body, network, caller }) => {
    const owner = { tenantId: caller.tenantId, environment: network.name };
    const row = await getEndpointRow(needs.db, owner, params.endpoint_id);
    const types = body.types && keepFilters(body.types);
    // Also when it is enabled again: the address may have become another one.
    const isEnabled = body.status === "enabled" && row.status !== "enabled";
    const isMoved = body.url !== undefined && body.url !== row.url;
    const url = isMoved || isEnabled ? await checkUrl(needs.webhookSender, body.url ?? row.url, network.name) : row.url;
    const now = BigInt(network.clock.now());
    // The look-up of a name takes its time, in which others change it too: what is not named is not written.
    const changed = await needs.db
      .updateTable("webhook_endpoint")
      .set({
        ...(body.url === undefined ? {} : { url }),
        ...(types === undefined ? {} : { types }),
        ...(body.description === undefined ? {} : { description: body.description }),
        ...(body.status === undefined ? {} : changeOf(body.status, now)),
        updated_at: now,
      })
      .where("id", "=", row.id)
      .where("status", "<>", "deleted")
      .returningAll()
      .executeTakeFirst();
    if (changed === undefined) throw new TrellisError("webhook_endpoint_not_found");
    return { data: showEndpoint(changed, needs.realClock.now()) };
  },
);

/** What a status means for the rest of the row, unless it has that status already. */
function changeOf(status: "enabled" | "disabled", now: bigint) {
  const isNew = sql<boolean>`status <> ${status}`;
  return status === "enabled"
    ? {
        status: sql<"enabled">`'enabled'`,
        disabled_reason: null,
        failing_since: sql<bigint | null>`case when not ${isNew} then failing_since end`,
        next_due_at: sql<bigint | null>`case when ${isNew} then ${now}::int8 else next_due_at end`,
      }
    : {
        status: sql<"disabled">`'disabled'`,
        disabled_reason: sql<string | null>`case when ${isNew} then 'paused' else disabled_reason end`,
        next_due_at: null,
      };
}
