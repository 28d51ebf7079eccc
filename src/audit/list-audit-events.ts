import { endpoint } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import { cursor, int8, listAnswer, pageOf } from "@trellis/kernel/page.js";
import { environmentNames } from "@trellis/kernel/ports/environment.js";
import Type from "typebox";
import { AuditEvent, AuditEventType, showEntry } from "./audit-event.js";
import { listEntries } from "./audit-store.js";
import { type PublishNeeds, publishEntries } from "./publish-entries.js";

/** Everything older than an entry. */
const place = cursor("l1", { before: int8 });

/** Gap 180. What was committed before the call is in its answer. */
export const listAuditEvents = endpoint(
  {
    operation: "listAuditEvents",
    summary: "List entries of the audit log",
    description:
      "What was done with the tenant's keys, sessions, passkeys and policies, the newest first: entries of all environments " +
      "that the key opens, and those of none.",
    tag: "Audit log",
    method: "GET",
    path: "/api/service/v1/audit-events",
    scope: "audit:read",
    environment: "none",
    query: Type.Object({
      type: Type.Optional(AuditEventType),
      environment: Type.Optional(
        Type.Enum([...environmentNames], { description: "Only entries of this environment, and those of none." }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: limits.auditPageMax, default: limits.auditPageDefault }),
      ),
      cursor: Type.Optional(Type.String({ description: "x-next-cursor of the page before." })),
    }),
    response: { status: 200, envelope: true, schema: Type.Array(AuditEvent) },
    errors: ["invalid_cursor"],
  },
  async (needs: PublishNeeds, { query, caller }) => {
    const before = query.cursor === undefined ? undefined : place.decode(query.cursor).before;
    const limit = query.limit ?? limits.auditPageDefault;
    const { tenantId } = caller;
    const environments = caller.environments.filter(
      (name) => query.environment === undefined || name === query.environment,
    );
    await publishEntries(needs);
    const rows = await listEntries(
      needs.db,
      { tenantId, environments },
      { type: query.type, before, limit: limit + 1 },
    );
    const page = pageOf(rows, limit, (entry) => place.encode({ before: entry.place ?? 0n }));
    return listAnswer(page.rows.map(showEntry), page.cursor);
  },
);
