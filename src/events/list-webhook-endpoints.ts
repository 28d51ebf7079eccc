import { endpoint } from "@trellis/kernel/endpoint.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import Type from "typebox";
import { showEndpoint, WebhookEndpoint } from "./webhook-endpoint.js";

/** Gap 91. There are so few that one answer holds them. */
export const listWebhookEndpoints = endpoint(
  {
    operation: "listWebhookEndpoints",
    summary: "List webhook endpoints",
    description: "All of this environment, the oldest first, without those that an intent created.",
    tag: "Events",
    method: "GET",
    path: "/api/service/v1/webhook-endpoints",
    scope: "webhooks:read",
    environment: "optional",
    response: { status: 200, envelope: true, schema: Type.Array(WebhookEndpoint) },
    errors: [],
  },
  async ({ db, realClock }: { readonly db: Db; readonly realClock: Clock }, { network, caller }) => {
    const rows = await db
      .selectFrom("webhook_endpoint")
      .selectAll()
      .where("tenant_id", "=", caller.tenantId)
      .where("environment", "=", network.name)
      .where("object_id", "is", null)
      .where("status", "<>", "deleted")
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    return { data: rows.map((row) => showEndpoint(row, realClock.now())) };
  },
);
