import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { isUuid, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { actorOf } from "../audit/actor.js";
import { endSessions, findOpenSessionIds, isSessionOf } from "../people/end-sessions.js";
import { EndedSession, EndedSessions } from "./end-session.js";
import { getUserScope } from "./user-scope.js";

interface Needs {
  readonly db: Db;
  readonly custodians: Custodians;
}

const shared = { tag: "Users", method: "DELETE", scope: "auth:write", environment: "optional" } as const;

/** Gap 205. Again: the same. */
export const endUserSession = endpoint(
  {
    ...shared,
    operation: "endUserSession",
    summary: "End a session of a user",
    description:
      "As the account's call does: nothing is signed, read or refreshed with it any more, from the next request on, and the custodian forgets " +
      "its keys. Ending one again is the same.",
    path: "/api/service/v1/users/{user_id}/sessions/{session_id}",
    params: Type.Object({ user_id: uuidText(), session_id: uuidText() }),
    response: { status: 200, envelope: true, schema: EndedSession },
    errors: ["user_not_found", "session_not_found", "provider_unavailable"],
  },
  async (needs: Needs, { params, caller, network }) => {
    const { session_id: id } = params;
    const scope = await getUserScope(needs.db, caller, network, params.user_id);
    if (!isUuid(id) || !(await isSessionOf(needs.db, scope, id))) {
      throw new TrellisError("session_not_found", {
        field: "session_id",
        message: "There is no such session of this user.",
        suggestion: "List the sessions of the user.",
      });
    }
    await endSessions(needs, [id], network.clock.now(), "ended_by_tenant", actorOf(caller));
    return { data: { id, status: "ended" as const } };
  },
);

/** Gap 205. */
export const endUserSessions = endpoint(
  {
    ...shared,
    operation: "endUserSessions",
    summary: "End all sessions of a user",
    description: "Whatever accounts they sign for. The user can sign in again.",
    path: "/api/service/v1/users/{user_id}/sessions",
    params: Type.Object({ user_id: uuidText() }),
    response: { status: 200, envelope: true, schema: EndedSessions },
    errors: ["user_not_found", "provider_unavailable"],
  },
  async (needs: Needs, { params, caller, network }) => {
    const scope = await getUserScope(needs.db, caller, network, params.user_id);
    const ids = await findOpenSessionIds(needs.db, scope, undefined, network.clock.now());
    const ended = await endSessions(needs, ids, network.clock.now(), "ended_by_tenant", actorOf(caller));
    return { data: { ended } };
  },
);
