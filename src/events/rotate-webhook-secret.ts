import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { sql } from "kysely";
import Type from "typebox";
import type { EndpointNeeds } from "./create-webhook-endpoint.js";
import { showSecret } from "./sign-webhook.js";
import {
  getEndpointRow,
  isSameSecret,
  makeNames,
  openSecret,
  secretContext,
  showEndpoint,
  WebhookEndpointWithSecret,
} from "./webhook-endpoint.js";

/** Gap 91. While both secrets are in force, every event carries two signatures. */
export const rotateWebhookSecret = endpoint(
  {
    operation: "rotateWebhookSecret",
    summary: "Rotate the secret of a webhook endpoint",
    description:
      "Answers a new secret. For `overlap_seconds` events are signed with the former one, too; with 0, after a leak, no " +
      "longer, whatever was promised before.",
    tag: "Events",
    method: "POST",
    path: "/api/service/v1/webhook-endpoints/{endpoint_id}/rotate-secret",
    scope: "webhooks:write",
    environment: "optional",
    params: Type.Object({ endpoint_id: Type.String() }),
    body: Type.Object({
      overlap_seconds: Type.Optional(
        Type.Integer({ minimum: 0, maximum: limits.secretOverlapMaxSeconds, default: limits.secretOverlapSeconds }),
      ),
    }),
    refusesNearMisses: true,
    response: { status: 200, envelope: true, schema: WebhookEndpointWithSecret },
    errors: ["webhook_endpoint_not_found", "secret_rotation_pending"],
  },
  async (needs: EndpointNeeds, { params, body, network, caller, operationId }) => {
    const { db, keyring, realClock } = needs;
    const owner = { tenantId: caller.tenantId, environment: network.name };
    const row = await getEndpointRow(db, owner, params.endpoint_id);
    const { secret } = makeNames(needs, operationId && `rotate/${row.id}/${operationId}`);
    const answer = (after: typeof row) => ({
      data: { ...showEndpoint(after, realClock.now()), secret: showSecret(secret) },
    });
    // An attempt before this one got as far.
    if (row.secret !== null && isSameSecret(openSecret(keyring, row.id, row.secret), secret)) return answer(row);
    const overlapMs = (body.overlap_seconds ?? limits.secretOverlapSeconds) * 1000;
    const realNow = realClock.now();
    const until = overlapMs === 0 ? null : realNow + overlapMs;
    const { rows } = await sql<typeof row>`update webhook_endpoint
      set previous_secret = case when ${until}::int8 is null then null else secret end, previous_secret_until = ${until}::int8,
        secret = ${keyring.wrap(secret, secretContext(row.id))}::bytea, updated_at = ${network.clock.now()}::int8
      where id = ${row.id} and status <> 'deleted'
        and (${until}::int8 is null or previous_secret_until is null or previous_secret_until <= ${realNow}::int8)
      returning *`.execute(db);
    const [after] = rows;
    if (after === undefined) {
      throw new TrellisError("secret_rotation_pending", { facts: { until: row.previous_secret_until?.toString() } });
    }
    return answer(after);
  },
);
