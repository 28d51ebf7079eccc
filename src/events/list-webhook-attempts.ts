import { Buffer } from "node:buffer";
import Type from "typebox";
import { endpoint } from "../kernel/endpoint.js";
import { TrellisError } from "../kernel/errors.js";
import { limits } from "../kernel/limits.js";
import type { Db } from "../ports/database.js";
import { isEventId } from "./get-event.js";
import { showAttempt, WebhookAttempt } from "./webhook-attempt.js";
import { getEndpointRow } from "./webhook-endpoint.js";

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
    const before = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
    const limit = query.limit ?? limits.eventPageDefault;
    let select = db.selectFrom("webhook_attempt").selectAll().where("endpoint_id", "=", id);
    if (query.event_id !== undefined) select = select.where("event_id", "=", query.event_id);
    if (before !== undefined) {
      select = select.where(({ eb, refTuple, tuple }) =>
        eb(refTuple("attempted_at", "id"), "<", tuple(before.at, before.id)),
      );
    }
    const rows = await select
      .orderBy("attempted_at", "desc")
      .orderBy("id", "desc")
      .limit(limit + 1)
      .execute();
    const data = rows.slice(0, limit).map(showAttempt);
    const last = rows[limit - 1];
    if (rows.length <= limit || last === undefined) return { data };
    const cursor = Buffer.from(`a1_${last.attempted_at}_${last.id}`).toString("base64url");
    return { data, headers: { "x-next-cursor": cursor }, metadata: { next_cursor: cursor } };
  },
);

function decodeCursor(cursor: string): { readonly at: bigint; readonly id: string } {
  const found = /^a1_([0-9]{1,18})_([0-9a-f-]{36})$/.exec(Buffer.from(cursor, "base64url").toString("latin1"));
  if (!found) throw new TrellisError("invalid_cursor", { field: "cursor" });
  return { at: BigInt(found[1] ?? 0), id: found[2] ?? "" };
}
