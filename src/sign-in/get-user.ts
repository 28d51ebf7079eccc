import { endpoint } from "@trellis/kernel/endpoint.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getKnownUser, toWireUser, User } from "./user.js";

/** Gap 205. */
export const getUser = endpoint(
  {
    operation: "getUser",
    summary: "Get a user",
    description: "Who they are, their accounts, and how many sessions and passkeys they have.",
    tag: "Users",
    method: "GET",
    path: "/api/service/v1/users/{user_id}",
    scope: "accounts:read",
    environment: "optional",
    params: Type.Object({ user_id: uuidText() }),
    response: { status: 200, envelope: true, schema: User },
    errors: ["user_not_found"],
  },
  async ({ db }: { readonly db: Db }, { params, caller, network }) => {
    const whose = { tenantId: caller.tenantId, environment: network.name };
    return { data: toWireUser(await getKnownUser(db, whose, params.user_id, network.clock.now())) };
  },
);
