import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import Type from "typebox";
import type { DeliveryNeeds } from "./deliver-events.js";
import { isSuccess, post, storable } from "./deliver-events.js";
import { type CatalogueNeeds, parseEventType } from "./event-catalogue.js";
import { showEvent } from "./event-store.js";
import { showAttempt, WebhookAttempt } from "./webhook-attempt.js";
import { getEndpointRow } from "./webhook-endpoint.js";

/** Gap 92. It is no event: the feed does not have it. */
export const testWebhookEndpoint = endpoint(
  {
    operation: "testWebhookEndpoint",
    summary: "Try a webhook endpoint",
    description: "Sends the documented example of a type, marked `example`, and answers what the receiver answered.",
    tag: "Events",
    method: "POST",
    path: "/api/service/v1/webhook-endpoints/{endpoint_id}/test",
    scope: "webhooks:write",
    environment: "optional",
    params: Type.Object({ endpoint_id: Type.String() }),
    body: Type.Object({ type: Type.Optional(Type.String({ description: "Default: webhook.test." })) }),
    refusesNearMisses: true,
    response: { status: 200, envelope: true, schema: WebhookAttempt },
    errors: ["webhook_endpoint_not_found", "webhook_endpoint_disabled", "unknown_event_type"],
  },
  async (needs: CatalogueNeeds & Omit<DeliveryNeeds, "log">, { params, body, network, caller }) => {
    const owner = { tenantId: caller.tenantId, environment: network.name };
    const type = parseEventType(body.type ?? "webhook.test");
    const row = await getEndpointRow(needs.db, owner, params.endpoint_id);
    if (row.status !== "enabled") throw new TrellisError("webhook_endpoint_disabled");
    const now = network.clock.now();
    const id = `evt_${needs.random.uuid().replaceAll("-", "")}`;
    const event = showEvent({
      id,
      type,
      created_at: BigInt(now),
      environment: network.name,
      tenant_id: caller.tenantId,
      data: JSON.stringify(needs.eventCatalogue[type].example),
      previous_status: null,
      is_example: true,
      sequence: 0n,
    });
    const outcome = await post(needs, row, id, JSON.stringify(event));
    const attempt = {
      id: needs.random.uuid(),
      event_id: id,
      event_type: type,
      attempt: 1,
      is_delivered: isSuccess(outcome),
      response_status: outcome.kind === "answered" ? outcome.status : null,
      fault: outcome.kind === "failed" ? outcome.fault : null,
      response_body: outcome.kind === "answered" ? storable(outcome.body) : null,
      duration_ms: outcome.durationMs,
      attempted_at: BigInt(now),
    };
    await needs.db
      .insertInto("webhook_attempt")
      .values({ ...attempt, endpoint_id: row.id, environment: network.name })
      .execute();
    return { data: showAttempt(attempt) };
  },
);
