import { Buffer } from "node:buffer";
import Type from "typebox";
import { endpoint } from "../kernel/endpoint.js";
import { TrellisError } from "../kernel/errors.js";
import { limits } from "../kernel/limits.js";
import type { Clock } from "../ports/clock.js";
import type { Db } from "../ports/database.js";
import { type ApiKeyRow, listApiKeys as findApiKeys } from "./api-key-store.js";
import { ApiKey, showApiKey } from "./shown-api-key.js";

/** Gap 122. */
export const listApiKeys = endpoint(
  {
    operation: "listApiKeys",
    summary: "List API keys",
    description:
      "The tenant's keys that open no environment but those of the key that asks, the newest first, whatever became of " +
      "them. The keys themselves are not shown.",
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
      behind: query.cursor === undefined ? undefined : decodeCursor(query.cursor),
      limit: limit + 1,
    });
    const data = rows.slice(0, limit).map((row) => showApiKey(row, realClock.now()));
    const last = rows[limit - 1];
    if (rows.length <= limit || last === undefined) return { data };
    const cursor = encodeCursor(last);
    return { data, headers: { "x-next-cursor": cursor }, metadata: { next_cursor: cursor } };
  },
);

const cursorForm = /^k1_([0-9]{1,15})_([0-9a-f-]{36})$/;

/** A place in the list: everything older than this key. */
function encodeCursor({ created_at, id }: Pick<ApiKeyRow, "created_at" | "id">): string {
  return Buffer.from(`k1_${created_at}_${id}`).toString("base64url");
}

function decodeCursor(cursor: string): { readonly createdAt: bigint; readonly id: string } {
  const [, createdAt, id] = cursorForm.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  const place = createdAt === undefined || id === undefined ? undefined : { created_at: BigInt(createdAt), id };
  if (place === undefined || encodeCursor(place) !== cursor) {
    throw new TrellisError("invalid_cursor", { field: "cursor" });
  }
  return { createdAt: place.created_at, id: place.id };
}
