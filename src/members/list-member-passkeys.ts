import { endpoint } from "@trellis/kernel/endpoint.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import Type from "typebox";
import { memberOf } from "./get-console-session.js";
import { MemberPasskey, toWireMemberPasskey } from "./member-passkey.js";
import { listMemberPasskeys as list } from "./member-passkey-store.js";

/** Gap 225. */
export const listMemberPasskeys = endpoint(
  {
    operation: "listMemberPasskeys",
    summary: "List one's own passkeys",
    description: "Those of the member who asks, the oldest first: ten at most.",
    tag: "Console",
    method: "GET",
    path: "/api/service/v1/console/passkeys",
    scope: null,
    console: "member",
    environment: "none",
    response: { status: 200, envelope: true, schema: Type.Array(MemberPasskey) },
    errors: [],
  },
  async ({ db }: { readonly db: Db }, { caller }) => {
    const rows = await list(db, memberOf(caller).id);
    return { data: rows.map(toWireMemberPasskey) };
  },
);
