import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { cursor, int8, isBefore, listAnswer, pageOf, uuid } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import Type from "typebox";
import { isEventId } from "./get-event.js";
import { showAttempt, WebhookAttempt } from "./webhook-attempt.js";
import { getEndpointRow } from "./webhook-endpoint.js";

/** Everything older than an attempt. */
const place = cursor("a1", { at: int8, id: uuid });

/** Gap 92. */
export const listWebhookAttempts = endpoint(
  {
    operation: "listWebhookAttempts",
    summary: "List attempts at sending events",
    description: "The newest first; kept for 30 days.",
    tag: "Events",
    method: "GET",
    path: "/api/service/v1/webhook-endpoints/{endpoint_id}/attempts",
    scope: "webhooks:read",
    environment: "optional",
    params: Type.Object({ endpoint_id: Type.String() }),
    query: Type.Object({
      event_id: Type.Optional(Type.String({ description: "Only those of this event." })),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: limits.eventPageMax, default: limits.eventPageDefault }),
      ),
      cursor: Type.Optional(Type.String({ description: "From the page before." })),
    }),
    response: { status: 200, envelope: true, schema: Type.Array(WebhookAttempt) },
    errors: ["webhook_endpoint_not_found", "event_not_found", "invalid_cursor"],
  },
  async ({ db }: { readonly db: Db }, { params, query, network, caller }) => {
    const owner = { tenantId: caller.tenantId, environment: network.name };
    const { id } = await getEndpointRow(db, owner, params.endpoint_id);
    if (query.event_id !== undefined && !isEventId(query.event_id)) throw new TrellisError("event_not_found");
    const before = query.cursor === undefined ? undefined : place.decode(query.cursor);
    const limit = query.limit ?? limits.eventPageDefault;
    let select = db.selectFrom("webhook_attempt").selectAll().where("endpoint_id", "=", id);
    if (query.event_id !== undefined) select = select.where("event_id", "=", query.event_id);
    if (before !== undefined) select = select.where(isBefore({ attempted_at: before.at, id: before.id }));
    const rows = await select
      .orderBy("attempted_at", "desc")
      .orderBy("id", "desc")
      .limit(limit + 1)
      .execute();
    const page = pageOf(rows, limit, ({ attempted_at, id }) => place.encode({ at: attempted_at, id }));
    return listAnswer(page.rows.map(showAttempt), page.cursor);
  },
);
