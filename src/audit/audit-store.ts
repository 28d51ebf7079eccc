import type { DbOrTrx } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { sql } from "kysely";
import type { auditTypes } from "./audit-event.js";
import type { AuditEntry } from "./audit-leaf.js";

/** Whose entries: those of a tenant that belong to no environment, or to one of these. */
export interface AuditOwner {
  readonly tenantId: string;
  readonly environments: readonly EnvironmentName[];
}

/** The newest entries, or those before a place. What has no place yet is not among them: see `publishEntries`. */
export async function listEntries(
  db: DbOrTrx,
  { tenantId, environments }: AuditOwner,
  page: { readonly type?: string | undefined; readonly before?: bigint | undefined; readonly limit: number },
): Promise<readonly AuditEntry[]> {
  const { type, before, limit } = page;
  // Each environment has its own stretch of an index; the newest of all of them are the newest of each, merged.
  const { rows } = await sql<AuditEntry>`
    select found.* from unnest(${["", ...environments]}::text[]) as wanted (environment) cross join lateral (
      select * from audit_entry
      where tenant_id = ${tenantId} and coalesce(environment, '') = wanted.environment and place is not null
        ${type === undefined ? sql`` : sql`and kind = ${type}`}
        ${before === undefined ? sql`` : sql`and place < ${before}::int8`}
      order by place desc limit ${limit}::int4
    ) as found order by found.place desc limit ${limit}::int4`.execute(db);
  return rows;
}

/** How often the log says something of a subject, published or not, for as long as it keeps what its entries say. */
export async function countEntries(
  db: DbOrTrx,
  about: {
    readonly tenantId: string;
    readonly environment: string;
    readonly kind: (typeof auditTypes)[number];
    readonly subject: string;
  },
): Promise<number> {
  const { tenantId, environment, kind, subject } = about;
  const isMeant = sql`tenant_id = ${tenantId} and kind = ${kind} and coalesce(environment, '') = ${environment} and subject = ${subject}`;
  const { rows } = await sql`
    select from audit_entry where ${isMeant} and place is not null
    union all select from audit_entry where ${isMeant} and place is null`.execute(db);
  return rows.length;
}

/** One entry, if it is this owner's. */
export async function findEntry(db: DbOrTrx, owner: AuditOwner, place: bigint): Promise<AuditEntry | undefined> {
  const entry = await db
    .selectFrom("audit_entry")
    .selectAll()
    .where("place", "=", place)
    .where("tenant_id", "=", owner.tenantId)
    .executeTakeFirst();
  const isVisible = entry?.environment == null || owner.environments.some((name) => name === entry.environment);
  return isVisible ? entry : undefined;
}
