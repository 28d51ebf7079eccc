import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { isUuid, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { PasskeyName } from "../passkeys/passkey.js";
import { holdFresh } from "./fresh-session.js";
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
    description:
      "The name is for people. Takes a session that began in the last 15 minutes: by names a member tells which one to remove.",
    tag: "Console",
    method: "PATCH",
    path: "/api/service/v1/console/passkeys/{passkey_id}",
    scope: null,
    console: "member",
    environment: "none",
    params: Type.Object({ passkey_id: uuidText() }),
    body: Type.Object({ name: PasskeyName }, { $id: "RenameMemberPasskeyRequest" }),
    response: { status: 200, envelope: true, schema: MemberPasskey },
    errors: ["fresh_sign_in_required", "passkey_not_found"],
    idempotent: false,
  },
  async ({ db, realClock }: { readonly db: Db; readonly realClock: Clock }, { params, body, caller }) => {
    if (!isUuid(params.passkey_id)) throw noSuchPasskey();
    const name = readMemberName(body.name);
    const { id: memberId, sessionId } = memberOf(caller);
    const row = await db.transaction().execute(async (trx) => {
      await holdFresh(trx, { memberId, sessionId, now: realClock.now() });
      return rename(trx, { id: params.passkey_id, memberId, name });
    });
    if (row === undefined) throw noSuchPasskey();
    return { data: toWireMemberPasskey(row) };
  },
);
