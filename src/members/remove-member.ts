import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { isUuid, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { actorOf, asActor } from "../audit/actor.js";
import { deleteMember } from "./member-store.js";
import { lockOwn, requireOwnerLeft } from "./update-member.js";
import { Member, toWireMember } from "./wire-member.js";

/** Gap 215. */
export const removeMember = endpoint(
  {
    operation: "removeMember",
    summary: "Remove a member",
    description:
      "With the member's sessions, passkeys, links and codes, from the next request on. API keys that the member has made stay. The last active " +
      "owner stays, too.",
    tag: "Members",
    method: "DELETE",
    path: "/api/service/v1/members/{member_id}",
    scope: "admin:members",
    environment: "none",
    params: Type.Object({ member_id: uuidText() }),
    response: { status: 200, envelope: true, schema: Member },
    errors: ["member_not_found", "last_owner"],
  },
  async ({ db, served }: { readonly db: Db; readonly served: readonly EnvironmentName[] }, { params, caller }) => {
    if (!isUuid(params.member_id)) throw new TrellisError("member_not_found");
    const removed = await asActor(db, actorOf(caller), async (trx) => {
      const { member } = await lockOwn(trx, caller, params.member_id, served);
      await requireOwnerLeft(trx, served, member);
      await deleteMember(trx, member.id);
      return member;
    });
    return { data: toWireMember(removed) };
  },
);
