import { endpoint } from "@trellis/kernel/endpoint.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import Type from "typebox";
import { memberOf } from "./get-console-session.js";
import { noSessionCookie } from "./session-cookie.js";
import { endSessions } from "./session-store.js";

interface EndNeeds {
  readonly db: Db;
  readonly publicUrl: () => string;
}

const Ended = Type.Object(
  { ended: Type.Integer({ minimum: 0, description: "How many sessions ended." }) },
  { $id: "ConsoleSessionsEnded" },
);

/** Gap 216. */
export const signOut = endpoint(
  {
    operation: "signOut",
    summary: "Sign out of the console",
    description: "Ends the session of the cookie, and takes the cookie away.",
    tag: "Console",
    method: "POST",
    path: "/api/service/v1/console/sign-out",
    scope: null,
    console: "member",
    environment: "none",
    response: { status: 200, envelope: true, schema: Ended },
    errors: [],
    idempotent: false,
  },
  async ({ db, publicUrl }: EndNeeds, { caller }) => {
    const { id, sessionId } = memberOf(caller);
    const ended = await endSessions(db, id, sessionId);
    return { data: { ended }, headers: { "set-cookie": noSessionCookie(publicUrl()) } };
  },
);

/** Gap 216. */
export const endConsoleSessions = endpoint(
  {
    operation: "endConsoleSessions",
    summary: "Sign out of the console everywhere",
    description: "Ends all sessions of the member who asks, this one too.",
    tag: "Console",
    method: "DELETE",
    path: "/api/service/v1/console/sessions",
    scope: null,
    console: "member",
    environment: "none",
    response: { status: 200, envelope: true, schema: Ended },
    errors: [],
    idempotent: false,
  },
  async ({ db, publicUrl }: EndNeeds, { caller }) => {
    const ended = await endSessions(db, memberOf(caller).id);
    return { data: { ended }, headers: { "set-cookie": noSessionCookie(publicUrl()) } };
  },
);
