import { endpoint } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import { cursor, listAnswer, pageOf, textOf } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import Type from "typebox";
import { listTenants as findTenants, tenantIdPattern } from "./tenant-store.js";
import { showTenant, Tenant } from "./wire-tenant.js";

/** Everything behind a tenant. */
const place = cursor("n1", { id: textOf(tenantIdPattern) });

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
    const behind = query.cursor === undefined ? undefined : place.decode(query.cursor);
    const page = pageOf(await findTenants(db, { behind: behind?.id, limit: limit + 1 }), limit, place.encode);
    return listAnswer(page.rows.map(showTenant), page.cursor);
  },
);
