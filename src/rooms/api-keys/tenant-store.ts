import type { Selectable } from "kysely";
import type { DbOrTrx, TenantTable } from "../../ports/database.js";

/** A tenant as the table has it. */
export type TenantRow = Selectable<TenantTable>;

/** What a tenant's id may look like: it stands in file names, logs and tokens. */
export const tenantIdForm = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/** Makes a tenant. False when there is one of this id already. `now` is real time in Unix milliseconds. */
export async function createTenant(
  db: DbOrTrx,
  tenant: { readonly id: string; readonly name: string; readonly now: number },
): Promise<boolean> {
  const made = await db
    .insertInto("tenant")
    .values({ id: tenant.id, name: tenant.name, created_at: BigInt(tenant.now) })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return made !== undefined;
}

/** The first tenants by id. */
export async function listTenants(db: DbOrTrx, limit: number): Promise<readonly TenantRow[]> {
  return db.selectFrom("tenant").selectAll().orderBy("id").limit(limit).execute();
}

/**
 * Switches a tenant off, with all its keys, from the next request on (gap 122), or on again with `at` null; the row as it
 * is then. One that was switched off keeps its instant. Undefined: there is no such tenant.
 */
export async function switchTenant(
  db: DbOrTrx,
  tenant: { readonly id: string; readonly at: number | null },
): Promise<TenantRow | undefined> {
  const at = tenant.at === null ? null : BigInt(tenant.at);
  return db
    .updateTable("tenant")
    .set(({ fn, val }) => ({ disabled_at: at === null ? null : fn.coalesce("disabled_at", val(at)) }))
    .where("id", "=", tenant.id)
    .returningAll()
    .executeTakeFirst();
}
