import { type Caller, endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Db, SessionEndReason } from "@trellis/kernel/ports/database.js";
import { addressText, isUuid, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { actorOf } from "../audit/actor.js";
import { endSessions, findOpenSessionIds, isSessionOf, type SessionScope } from "../people/end-sessions.js";
import { getSessionScope } from "./session-scope.js";

interface Needs {
  readonly db: Db;
  readonly custodians: Custodians;
}

const shared = {
  tag: "Authentication",
  method: "DELETE",
  scope: "auth:write",
  environment: "optional",
  publishable: "session",
  takesSession: true,
} as const;

/** The word that stands for the session whose token was sent with the request. */
const current = "current";

export const EndedSession = Type.Object({ id: uuidText(), status: Type.Literal("ended") }, { $id: "EndedSession" });
export const EndedSessions = Type.Object(
  { ended: Type.Integer({ minimum: 0, description: "How many this call ended." }) },
  { $id: "EndedSessions" },
);

/** Gap 158. Again: the same. */
export const endSession = endpoint(
  {
    ...shared,
    operation: "endSession",
    summary: "End a session",
    description:
      "Nothing is signed, read or refreshed with it any more, in any process, from the next request on, and the custodian " +
      "forgets its keys. `current` ends the session whose token the `x-session-token` header holds: that is signing out. With a " +
      "publishable key, only sessions of the user who is signed in can be ended. Ending one again is the same.",
    path: "/api/service/v1/accounts/{address}/sessions/{session_id}",
    params: Type.Object({
      address: addressText(),
      session_id: Type.String({ description: "An id of the list, or `current`.", examples: [current] }),
    }),
    response: {
      status: 200,
      envelope: true,
      schema: EndedSession,
    },
    errors: ["account_not_found", "session_not_found", "session_required", "provider_unavailable"],
  },
  async (needs: Needs, { params, caller, network }) => {
    const scope = await getSessionScope(needs.db, caller, network, params.address);
    const id = await getSessionId(needs.db, scope, caller, params.session_id, "session_id");
    const own = id === caller.session?.chainId;
    const byHolder: SessionEndReason = own ? "signed_out" : "ended_by_holder";
    const reason = caller.isPublishable === true || own ? byHolder : "ended_by_tenant";
    await endSessions(needs, [id], network.clock.now(), reason, actorOf(caller));
    return { data: { id, status: "ended" as const } };
  },
);

/** Gap 158. */
export const endAllSessions = endpoint(
  {
    ...shared,
    operation: "endAllSessions",
    summary: "End all sessions, or all others",
    description:
      "With a publishable key those of the user who is signed in, with a secret key those of all the account's users. " +
      "`except` keeps one of them: its id, or `current` for the session whose token `x-session-token` holds.",
    path: "/api/service/v1/accounts/{address}/sessions",
    params: Type.Object({ address: addressText() }),
    query: Type.Object({
      except: Type.Optional(Type.String({ description: "The id of a session that stays, or `current`." })),
    }),
    response: {
      status: 200,
      envelope: true,
      schema: EndedSessions,
    },
    errors: ["account_not_found", "session_not_found", "session_required", "provider_unavailable"],
  },
  async (needs: Needs, { params, query, caller, network }) => {
    const scope = await getSessionScope(needs.db, caller, network, params.address);
    const kept =
      query.except === undefined ? undefined : await getSessionId(needs.db, scope, caller, query.except, "except");
    const ids = await findOpenSessionIds(needs.db, scope, kept, network.clock.now());
    const reason = caller.isPublishable === true ? "ended_by_holder" : "ended_by_tenant";
    return { data: { ended: await endSessions(needs, ids, network.clock.now(), reason, actorOf(caller)) } };
  },
);

/** The session a word names. Throws `session_required` and `session_not_found`. */
async function getSessionId(db: Db, scope: SessionScope, caller: Caller, word: string, field: string): Promise<string> {
  if (word === current && caller.session === undefined) throw new TrellisError("session_required");
  const id = word === current ? caller.session?.chainId : word;
  if (id === undefined || !isUuid(id) || !(await isSessionOf(db, scope, id))) {
    throw new TrellisError("session_not_found", { field });
  }
  return id;
}
