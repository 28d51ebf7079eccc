import { endpoint } from "@trellis/kernel/endpoint.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import Type from "typebox";
import { getEndpointRow } from "./webhook-endpoint.js";

/** Gap 91. Deleting it again is the same; its secret is deleted. */
export const deleteWebhookEndpoint = endpoint(
  {
    operation: "deleteWebhookEndpoint",
    summary: "Delete a webhook endpoint",
    description: "Nothing is sent there any more, and its secret is forgotten.",
    tag: "Events",
    method: "DELETE",
    path: "/api/service/v1/webhook-endpoints/{endpoint_id}",
    scope: "webhooks:write",
    environment: "optional",
    params: Type.Object({ endpoint_id: Type.String() }),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({ id: Type.String(), deleted: Type.Literal(true) }),
    },
    errors: ["webhook_endpoint_not_found"],
  },
  async ({ db }: { readonly db: Db }, { params, network, caller }) => {
    const owner = { tenantId: caller.tenantId, environment: network.name };
    const { id } = await getEndpointRow(db, owner, params.endpoint_id, { orDeleted: true });
    await db
      .updateTable("webhook_endpoint")
      .set({
        status: "deleted",
        secret: null,
        previous_secret: null,
        previous_secret_until: null,
        next_due_at: null,
        updated_at: BigInt(network.clock.now()),
      })
      .where("id", "=", id)
      .where("status", "<>", "deleted")
      .execute();
    return { data: { id, deleted: true as const } };
  },
);
