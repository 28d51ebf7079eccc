import { endpoint } from "@trellis/kernel/endpoint.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import Type from "typebox";
import { getEndpointRow, showEndpoint, WebhookEndpoint } from "./webhook-endpoint.js";

/** Gap 91. */
export const getWebhookEndpoint = endpoint(
  {
    operation: "getWebhookEndpoint",
    summary: "Get a webhook endpoint",
    tag: "Events",
    method: "GET",
    path: "/api/service/v1/webhook-endpoints/{endpoint_id}",
    scope: "webhooks:read",
    environment: "optional",
    params: Type.Object({ endpoint_id: Type.String() }),
    response: { status: 200, envelope: true, schema: WebhookEndpoint },
    errors: ["webhook_endpoint_not_found"],
  },
  async ({ db, realClock }: { readonly db: Db; readonly realClock: Clock }, { params, network, caller }) => {
    const owner = { tenantId: caller.tenantId, environment: network.name };
    return { data: showEndpoint(await getEndpointRow(db, owner, params.endpoint_id), realClock.now()) };
  },
);
