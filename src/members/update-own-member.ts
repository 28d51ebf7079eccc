import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import Type from "typebox";
import { memberOf } from "./get-console-session.js";
import { findMember, updateMember } from "./member-store.js";
import { Member, toWireMember } from "./wire-member.js";

/** Gap 210. */
export const updateOwnMember = endpoint(
  {
    operation: "updateOwnMember",
    summary: "Choose one's own mails",
    description: "Whether the member who asks wants mails about proposals. What is under way may still arrive.",
    tag: "Console",
    method: "PATCH",
    path: "/api/service/v1/console/member",
    scope: null,
    console: "member",
    environment: "none",
    body: Type.Object(
      { proposal_mails: Type.Boolean() },
      { $id: "UpdateOwnMemberRequest", examples: [{ proposal_mails: false }] },
    ),
    refusesNearMisses: true,
    response: { status: 200, envelope: true, schema: Member },
    errors: [],
    idempotent: false,
  },
  async ({ db }: { readonly db: Db }, { body, caller }) => {
    const { id } = memberOf(caller);
    const row = await db.transaction().execute(async (trx) => {
      // Removed between two statements.
      if ((await findMember(trx, id)) === undefined) throw new TrellisError("sign_in_required");
      return updateMember(trx, id, { proposal_mails: body.proposal_mails });
    });
    return { data: toWireMember(row) };
  },
);
