import { type EnvironmentName, environmentNames } from "@trellis/kernel/ports/environment.js";
import { asActor } from "../audit/actor.js";
import { firstOwnerEmail } from "../members/first-owner.js";
import { invite } from "../members/invite-member.js";
import { linkTo } from "../members/member-mails.js";
import { deleteMemberPasskeys } from "../members/member-passkey-store.js";
import { deleteMember, lockMemberOf, takeTurn, updateMember } from "../members/member-store.js";
import { memberRoles } from "../members/roles.js";
import { makeLink, voidSecrets } from "../members/secret-store.js";
import { endSessions } from "../members/session-store.js";
import type { KeyOffice } from "../operator/key-office.js";
import { parseEmailAddress } from "../people/email-address.js";
import { findTenant } from "../tenants/tenant-store.js";
import { done, type KeyReport, refused } from "./manage-keys.js";

export interface InvitationOptions {
  readonly email: string;
  readonly role: string;
  readonly tenant: string;
  readonly environments?: string | undefined;
  readonly operator?: boolean | undefined;
}

/** `trellis console invite`. */
export async function inviteToConsole(office: KeyOffice, options: InvitationOptions): Promise<KeyReport> {
  const role = memberRoles.find((each) => each === options.role);
  if (role === undefined) return refused(`--role is ${memberRoles.join(", ")}, not ${options.role}.`);
  const environments = readEnvironments(options.environments);
  if (environments === undefined)
    return refused(`--environments has ${environmentNames.join(", ")}, separated by commas.`);
  const email = parseEmailAddress(options.email);
  if ((await findTenant(office.db, options.tenant)) === undefined)
    return refused(`There is no tenant ${options.tenant}.`);
  const isOperator = options.operator === true;
  const plan = { tenantId: options.tenant, email, role, name: null, environments, isOperator };
  const { link } = await invite({ ...office, realClock: { now: () => office.now } }, plan, "operator");
  return done(
    `${email} is invited as ${role}${isOperator ? " and operator" : ""}. The link works once, within seven days:\n` +
      linkTo(office.publicUrl, link.token),
  );
}

/** `trellis console link`: for a member who cannot be mailed a code. */
export function linkToConsole(
  office: KeyOffice,
  { email, tenant }: Pick<InvitationOptions, "email" | "tenant">,
): Promise<KeyReport> {
  const { db, now, publicUrl } = office;
  // The first owner's is no address for mail.
  const stored = email === firstOwnerEmail ? email : parseEmailAddress(email);
  return asActor(db, "operator", async (trx) => {
    await takeTurn(trx, tenant);
    const member = await lockMemberOf(trx, { tenantId: tenant, email: stored });
    if (member === undefined) return refused(`${tenant} has no member ${stored}.`);
    if (member.status === "disabled") return refused(`${stored} is disabled.`);
    const kind = member.status === "invited" ? "invitation" : "link";
    const link = await makeLink(trx, office, { memberId: member.id, kind, now });
    return done(
      `This signs ${stored} in to the console of ${tenant}, once, until ${new Date(link.expiresAt).toISOString()}:\n` +
        linkTo(publicUrl, link.token),
    );
  });
}

/** `trellis console allow-codes`: for a member who requires a passkey and has lost it. */
export function allowCodes(
  { db }: KeyOffice,
  { email, tenant }: Pick<InvitationOptions, "email" | "tenant">,
): Promise<KeyReport> {
  const stored = email === firstOwnerEmail ? email : parseEmailAddress(email);
  return asActor(db, "operator", async (trx) => {
    await takeTurn(trx, tenant);
    const member = await lockMemberOf(trx, { tenantId: tenant, email: stored });
    if (member === undefined) return refused(`${tenant} has no member ${stored}.`);
    if (!member.passkey_required) return refused(`${stored} requires no passkey: codes by mail sign in already.`);
    await updateMember(trx, member.id, { passkey_required: false });
    return done(
      `Codes by mail sign ${stored} in to the console of ${tenant} again. Passkeys stay: the member removes what is lost.`,
    );
  });
}

/** `trellis console disable` and `remove`: of any member, also of operators and the last owner, whom a command can invite again. */
export function endMembership(
  { db, now }: KeyOffice,
  { email, tenant }: Pick<InvitationOptions, "email" | "tenant">,
  how: "disable" | "remove",
): Promise<KeyReport> {
  const stored = email === firstOwnerEmail ? email : parseEmailAddress(email);
  return asActor(db, "operator", async (trx) => {
    await takeTurn(trx, tenant);
    const member = await lockMemberOf(trx, { tenantId: tenant, email: stored });
    if (member === undefined) return refused(`${tenant} has no member ${stored}.`);
    if (how === "remove") await deleteMember(trx, member.id);
    else {
      await updateMember(trx, member.id, { status: "disabled", passkey_required: false });
      await voidSecrets(trx, member.id, now);
      await endSessions(trx, member.id);
      await deleteMemberPasskeys(trx, member.id);
    }
    return done(`${stored} is ${how}d in ${tenant}, and signed in nowhere. API keys that the member has made stay.`);
  });
}

function readEnvironments(text: string | undefined): EnvironmentName[] | undefined {
  if (text === undefined) return [...environmentNames];
  const names = text.split(",").map((name) => name.trim());
  const known = environmentNames.filter((name) => names.includes(name));
  return known.length === new Set(names).size && known.length > 0 ? known : undefined;
}
