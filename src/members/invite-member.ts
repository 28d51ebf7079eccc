import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { type Caller, endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db, MemberRole, Trx } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Mailer } from "@trellis/kernel/ports/mail.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { emailText } from "@trellis/kernel/wire-texts.js";
import { sql } from "kysely";
import Type from "typebox";
import { type Actor, actorOf, asActor } from "../audit/actor.js";
import { parseEmailAddress } from "../people/email-address.js";
import { findTenant } from "../tenants/tenant-store.js";
import { invitationMail, linkTo, trySend } from "./member-mails.js";
import { readCaller, requireReach, requireRole, requireUnlimited } from "./member-powers.js";
import { hasRoom, insertMember, lockMemberOf, type MemberRow, takeTurn, updateMember } from "./member-store.js";
import { type MadeLink, makeLink, type SecretNeeds } from "./secret-store.js";
import {
  MemberEnvironments,
  MemberName,
  MemberRoleText,
  memberFields,
  readMemberName,
  toWireMember,
} from "./wire-member.js";

export interface InviteNeeds extends SecretNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly realClock: Clock;
  readonly mailer: Mailer;
  readonly log: Log;
  readonly publicUrl: () => string;
}

const InvitedMember = Type.Object(
  {
    ...memberFields,
    invitation: Type.Object({
      token: Type.Optional(
        Type.String({
          description:
            "What the page at `/console/` accepts, once. It is not returned again. Absent where it was mailed.",
        }),
      ),
      url: Type.Optional(Type.String({ description: "The link with it. Absent where it was mailed." })),
      expires_at: Type.String({ format: "date-time" }),
      mailed: Type.Boolean({ description: "Whether a mail server took a mail with the link." }),
    }),
  },
  { $id: "InvitedMember" },
);

/** Gap 215. */
export const inviteMember = endpoint(
  {
    operation: "inviteMember",
    summary: "Invite a member",
    description:
      "The link is good for seven days and works once. Who was invited and has not accepted is invited again: with this role, and by a " +
      "new link in place of the former one. A caller gives no scope and no environment that it does not have itself.",
    tag: "Members",
    method: "POST",
    path: "/api/service/v1/members",
    scope: "admin:members",
    environment: "none",
    body: Type.Object(
      {
        email: emailText(),
        role: MemberRoleText,
        name: Type.Optional(MemberName),
        environments: Type.Optional(MemberEnvironments),
      },
      { $id: "InviteMemberRequest", examples: [{ email: "ada@example.com", role: "developer" }] },
    ),
    refusesNearMisses: true,
    answersOneKey: true,
    response: { status: 201, envelope: true, schema: InvitedMember },
    errors: ["invalid_email", "member_exists", "member_limit"],
  },
  async (needs: InviteNeeds, { body, caller }) => {
    const plan = {
      tenantId: caller.tenantId,
      email: parseEmailAddress(body.email),
      role: body.role,
      name: body.name === undefined ? null : readMemberName(body.name),
      environments: body.environments ?? caller.environments,
    };
    const { member, link } = await invite(needs, plan, actorOf(caller), caller);
    const url = linkTo(needs.publicUrl(), link.token);
    const tenant = await findTenant(needs.db, plan.tenantId);
    const { senderName } = needs.mailer;
    const mail = invitationMail(plan.email, { tenantName: tenant?.name ?? plan.tenantId, url, senderName });
    const mailed = (await mayMail(needs, plan.tenantId)) && (await trySend(needs, mail));
    const expiresAt = new Date(link.expiresAt).toISOString();
    // Who has the link is the member: whom a mail reaches needs no other way.
    const shown = mailed ? {} : { token: link.token, url };
    return { data: { ...toWireMember(member), invitation: { ...shown, expires_at: expiresAt, mailed } } };
  },
);

/**
 * Whether the tenant has a mail left today, counted beside its other writes: the count outlives a member that is removed and invited
 * anew.
 */
async function mayMail({ db, realClock }: Pick<InviteNeeds, "db" | "realClock">, tenantId: string): Promise<boolean> {
  const { rows } = await sql<{ count: bigint }>`
    insert into tenant_writes (tenant_id, day, kind, count)
    values (${tenantId}, ${Math.floor(realClock.now() / dayMs)}::int4, 'invitations', 1)
    on conflict (tenant_id, day, kind) do update set count = tenant_writes.count + 1
      where tenant_writes.count < ${limits.memberInvitationMailsPerDay}::int8
    returning count`.execute(db);
  return rows.length > 0;
}

const dayMs = 86_400_000;

/** Who is invited, as what. */
export interface InvitationPlan {
  readonly tenantId: string;
  /** In stored form. */
  readonly email: string;
  readonly role: MemberRole;
  readonly name: string | null;
  readonly environments: readonly EnvironmentName[];
  /** By a command alone. */
  readonly isOperator?: boolean;
}

/**
 * Invites a member, or one who has not accepted yet once more. `caller` is absent for a command, which may invite anybody: a caller gets no
 * link of a member that it could not have invited. Throws `member_exists`, `member_limit`.
 */
export function invite(
  needs: SecretNeeds & { readonly db: Db; readonly realClock: Clock },
  plan: InvitationPlan,
  actor: Actor,
  caller?: Caller,
): Promise<{ readonly member: MemberRow; readonly link: MadeLink }> {
  const now = needs.realClock.now();
  return asActor(needs.db, actor, async (trx) => {
    await takeTurn(trx, plan.tenantId);
    if (caller !== undefined) await requirePowers(trx, caller, plan);
    const member = await placeMember(trx, needs, plan, now, caller);
    const link = await makeLink(trx, needs, { memberId: member.id, kind: "invitation", now });
    return { member, link };
  });
}

/** Throws `insufficient_scope` where the caller, as it is now, may not invite such a member. */
async function requirePowers(trx: Trx, caller: Caller, { role, environments }: InvitationPlan): Promise<void> {
  const now = await readCaller(trx, caller);
  requireRole(now, { role, is_operator: false });
  requireReach(now, environments);
  await requireUnlimited(trx, now);
}

async function placeMember(
  trx: Trx,
  { random }: SecretNeeds,
  plan: InvitationPlan,
  now: number,
  caller: Caller | undefined,
): Promise<MemberRow> {
  const { tenantId, email, role, name, isOperator } = plan;
  const environments = JSON.stringify(plan.environments);
  const former = await lockMemberOf(trx, plan);
  if (former === undefined) {
    if (!(await hasRoom(trx, tenantId))) throw new TrellisError("member_limit");
    const row = { id: random.uuid(), tenant_id: tenantId, email, name, role, environments };
    return insertMember(trx, { ...row, is_operator: isOperator === true, status: "invited", created_at: BigInt(now) });
  }
  const isOthers = caller !== undefined && former.is_operator;
  if (former.status !== "invited" || isOthers) throw new TrellisError("member_exists");
  const set = { role, environments, ...(name === null ? {} : { name }) };
  return updateMember(trx, former.id, { ...set, ...(isOperator === undefined ? {} : { is_operator: isOperator }) });
}
