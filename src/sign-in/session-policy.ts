import { endpoint } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import Type, { type Static } from "typebox";
import { actorOf, asActor } from "../audit/actor.js";
import { findSessionPolicy, type SessionPolicyRow, setSessionPolicy as storePolicy } from "../tenants/tenant-store.js";

const SessionPolicy = Type.Object(
  {
    idle_seconds: Type.Union(
      [Type.Integer({ minimum: limits.sessionIdleMinSeconds, maximum: limits.sessionIdleMaxSeconds }), Type.Null()],
      {
        description:
          "A session that neither signs nor is refreshed for so long ends; null: it may rest as long as it lives.",
      },
    ),
    one_session: Type.Boolean({ description: "A new sign-in ends the sessions that its user had before." }),
  },
  { $id: "SessionPolicy" },
);

const contract = {
  tag: "Authentication",
  path: "/api/service/v1/session-policy",
  scope: "admin:keys",
  environment: "none",
  response: { status: 200, envelope: true, schema: SessionPolicy },
  errors: [],
} as const;

/** Gap 159. */
export const getSessionPolicy = endpoint(
  {
    ...contract,
    operation: "getSessionPolicy",
    summary: "Read how long sessions may rest",
    description: "What this tenant asks of the sessions of its users, in all environments.",
    method: "GET",
  },
  async ({ db }: { readonly db: Db }, { caller }) => ({ data: toWire(await findSessionPolicy(db, caller.tenantId)) }),
);

/** Gap 159. */
export const setSessionPolicy = endpoint(
  {
    ...contract,
    operation: "setSessionPolicy",
    summary: "Set how long sessions may rest",
    description:
      "For this tenant, in all environments, from the next request on, and for the sessions that are there already. Both " +
      "members are set: what is to stay has to be sent too.",
    method: "PUT",
    body: SessionPolicy,
  },
  async ({ db }: { readonly db: Db }, { body, caller }) => {
    const { idle_seconds: idleSeconds, one_session: oneSession } = body;
    const policy = { id: caller.tenantId, idleSeconds, oneSession };
    return { data: toWire(await asActor(db, actorOf(caller), (trx) => storePolicy(trx, policy))) };
  },
);

function toWire(row: SessionPolicyRow): Static<typeof SessionPolicy> {
  return { idle_seconds: row.session_idle_seconds, one_session: row.one_session };
}
