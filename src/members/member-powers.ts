import type { Caller } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { MemberRow } from "./member-store.js";
import { scopesOf } from "./roles.js";

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
export function requireReach(caller: Caller, environments: readonly EnvironmentName[]): void {
  const environment = environments.find((each) => !caller.environments.includes(each));
  if (environment === undefined) return;
  throw new TrellisError("insufficient_scope", {
    field: "environments",
    message: `The caller does not reach the environment ${environment}, and cannot let a member reach it.`,
    facts: { environments: caller.environments },
  });
}
