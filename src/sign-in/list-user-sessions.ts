import { endpoint } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { answerSessions, SignedInSession } from "./list-sessions.js";
import { getUserScope } from "./user-scope.js";

/** Gap 205. */
export const listUserSessions = endpoint(
  {
    operation: "listUserSessions",
    summary: "List the sessions of a user",
    description:
      "Every session of the user that is open, or can be refreshed, newest first, whatever accounts it signs for. " +
      "`signer` is the wallet that it was opened for.",
    tag: "Users",
    method: "GET",
    path: "/api/service/v1/users/{user_id}/sessions",
    scope: "accounts:read",
    environment: "optional",
    params: Type.Object({ user_id: uuidText() }),
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.userPageMax, default: limits.userPageDefault })),
      cursor: Type.Optional(Type.String({ description: "x-next-cursor of the page before." })),
    }),
    response: { status: 200, envelope: true, schema: Type.Array(SignedInSession) },
    errors: ["user_not_found", "invalid_cursor"],
  },
  async ({ db }: { readonly db: Db }, { params, query, caller, network }) => {
    const scope = await getUserScope(db, caller, network, params.user_id);
    const asked = { limit: query.limit ?? limits.userPageDefault, cursor: query.cursor };
    return answerSessions(db, scope, network.clock.now(), asked);
  },
);
