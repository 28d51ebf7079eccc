import { type Caller, endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db, Trx } from "@trellis/kernel/ports/database.js";
import { environmentNames } from "@trellis/kernel/ports/environment.js";
import { isUuid, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { actorOf, asActor } from "../audit/actor.js";
import { namesIn } from "../tenants/stored-names.js";
import { requireReach, requireRole } from "./member-powers.js";
import { hasOtherOwner, lockMember, type MemberRow, updateMember as storeMember, takeTurn } from "./member-store.js";
import { voidSecrets } from "./secret-store.js";
import { endSessions } from "./session-store.js";
import { Member, MemberEnvironments, MemberName, MemberRoleText, readMemberName, toWireMember } from "./wire-member.js";

const Changes = Type.Object(
  {
    role: Type.Optional(MemberRoleText),
    name: Type.Optional(Type.Union([MemberName, Type.Null()])),
    status: Type.Optional(Type.Enum(["active", "disabled"])),
    environments: Type.Optional(MemberEnvironments),
  },
  { $id: "UpdateMemberRequest", examples: [{ role: "viewer" }] },
);

/** Gap 215. */
export const updateMember = endpoint(
  {
    operation: "updateMember",
    summary: "Change a member",
    description:
      "From the member's next request on. Disabling ends the member's sessions, links and codes. The last active owner stays one.",
    tag: "Members",
    method: "PATCH",
    path: "/api/service/v1/members/{member_id}",
    scope: "admin:members",
    environment: "none",
    params: Type.Object({ member_id: uuidText() }),
    body: Changes,
    refusesNearMisses: true,
    response: { status: 200, envelope: true, schema: Member },
    errors: ["member_not_found", "last_owner"],
  },
  async ({ db, realClock }: { readonly db: Db; readonly realClock: Clock }, { params, body, caller }) => {
    if (!isUuid(params.member_id)) throw new TrellisError("member_not_found");
    const now = realClock.now();
    const row = await asActor(db, actorOf(caller), async (trx) => {
      const member = await lockOwn(trx, caller, params.member_id);
      return change(trx, caller, { member, changes: body, now });
    });
    return { data: toWireMember(row) };
  },
);

/** A member that the caller may change, held back from others. Throws `member_not_found`. */
export async function lockOwn(trx: Trx, { tenantId, environments }: Caller, id: string): Promise<MemberRow> {
  await takeTurn(trx, tenantId);
  const member = await lockMember(trx, { id, tenantId, environments });
  if (member === undefined) throw new TrellisError("member_not_found");
  return member;
}

/** Throws `last_owner` unless the tenant keeps an active owner. */
export async function requireOwnerLeft(
  trx: Trx,
  before: MemberRow,
  after?: Pick<MemberRow, "role" | "status">,
): Promise<void> {
  const isOwner = ({ role, status }: Pick<MemberRow, "role" | "status">) => role === "owner" && status === "active";
  if (!isOwner(before) || (after !== undefined && isOwner(after))) return;
  if (!(await hasOtherOwner(trx, before))) throw new TrellisError("last_owner");
}

async function change(
  trx: Trx,
  caller: Caller,
  plan: { readonly member: MemberRow; readonly changes: Static<typeof Changes>; readonly now: number },
): Promise<MemberRow> {
  const { member, changes, now } = plan;
  const { role = member.role, status = member.status, environments } = changes;
  if (member.status === "invited" && status === "active") {
    throw new TrellisError("invalid_request", {
      field: "status",
      message: "The member has not accepted the invitation yet. Only the member does that.",
    });
  }
  const isRaised = role !== member.role || (status !== member.status && status === "active");
  if (isRaised) requireRole(caller, { role, is_operator: member.is_operator });
  if (environments !== undefined) requireReach(caller, environments);
  await requireOwnerLeft(trx, member, { role, status });
  const { name } = changes;
  const row = await storeMember(trx, member.id, {
    role,
    status,
    ...(name === undefined ? {} : { name: name === null ? null : readMemberName(name) }),
    ...(environments === undefined ? {} : { environments: keptForm(environments) }),
  });
  if (status === "disabled") {
    await voidSecrets(trx, member.id, now);
    await endSessions(trx, member.id);
  }
  return row;
}

/** In one order, so that the same is no change. */
const keptForm = (environments: readonly string[]): string =>
  JSON.stringify(namesIn(JSON.stringify(environments), environmentNames));
