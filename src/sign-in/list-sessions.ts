import { type Answer, endpoint } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import { cursor, int8, listAnswer, pageOf, uuid } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { custodianNames } from "../custody/custodians.js";
import { listOpenSessions, type OpenSessionRow, type SessionScope } from "../people/end-sessions.js";
import { getSessionScope } from "./session-scope.js";

export const SignedInSession = Type.Object(
  {
    id: uuidText({ description: "Stays the same however often the session is refreshed." }),
    grid_user_id: Type.Optional(
      uuidText({
        description: "Whose session it is. Absent, as `provider`, where somebody signed in with a wallet of their own.",
      }),
    ),
    provider: Type.Optional(Type.Enum([...custodianNames])),
    signer: addressText({ description: "The wallet it signs with: a signer of the account." }),
    current: Type.Boolean({ description: "True: the request presented this session's token." }),
    created_at: Type.String({ format: "date-time", description: "When the code was verified." }),
    last_active_at: Type.String({
      format: "date-time",
      description: "When it last signed something or was refreshed, to the minute.",
    }),
    expires_at: Type.String({ format: "date-time", description: "When it ends unless it is refreshed." }),
    ends_at: Type.String({ format: "date-time", description: "When it cannot be refreshed any more." }),
  },
  { $id: "SignedInSession" },
);

/** Everything older than a session. */
const place = cursor("s1", { startedAt: int8, id: uuid });

/** Gap 158. */
export const listSessions = endpoint(
  {
    operation: "listSessions",
    summary: "List the sessions of an account",
    description:
      "Who is signed in, newest first: every session that commands a signer of the account, or can be refreshed to. With a " +
      "publishable key the sessions of the user who is signed in; with a secret key those of all the account's users.",
    tag: "Authentication",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/sessions",
    scope: "accounts:read",
    environment: "optional",
    publishable: "session",
    takesSession: true,
    params: Type.Object({ address: addressText() }),
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: limits.sessionPageMax, default: limits.sessionPageDefault }),
      ),
      cursor: Type.Optional(Type.String({ description: "x-next-cursor of the page before." })),
    }),
    response: { status: 200, envelope: true, schema: Type.Array(SignedInSession) },
    errors: ["account_not_found", "invalid_cursor"],
  },
  async ({ db }: { readonly db: Db }, { params, query, caller, network }) => {
    const scope = await getSessionScope(db, caller, network, params.address);
    const asked = { limit: query.limit ?? limits.sessionPageDefault, cursor: query.cursor };
    return answerSessions(db, scope, network.clock.now(), { ...asked, current: caller.session?.chainId });
  },
);

/** What a list of sessions answers. `now` is environment time in Unix milliseconds. Throws `invalid_cursor`. */
export async function answerSessions(
  db: Db,
  scope: SessionScope,
  now: number,
  {
    limit,
    cursor,
    current,
  }: {
    readonly limit: number;
    readonly cursor?: string | undefined;
    readonly current?: string | undefined;
  },
): Promise<Answer<Static<typeof SignedInSession>[]>> {
  const behind = cursor === undefined ? undefined : place.decode(cursor);
  if (limit === 0) return { data: [] };
  const rows = await listOpenSessions(db, scope, now, { behind, limit: limit + 1 });
  const page = pageOf(rows, limit, (last) => place.encode({ startedAt: last.chain_started_at, id: last.id }));
  return listAnswer(
    page.rows.map((row) => toWire(row, current)),
    page.cursor,
  );
}

function toWire(row: OpenSessionRow, current: string | undefined): Static<typeof SignedInSession> {
  const instant = (at: bigint | number) => new Date(Number(at)).toISOString();
  return {
    id: row.id,
    ...(row.user_id === null ? {} : { grid_user_id: row.user_id }),
    ...(row.provider === null ? {} : { provider: row.provider }),
    signer: row.signer_address,
    current: row.id === current,
    created_at: instant(row.chain_started_at),
    last_active_at: instant(row.active_at),
    expires_at: instant(row.expires_at),
    ends_at: instant(row.user_id === null ? row.expires_at : Number(row.chain_started_at) + limits.sessionMaxMs),
  };
}
