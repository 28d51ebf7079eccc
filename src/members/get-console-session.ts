import { type Caller, endpoint, type SignedInMember } from "@trellis/kernel/endpoint.js";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { environmentNames } from "@trellis/kernel/ports/environment.js";
import { scopes } from "@trellis/kernel/scope.js";
import Type from "typebox";
import { findTenant } from "../tenants/tenant-store.js";
import { findMember } from "./member-store.js";
import { Member, toWireMember } from "./wire-member.js";

/** Gap 216. */
export const getConsoleSession = endpoint(
  {
    operation: "getConsoleSession",
    summary: "Get who is signed in to the console",
    description: "With what the member may do now, and the token that the page sends with every change.",
    tag: "Console",
    method: "GET",
    path: "/api/service/v1/console/session",
    scope: null,
    console: "member",
    environment: "none",
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object(
        {
          member: Member,
          tenant: Type.Object({ id: Type.String(), name: Type.String() }, { $id: "ConsoleTenant" }),
          environments: Type.Array(Type.Enum([...environmentNames]), {
            description: "Those of the member that are available here.",
          }),
          scopes: Type.Array(Type.Enum([...scopes])),
          csrf_token: Type.String({ description: "To send as `x-csrf-token` with every change." }),
          version: Type.String({ description: "Of the service." }),
        },
        { $id: "ConsoleSession" },
      ),
    },
    errors: [],
  },
  async ({ db, version }: { readonly db: Db; readonly version: string }, { caller }) => {
    const { id, csrfToken } = memberOf(caller);
    const [member, tenant] = await Promise.all([findMember(db, id), findTenant(db, caller.tenantId)]);
    // Removed between two statements.
    if (member === undefined || tenant === undefined) throw new TrellisError("sign_in_required");
    return {
      data: {
        member: toWireMember(member),
        tenant: { id: tenant.id, name: tenant.name },
        environments: [...caller.environments],
        scopes: scopes.filter((scope) => caller.scopes.has(scope)),
        csrf_token: csrfToken,
        version,
      },
    };
  },
);

/** The member of a call that members alone make. */
export function memberOf({ member }: Caller): SignedInMember {
  assertOurs(member, "the guard has let a member in");
  return member;
}
