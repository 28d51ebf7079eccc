import type { Address } from "@solana/kit";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Holder } from "../transactions/prepare-synchronous.js";

/** Which of these addresses are wallets that a built-in custodian holds for users of the tenant. */
export async function findHolders(
  db: Db,
  network: Pick<Network, "name">,
  tenantId: string,
  addresses: readonly Address[],
): Promise<readonly Holder[]> {
  return db
    .selectFrom("wallet")
    .innerJoin("app_user", "app_user.id", "wallet.owner_id")
    .select(["wallet.address as signer_address", "wallet.provider", "wallet.id as wallet_id"])
    .where("wallet.environment", "=", network.name)
    .where("wallet.address", "in", [...addresses])
    .where("app_user.tenant_id", "=", tenantId)
    .execute();
}
