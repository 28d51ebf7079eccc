import type { Caller } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Trx } from "@trellis/kernel/ports/database.js";
import { type EnvironmentName, environmentNames } from "@trellis/kernel/ports/environment.js";
import { findKeyOf } from "../tenants/api-key-store.js";
import { checkScope } from "../tenants/authorize.js";
import { type MemberRow, type Sight, takeTurn } from "./member-store.js";
import { memberRoles, scopesOf } from "./roles.js";

/** Who calls, as it is now, with the tenant's turn. Throws `sign_in_required` and `insufficient_scope` where that has ended meanwhile. */
export async function readCaller(trx: Trx, caller: Caller): Promise<Caller> {
  await takeTurn(trx, caller.tenantId);
  const now = (await caller.readAgain?.(trx)) ?? caller;
  checkScope(now, "admin:members");
  return now;
}

/**
 * Whom a caller sees: members who reach no more of what is served, and those whose role can do no more. The latter are so that a key, which
 * never opens mainnet beside other environments, can still disable and remove.
 */
export function sightOf({ environments, scopes }: Caller, served: readonly EnvironmentName[]): Sight {
  return {
    environments: environmentNames.filter((name) => environments.includes(name) || !served.includes(name)),
    roles: memberRoles.filter((role) => scopesOf({ role, is_operator: false }).every((scope) => scopes.has(scope))),
    operators: scopes.has("admin:tenants"),
  };
}

/** Throws `insufficient_scope` where a member could do more than the caller: no caller makes one that is mightier. */
export function requireRole(caller: Caller, member: Pick<MemberRow, "role" | "is_operator">): void {
  const scope = scopesOf(member).find((each) => !caller.scopes.has(each));
  if (scope === undefined) return;
  throw new TrellisError("insufficient_scope", {
    field: "role",
    message: `The caller lacks the scope ${scope}, and cannot give it to a member.`,
    facts: { scope },
  });
}

/** The same for environments. */
export function requireReach(
  caller: Caller,
  environments: readonly EnvironmentName[],
  reach: readonly EnvironmentName[] = caller.environments,
): void {
  const environment = environments.find((each) => !reach.includes(each));
  if (environment === undefined) return;
  throw new TrellisError("insufficient_scope", {
    field: "environments",
    message: `The caller does not reach the environment ${environment}, and cannot let a member reach it.`,
    facts: { environments: caller.environments },
  });
}

/** The same for keys that end, or that are good in some places only: a member would be neither. */
export async function requireUnlimited(trx: Trx, caller: Caller): Promise<void> {
  const key = await findKeyOf(trx, caller);
  if (key === undefined) return;
  const field = key.expires_at !== null ? "expires_at" : "allowed_addresses";
  if (key.expires_at === null && (key.allowed_addresses ?? []).length === 0) return;
  throw new TrellisError("insufficient_scope", {
    field,
    message:
      "This API key expires or is limited to addresses. It cannot give a member rights, which would have no such limit.",
  });
}

/** Throws `insufficient_scope` where others than operators would change an operator. */
export function requireOperatorFor(caller: Caller, { is_operator }: Pick<MemberRow, "is_operator">): void {
  if (!is_operator || caller.scopes.has("admin:tenants")) return;
  throw new TrellisError("insufficient_scope", {
    message: "The member is an operator. Only operators and commands change or remove one.",
    facts: { scope: "admin:tenants" },
  });
}
