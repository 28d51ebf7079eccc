import type { DbOrTrx } from "@trellis/kernel/ports/database.js";
import type { TenantRow } from "./tenant-store.js";

/** What an e-mail account of a tenant is where the request says nothing (gap 191). */
export interface AccountDefaults {
  readonly protection: TenantRow["default_protection"];
  /** The recovery signer of guarded ones; null: each request names one. */
  readonly recoveryAddress: string | null;
}

export async function findAccountDefaults(db: DbOrTrx, tenantId: string): Promise<AccountDefaults> {
  const row = await db
    .selectFrom("tenant")
    .select(["default_protection", "recovery_address"])
    .where("id", "=", tenantId)
    .executeTakeFirstOrThrow();
  return { protection: row.default_protection, recoveryAddress: row.recovery_address };
}

/** Sets what is named, from the next request on in every process; the row as it is then. Undefined: there is no such tenant. */
export async function setAccountDefaults(
  db: DbOrTrx,
  tenantId: string,
  { protection, recoveryAddress }: Partial<AccountDefaults>,
): Promise<TenantRow | undefined> {
  return db
    .updateTable("tenant")
    .set((row) => ({
      default_protection: protection ?? row.ref("default_protection"),
      recovery_address: recoveryAddress === undefined ? row.ref("recovery_address") : recoveryAddress,
    }))
    .where("id", "=", tenantId)
    .returningAll()
    .executeTakeFirst();
}
