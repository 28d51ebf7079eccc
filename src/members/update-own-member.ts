import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Trx } from "@trellis/kernel/ports/database.js";
import Type from "typebox";
import { actorOf, asActor } from "../audit/actor.js";
import { publicPlace } from "../tenants/public-place.js";
import { type FreshNeed, holdFresh } from "./fresh-session.js";
import { memberOf } from "./get-console-session.js";
import { type MailNeeds, mailAboutSignIn } from "./member-mails.js";
import { countMemberPasskeys } from "./member-passkey-store.js";
import { findMember, updateMember } from "./member-store.js";
import { voidSecrets } from "./secret-store.js";
import { endSessionsByCode } from "./session-store.js";
import { Member, toWireMember } from "./wire-member.js";

/** Gaps 210, 225. */
export const updateOwnMember = endpoint(
  {
    operation: "updateOwnMember",
    summary: "Choose one's own mails, and what signs one in",
    description:
      "Whether the member who asks wants mails about proposals: what is under way may still arrive. And whether passkeys alone sign the " +
      "member in: this takes a session that began in the last 15 minutes and, to require it, a passkey. To lift it takes one that a passkey opened.",
    tag: "Console",
    method: "PATCH",
    path: "/api/service/v1/console/member",
    scope: null,
    console: "member",
    environment: "none",
    body: Type.Object(
      {
        proposal_mails: Type.Optional(Type.Boolean()),
        passkey_required: Type.Optional(
          Type.Boolean({
            description:
              "True: codes by mail do not sign the member in. Those that are out are void, and other sessions that they opened end.",
          }),
        ),
      },
      { $id: "UpdateOwnMemberRequest", examples: [{ proposal_mails: false }] },
    ),
    refusesNearMisses: true,
    response: { status: 200, envelope: true, schema: Member },
    errors: ["fresh_sign_in_required", "passkeys_not_configured"],
    idempotent: false,
  },
  async (needs: MailNeeds & { readonly realClock: Clock; readonly publicUrl: () => string }, { body, caller }) => {
    const { id, sessionId } = memberOf(caller);
    const { proposal_mails, passkey_required } = body;
    const { before, row } = await asActor(needs.db, actorOf(caller), async (trx) => {
      if (passkey_required !== undefined) {
        const need = { memberId: id, sessionId, now: needs.realClock.now() };
        await holdFresh(trx, need);
        if (passkey_required) await prepareRequirement(trx, need, publicPlace(needs.publicUrl()).rpId);
      }
      const before = await findMember(trx, id);
      // Removed between two statements.
      if (before === undefined) throw new TrellisError("sign_in_required");
      const set = {
        ...(proposal_mails === undefined ? {} : { proposal_mails }),
        ...(passkey_required === undefined ? {} : { passkey_required }),
      };
      return { before, row: await updateMember(trx, id, set) };
    });
    if (row.passkey_required !== before.passkey_required) {
      await mailAboutSignIn(needs, row, { what: row.passkey_required ? "required" : "lifted" });
    }
    return { data: toWireMember(row) };
  },
);

/** Ends what codes have opened and could open. Throws where nothing would sign the member in any more. The member's row is held. */
async function prepareRequirement(trx: Trx, need: FreshNeed, rpId: string): Promise<void> {
  if ((await countMemberPasskeys(trx, need.memberId, rpId)) === 0) {
    throw new TrellisError("invalid_request", { field: "passkey_required", message: "Add a passkey first." });
  }
  await voidSecrets(trx, need.memberId, need.now, "code");
  await endSessionsByCode(trx, need.memberId, need.sessionId);
}
