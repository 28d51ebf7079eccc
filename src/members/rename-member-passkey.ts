import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { isUuid, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { PasskeyName } from "../passkeys/passkey.js";
import { memberOf } from "./get-console-session.js";
import { MemberPasskey, toWireMemberPasskey } from "./member-passkey.js";
import { renameMemberPasskey as rename } from "./member-passkey-store.js";
import { readMemberName } from "./wire-member.js";

export const noSuchPasskey = () =>
  new TrellisError("passkey_not_found", { message: "You have no such passkey for the console." });

/** Gap 225. */
export const renameMemberPasskey = endpoint(
  {
    operation: "renameMemberPasskey",
    summary: "Rename a passkey of one's own",
    description: "The name is for people: nothing is decided by it.",
    tag: "Console",
    method: "PATCH",
    path: "/api/service/v1/console/passkeys/{passkey_id}",
    scope: null,
    console: "member",
    environment: "none",
    params: Type.Object({ passkey_id: uuidText() }),
    body: Type.Object({ name: PasskeyName }, { $id: "RenameMemberPasskeyRequest" }),
    response: { status: 200, envelope: true, schema: MemberPasskey },
    errors: ["passkey_not_found"],
    idempotent: false,
  },
  async ({ db }: { readonly db: Db }, { params, body, caller }) => {
    if (!isUuid(params.passkey_id)) throw noSuchPasskey();
    const name = readMemberName(body.name);
    const row = await rename(db, { id: params.passkey_id, memberId: memberOf(caller).id, name });
    if (row === undefined) throw noSuchPasskey();
    return { data: toWireMemberPasskey(row) };
  },
);
