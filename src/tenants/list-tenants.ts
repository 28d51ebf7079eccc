import { Buffer } from "node:buffer";
import Type from "typebox";
import { endpoint } from "../kernel/endpoint.js";
import { TrellisError } from "../kernel/errors.js";
import { limits } from "../kernel/limits.js";
import type { Db } from "../ports/database.js";
import { showTenant, Tenant } from "./shown-tenant.js";
import { listTenants as findTenants, tenantIdForm } from "./tenant-store.js";

/** Gap 122. */
export const listTenants = endpoint(
  {
    operation: "listTenants",
    summary: "List tenants",
    description: "All of them, by their ids, disabled ones too.",
    tag: "Tenants",
    method: "GET",
    path: "/api/service/v1/tenants",
    scope: "admin:tenants",
    environment: "none",
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: limits.apiKeyPageMax, default: limits.apiKeyPageDefault }),
      ),
      cursor: Type.Optional(Type.String({ description: "x-next-cursor of the page before." })),
    }),
    response: { status: 200, envelope: true, schema: Type.Array(Tenant) },
    errors: ["invalid_cursor"],
  },
  async ({ db }: { readonly db: Db }, { query }) => {
    const limit = query.limit ?? limits.apiKeyPageDefault;
    const behind = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
    const rows = await findTenants(db, { behind, limit: limit + 1 });
    const data = rows.slice(0, limit).map(showTenant);
    const last = rows[limit - 1];
    if (rows.length <= limit || last === undefined) return { data };
    const cursor = encodeCursor(last.id);
    return { data, headers: { "x-next-cursor": cursor }, metadata: { next_cursor: cursor } };
  },
);

const encodeCursor = (id: string): string => Buffer.from(`n1_${id}`).toString("base64url");

function decodeCursor(cursor: string): string {
  const id = Buffer.from(cursor, "base64url").toString("latin1").slice(3);
  if (tenantIdForm.test(id) && encodeCursor(id) === cursor) return id;
  throw new TrellisError("invalid_cursor", { field: "cursor" });
}
