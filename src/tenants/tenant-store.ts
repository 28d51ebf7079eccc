import type { DbOrTrx, TenantTable } from "@trellis/kernel/ports/database.js";
import { type Selectable, sql } from "kysely";

/** A tenant as the table has it. */
export type TenantRow = Selectable<TenantTable>;

/** The form of a tenant's id: it stands in file names, logs and tokens. */
export const tenantIdPattern = "[a-z0-9][a-z0-9_-]{0,62}";
export const tenantIdForm = new RegExp(`^${tenantIdPattern}$`);

/**
 * Makes a tenant; undefined when there is one of this id already, unless it was made by the same operation. `now` is real
 * time in Unix milliseconds.
 */
export async function createTenant(
  db: DbOrTrx,
  tenant: {
    readonly id: string;
    readonly name: string;
    readonly now: number;
    readonly madeBy?: string | undefined;
    /** Of its accounts (gap 191). */
    readonly protection?: TenantRow["default_protection"] | undefined;
    readonly recoveryAddress?: string | null | undefined;
  },
): Promise<TenantRow | undefined> {
  const { id, name, now, madeBy = null, protection = "plain", recoveryAddress = null } = tenant;
  const made = await db
    .insertInto("tenant")
    .values({
      id,
      name,
      created_at: BigInt(now),
      made_by: madeBy,
      default_protection: protection,
      recovery_address: recoveryAddress,
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returningAll()
    .executeTakeFirst();
  if (made !== undefined || madeBy === null) return made;
  return db.selectFrom("tenant").selectAll().where("id", "=", id).where("made_by", "=", madeBy).executeTakeFirst();
}

/** The first tenants by id, or the first behind one. */
export async function listTenants(
  db: DbOrTrx,
  { behind, limit }: { readonly behind?: string | undefined; readonly limit: number },
): Promise<readonly TenantRow[]> {
  let found = db.selectFrom("tenant").selectAll();
  // By their bytes, whatever the database's own order of letters.
  if (behind !== undefined) found = found.where(sql<boolean>`id collate "C" > ${behind}::text`);
  return found.orderBy(sql`id collate "C"`).limit(limit).execute();
}

/** A tenant by its id, whatever its form. */
export async function findTenant(db: DbOrTrx, id: string): Promise<TenantRow | undefined> {
  // Anything else need not reach the database, which refuses some characters.
  if (!tenantIdForm.test(id)) return undefined;
  return db.selectFrom("tenant").selectAll().where("id", "=", id).executeTakeFirst();
}

/**
 * Freezes a tenant, so that nothing of it is signed here any more, or lets it go on with `at` null; the row as it is then. What has begun
 * to be stored is waited for. One that was frozen keeps its instant. Undefined: there is no such tenant.
 */
export async function freezeTenant(
  db: DbOrTrx,
  tenant: { readonly id: string; readonly at: number | null },
): Promise<TenantRow | undefined> {
  const at = tenant.at === null ? null : BigInt(tenant.at);
  return db
    .updateTable("tenant")
    .set(({ fn, val }) => ({ frozen_at: at === null ? null : fn.coalesce("frozen_at", val(at)) }))
    .where("id", "=", tenant.id)
    .returningAll()
    .executeTakeFirst();
}

/** What a tenant asks of its users' sessions. */
export type SessionPolicyRow = Pick<TenantRow, "session_idle_seconds" | "one_session">;

/** Reads what a tenant asks of sessions (gap 159). */
export async function findSessionPolicy(db: DbOrTrx, tenantId: string): Promise<SessionPolicyRow> {
  return db
    .selectFrom("tenant")
    .select(["session_idle_seconds", "one_session"])
    .where("id", "=", tenantId)
    .executeTakeFirstOrThrow();
}

/** Sets it, from the next request on in every process; the policy as it is then. */
export async function setSessionPolicy(
  db: DbOrTrx,
  tenant: { readonly id: string; readonly idleSeconds: number | null; readonly oneSession: boolean },
): Promise<SessionPolicyRow> {
  return db
    .updateTable("tenant")
    .set({ session_idle_seconds: tenant.idleSeconds, one_session: tenant.oneSession })
    .where("id", "=", tenant.id)
    .returning(["session_idle_seconds", "one_session"])
    .executeTakeFirstOrThrow();
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
