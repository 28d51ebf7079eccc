import type { MemberRole, MemberTable } from "@trellis/kernel/ports/database.js";
import { type Scope, scopes, tenantsOwnScopes } from "@trellis/kernel/scope.js";

/** The roles, from the mightiest to the least. */
export const memberRoles = ["owner", "developer", "viewer"] as const satisfies readonly MemberRole[];

const reading = scopes.filter((scope) => scope.endsWith(":read"));

/** What a member of each role may do (gap 215): each can do what the one behind it can. */
const scopesOfRoles: Readonly<Record<MemberRole, readonly Scope[]>> = {
  owner: tenantsOwnScopes,
  developer: [...reading, "webhooks:write", "labels:write", "sandbox:use", "sandbox:clock"],
  viewer: reading,
};

/** Whether a role can do more than another. */
export const isMightier = (role: MemberRole, other: MemberRole): boolean =>
  memberRoles.indexOf(role) < memberRoles.indexOf(other);

/** The scopes of a member, in the order of all scopes. An operator administers tenants besides. */
export function scopesOf({
  role,
  is_operator,
}: Pick<MemberTable, "role"> & { readonly is_operator: boolean }): Scope[] {
  const held = new Set<Scope>(scopesOfRoles[role]);
  if (is_operator) held.add("admin:tenants");
  return scopes.filter((scope) => held.has(scope));
}
