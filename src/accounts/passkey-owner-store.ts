import type { Address } from "@solana/kit";
import type { Db } from "@trellis/kernel/ports/database.js";

/**
 * Whether a passkey with an account on chain is another tenant's: of the one that had it made, or else of the one with whose account it first
 * became a signer. An account that comes later, as anybody can make one with any signer, says nothing. Nor does any account where the passkey was
 * asked on a domain of the tenant's own (`isOwnDomain`): it is of that domain, where no page of another tenant can be.
 */
export async function isOfAnotherTenant(
  db: Db,
  { tenantId, environment }: { readonly tenantId: string; readonly environment: string },
  address: Address,
  isOwnDomain: boolean,
): Promise<boolean> {
  const maker = await db
    .selectFrom("passkey_signer")
    .select("tenant_id")
    .where("environment", "=", environment)
    .where("address", "=", address)
    .executeTakeFirst();
  if (maker !== undefined) return maker.tenant_id !== tenantId;
  if (isOwnDomain) return false;
  const owner = await db
    .selectFrom("account_signer")
    .innerJoin("account", (join) =>
      join
        .onRef("account.environment", "=", "account_signer.environment")
        .onRef("account.address", "=", "account_signer.account_address"),
    )
    .select("account.tenant_id")
    .where("account_signer.environment", "=", environment)
    .where("account_signer.signer_address", "=", address)
    .orderBy("account.number")
    .orderBy("account.created_at")
    .limit(1)
    .executeTakeFirst();
  return owner !== undefined && owner.tenant_id !== tenantId;
}
