import { endpoint } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import { cursor, int8, listAnswer, pageOf, uuid } from "@trellis/kernel/page.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import Type from "typebox";
import { listApiKeys as findApiKeys } from "./api-key-store.js";
import { ApiKey, showApiKey } from "./wire-api-key.js";

/** Everything older than a key. */
const place = cursor("k1", { createdAt: int8, id: uuid });

/** Gap 122. */
export const listApiKeys = endpoint(
  {
    operation: "listApiKeys",
    summary: "List API keys",
    description:
      "The tenant's keys in any state that open no environment but those of the caller's key, the newest first. The keys " +
      "themselves are not returned.",
    tag: "API keys",
    method: "GET",
    path: "/api/service/v1/api-keys",
    scope: "admin:keys",
    environment: "none",
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: limits.apiKeyPageMax, default: limits.apiKeyPageDefault }),
      ),
      cursor: Type.Optional(Type.String({ description: "x-next-cursor of the page before." })),
    }),
    response: { status: 200, envelope: true, schema: Type.Array(ApiKey) },
    errors: ["invalid_cursor"],
  },
  async ({ db, realClock }: { readonly db: Db; readonly realClock: Clock }, { query, caller }) => {
    const limit = query.limit ?? limits.apiKeyPageDefault;
    const rows = await findApiKeys(db, {
      tenantId: caller.tenantId,
      environments: caller.environments,
      behind: query.cursor === undefined ? undefined : place.decode(query.cursor),
      limit: limit + 1,
    });
    const page = pageOf(rows, limit, ({ created_at, id }) => place.encode({ createdAt: created_at, id }));
    return listAnswer(
      page.rows.map((row) => showApiKey(row, realClock.now())),
      page.cursor,
    );
  },
);
