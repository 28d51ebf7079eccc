import { type Caller, endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Trx } from "@trellis/kernel/ports/database.js";
import { type EnvironmentName, environmentNames } from "@trellis/kernel/ports/environment.js";
import { isUuid, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { actorOf, asActor } from "../audit/actor.js";
import { namesIn } from "../tenants/stored-names.js";
import { requireFresh } from "./fresh-session.js";
import { memberOf } from "./get-console-session.js";
import { type MailNeeds, mailAboutSignIn } from "./member-mails.js";
import { deleteMemberPasskeys } from "./member-passkey-store.js";
import {
  readCaller,
  requireOperatorFor,
  requireReach,
  requireRole,
  requireUnlimited,
  sightOf,
} from "./member-powers.js";
import { hasOtherOwner, lockMember, type MemberRow, updateMember as storeMember } from "./member-store.js";
import { isMightier } from "./roles.js";
import { voidSecrets } from "./secret-store.js";
import { endSessions } from "./session-store.js";
import { Member, MemberEnvironments, MemberName, MemberRoleText, readMemberName, toWireMember } from "./wire-member.js";

const Changes = Type.Object(
  {
    role: Type.Optional(MemberRoleText),
    name: Type.Optional(Type.Union([MemberName, Type.Null()])),
    status: Type.Optional(Type.Enum(["active", "disabled"])),
    environments: Type.Optional(MemberEnvironments),
    passkey_required: Type.Optional(
      Type.Literal(false, {
        description:
          "Codes by mail sign the member in again: for one who has lost their passkeys. Only the member requires one.",
      }),
    ),
  },
  { $id: "UpdateMemberRequest", examples: [{ role: "viewer" }] },
);

export interface UpdateNeeds extends MailNeeds {
  readonly realClock: Clock;
  /** The environments of this service. */
  readonly served: readonly EnvironmentName[];
}

/** Gap 215. */
export const updateMember = endpoint(
  {
    operation: "updateMember",
    summary: "Change a member",
    description:
      "From the member's next request on. Disabling ends the member's sessions, links, codes and passkeys. The last active owner stays one.",
    tag: "Members",
    method: "PATCH",
    path: "/api/service/v1/members/{member_id}",
    scope: "admin:members",
    environment: "none",
    params: Type.Object({ member_id: uuidText() }),
    body: Changes,
    refusesNearMisses: true,
    response: { status: 200, envelope: true, schema: Member },
    errors: ["member_not_found", "last_owner", "fresh_sign_in_required"],
  },
  async (needs: UpdateNeeds, { params, body, caller }) => {
    const { db, realClock, served } = needs;
    if (!isUuid(params.member_id)) throw new TrellisError("member_not_found");
    const now = realClock.now();
    const { before, row } = await asActor(db, actorOf(caller), async (trx) => {
      const found = await lockOwn(trx, caller, params.member_id, served);
      return { before: found.member, row: await change(trx, { ...found, changes: body, served, now }) };
    });
    const isLifted = before.passkey_required && !row.passkey_required;
    if (isLifted && row.status !== "disabled") await mailAboutSignIn(needs, row, { what: "lifted" });
    return { data: toWireMember(row) };
  },
);

/** A member that the caller may remove, held back from others, and the caller as it is now. Throws `member_not_found`, `insufficient_scope`. */
export async function lockOwn(
  trx: Trx,
  before: Caller,
  id: string,
  served: readonly EnvironmentName[],
): Promise<{ readonly caller: Caller; readonly member: MemberRow }> {
  const caller = await readCaller(trx, before);
  const member = await lockMember(trx, { id, tenantId: caller.tenantId, sight: sightOf(caller, served) });
  if (member === undefined) throw new TrellisError("member_not_found");
  requireOperatorFor(caller, member);
  return { caller, member };
}

type Standing = Pick<MemberRow, "role" | "status" | "environments">;

const reachOf = ({ environments }: Pick<MemberRow, "environments">) => namesIn(environments, environmentNames);

/** Throws `last_owner` unless of all that an owner had here there is another owner. `after` absent: the member is removed. */
export async function requireOwnerLeft(
  trx: Trx,
  served: readonly EnvironmentName[],
  before: MemberRow,
  after?: Standing,
): Promise<void> {
  const isOwner = ({ role, status }: Standing) => role === "owner" && status === "active";
  if (!isOwner(before)) return;
  const kept = after !== undefined && isOwner(after) ? reachOf(after) : undefined;
  const lost = reachOf(before).filter((name) => served.includes(name) && kept?.includes(name) !== true);
  if (kept !== undefined && lost.length === 0) return;
  if (!(await hasOtherOwner(trx, before, lost))) throw new TrellisError("last_owner");
}

interface Change {
  readonly caller: Caller;
  readonly member: MemberRow;
  readonly changes: Static<typeof Changes>;
  readonly served: readonly EnvironmentName[];
  readonly now: number;
}

async function change(trx: Trx, plan: Change): Promise<MemberRow> {
  const { member, changes, served, now } = plan;
  const { name, environments } = changes;
  const after: Standing = {
    role: changes.role ?? member.role,
    status: statusAfter(member, changes.status),
    environments: environments === undefined ? member.environments : keptForm(environments),
  };
  await requirePowers(trx, plan, after);
  await requireOwnerLeft(trx, served, member, after);
  const row = await storeMember(trx, member.id, {
    role: after.role,
    status: after.status,
    ...(name === undefined ? {} : { name: name === null ? null : readMemberName(name) }),
    ...(environments === undefined ? {} : { environments: after.environments }),
    ...(changes.passkey_required === undefined && after.status !== "disabled" ? {} : { passkey_required: false }),
  });
  if (after.status === "disabled") {
    await voidSecrets(trx, member.id, now);
    await endSessions(trx, member.id);
    await deleteMemberPasskeys(trx, member.id);
  }
  return row;
}

/** Only the member accepts an invitation. One who never has is invited after being enabled, as before being disabled. */
function statusAfter(member: MemberRow, wanted: "active" | "disabled" | undefined): MemberRow["status"] {
  if (wanted !== "active") return wanted ?? member.status;
  if (member.status === "invited") {
    throw new TrellisError("invalid_request", {
      field: "status",
      message: "The member has not accepted the invitation yet. Only the member does that.",
    });
  }
  return member.status === "disabled" && member.last_signed_in_at === null ? "invited" : "active";
}

/**
 * Throws `insufficient_scope` for a change that would give the member what the caller may not give. Disabling gives nothing. Throws
 * `fresh_sign_in_required` where a session that is not fresh weakens how a member signs in.
 */
async function requirePowers(
  trx: Trx,
  { caller, member, changes, served, now }: Change,
  after: Standing,
): Promise<void> {
  const { role, status, ...rest } = changes;
  const disablesOnly = after.status === "disabled" && after.role === member.role && Object.keys(rest).length === 0;
  if (!disablesOnly)
    requireReach(
      caller,
      reachOf(member).filter((name) => served.includes(name)),
    );
  const added = reachOf(after).filter((name) => !reachOf(member).includes(name));
  const isEnabled = member.status === "disabled" && after.status !== "disabled";
  // Who may not make such a member does not weaken how one signs in either.
  const isLifted = member.passkey_required && changes.passkey_required !== undefined;
  const isRaised = isMightier(after.role, member.role) || isEnabled || isLifted || added.length > 0;
  if (after.role !== member.role || isRaised) {
    requireRole(caller, { role: after.role, is_operator: member.is_operator });
  }
  if (!isRaised) return;
  // What is not served today may be tomorrow.
  requireReach(caller, reachOf(after), caller.member?.reach);
  await requireUnlimited(trx, caller);
  // A member who was disabled signs in by code again.
  if ((isLifted || isEnabled) && caller.member !== undefined) {
    const { id, sessionId } = memberOf(caller);
    await requireFresh(trx, { memberId: id, sessionId, now });
  }
}

/** In one order, so that the same is no change. */
const keptForm = (environments: readonly string[]): string =>
  JSON.stringify(namesIn(JSON.stringify(environments), environmentNames));
