import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import { isUuid, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { actorOf, asActor } from "../audit/actor.js";
import { publicPlace } from "../tenants/public-place.js";
import { holdFresh } from "./fresh-session.js";
import { memberOf } from "./get-console-session.js";
import { type MailNeeds, mailAboutSignIn } from "./member-mails.js";
import { MemberPasskey, toWireMemberPasskey } from "./member-passkey.js";
import { countMemberPasskeys, deleteMemberPasskey } from "./member-passkey-store.js";
import { findMember } from "./member-store.js";
import { noSuchPasskey } from "./rename-member-passkey.js";

/** Gap 225. */
export const removeMemberPasskey = endpoint(
  {
    operation: "removeMemberPasskey",
    summary: "Remove a passkey of one's own",
    description:
      "It signs nobody in any more, and the sessions that it has opened end, but for that of this call. Takes a session that began in the " +
      "last 15 minutes. The last one that signs in a member who requires one stays. The member is mailed.",
    tag: "Console",
    method: "DELETE",
    path: "/api/service/v1/console/passkeys/{passkey_id}",
    scope: null,
    console: "member",
    environment: "none",
    params: Type.Object({ passkey_id: uuidText() }),
    response: { status: 200, envelope: true, schema: MemberPasskey },
    errors: ["fresh_sign_in_required", "passkey_not_found", "passkeys_not_configured"],
    idempotent: false,
  },
  async (needs: MailNeeds & { readonly realClock: Clock; readonly publicUrl: () => string }, { params, caller }) => {
    if (!isUuid(params.passkey_id)) throw noSuchPasskey();
    const { id: memberId, sessionId } = memberOf(caller);
    const row = await asActor(needs.db, actorOf(caller), async (trx) => {
      await holdFresh(trx, { memberId, sessionId, now: needs.realClock.now() });
      const removed = await deleteMemberPasskey(trx, { id: params.passkey_id, memberId, sessionId });
      if (removed === undefined) throw noSuchPasskey();
      const member = await findMember(trx, memberId);
      if (member?.passkey_required === true) {
        const left = await countMemberPasskeys(trx, memberId, publicPlace(needs.publicUrl()).rpId);
        if (left === 0) throw isLast();
      }
      return removed;
    });
    await mailAboutSignIn(needs, await findMember(needs.db, memberId), { what: "removed", name: row.name });
    return { data: toWireMemberPasskey(row) };
  },
);

const isLast = () =>
  new TrellisError("invalid_request", {
    field: "passkey_id",
    message: "You require a passkey, and no other signs you in. Add another one, or allow codes, first.",
  });
