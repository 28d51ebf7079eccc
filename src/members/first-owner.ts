import type { Db, Trx } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { asActor } from "../audit/actor.js";
import { defaultTenantId, ensureTenant } from "../tenants/api-key-store.js";
import { insertMember, lockMemberOf, type MemberRow, takeTurn } from "./member-store.js";
import { type MadeLink, makeLink, type SecretNeeds } from "./secret-store.js";

/** Whom a sandbox on one's own machine signs in: no address that a mail could be sent to. */
export const firstOwnerEmail = "owner@localhost";

/**
 * A link that signs in the first owner of an installation with a sandbox, who is an operator, too; made at the first start of a service
 * that has no member. What the member reaches is as it was made, whatever is served later. Undefined where the first owner was removed or disabled, or others came first.
 */
export function linkFirstOwner(
  needs: SecretNeeds & { readonly db: Db; readonly now: number },
  environments: readonly EnvironmentName[],
): Promise<MadeLink | undefined> {
  const { db, now } = needs;
  return asActor(db, "configuration", async (trx) => {
    await ensureTenant(trx, { id: defaultTenantId, name: "Default", now });
    await takeTurn(trx, defaultTenantId);
    const owner = await ensureFirstOwner(trx, needs, environments);
    if (owner?.status !== "active") return undefined;
    return makeLink(trx, needs, { memberId: owner.id, kind: "link", now });
  });
}

async function ensureFirstOwner(
  trx: Trx,
  { random, now }: SecretNeeds & { readonly now: number },
  wanted: readonly EnvironmentName[],
): Promise<MemberRow | undefined> {
  const environments = JSON.stringify(wanted);
  const there = await lockMemberOf(trx, { tenantId: defaultTenantId, email: firstOwnerEmail });
  if (there !== undefined) return there;
  const any = await trx.selectFrom("member").select("id").limit(1).executeTakeFirst();
  if (any !== undefined) return undefined;
  return insertMember(trx, {
    id: random.uuid(),
    tenant_id: defaultTenantId,
    email: firstOwnerEmail,
    name: null,
    role: "owner",
    is_operator: true,
    environments,
    status: "active",
    created_at: BigInt(now),
  });
}
