import Type from "typebox";
import { endpoint } from "../../endpoint.js";
import type { EndpointNeeds } from "./create-webhook-endpoint.js";
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
    body: Type.Object({
      url: Type.Optional(Url),
      types: Type.Optional(Filters),
      description: Type.Optional(Type.Union([Description, Type.Null()])),
      status: Type.Optional(Type.Enum(["enabled", "disabled"])),
    }),
    refusesNearMisses: true,
    response: { status: 200, envelope: true, schema: WebhookEndpoint },
    errors: ["webhook_endpoint_not_found", "invalid_webhook_url", "unknown_event_type"],
  },
  async (needs: EndpointNeeds, { params, body, network, caller }) => {
    const owner = { tenantId: caller.tenantId, environment: network.name };
    const row = await getEndpointRow(needs.db, owner, params.endpoint_id);
    const types = body.types === undefined ? row.types : keepFilters(body.types);
    const url = body.url ?? row.url;
    const isEnabled = (body.status ?? row.status) === "enabled";
    // Also when it is enabled again: the address may have become another one.
    if (url !== row.url || (isEnabled && row.status !== "enabled")) {
      await checkUrl(needs.webhookSender, url, network.name);
    }
    const now = BigInt(network.clock.now());
    const changed = await needs.db
      .updateTable("webhook_endpoint")
      .set({
        url,
        types,
        description: body.description === undefined ? row.description : body.description,
        updated_at: now,
        ...(isEnabled === (row.status === "enabled")
          ? {}
          : isEnabled
            ? { status: "enabled", disabled_reason: null, failing_since: null, next_due_at: now }
            : { status: "disabled", disabled_reason: "paused", next_due_at: null }),
      })
      .where("id", "=", row.id)
      .where("status", "<>", "deleted")
      .returningAll()
      .executeTakeFirst();
    return { data: showEndpoint(changed ?? row, needs.realClock.now()) };
  },
);
