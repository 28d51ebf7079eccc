import type { DbOrTrx } from "@trellis/kernel/ports/database.js";
import { type RawBuilder, sql } from "kysely";
import type { EventType } from "./event-types.js";

/** What happened, for those changes that no trigger of the database reports. */
export interface EventFact {
  readonly tenantId: string;
  readonly environment: string;
  readonly type: EventType;
  readonly objectId: string;
  /** The object as the interface shows it. */
  readonly data: object;
  readonly previousStatus?: string;
  /** Made up, to try a receiver with. */
  readonly isExample?: boolean;
  /** Names what is not recorded a second time. */
  readonly once?: string;
  /** Environment time, Unix milliseconds. */
  readonly now: number;
}

/**
 * SQL that records an event for every row of the query `of`: a member of the statement that makes the change, so that
 * either both are there or neither. The query has the columns tenant_id, environment, type, object_id, data (JSON),
 * previous_status, is_example, once and created_at (environment time). What has the same `once` as an earlier event of
 * its tenant and environment is not recorded again. One row (`id`) is returned for each that was.
 */
export function recordEvents(of: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into event (id, tenant_id, environment, type, object_id, data, previous_status, is_example, once,
      created_at)
    select 'evt_' || replace(gen_random_uuid()::text, '-', ''), fact.tenant_id, fact.environment, fact.type,
      fact.object_id, fact.data::text, fact.previous_status, fact.is_example, fact.once, fact.created_at
    from (${of}) as fact where fact.tenant_id is not null
    on conflict (tenant_id, environment, once) where once is not null do nothing
    returning id`;
}

/** The same for one event of a transaction that is open, or that stands for itself; the id of the event, new or known. */
export async function recordEvent(db: DbOrTrx, fact: EventFact): Promise<string | undefined> {
  const of = sql`select ${fact.tenantId}::text as tenant_id, ${fact.environment}::text as environment,
    ${fact.type}::text as type, ${fact.objectId}::text as object_id, ${JSON.stringify(fact.data)}::text as data,
    ${fact.previousStatus ?? null}::text as previous_status, ${fact.isExample ?? false}::boolean as is_example,
    ${fact.once ?? null}::text as once, ${fact.now}::int8 as created_at`;
  const { rows } = (await recordEvents(of).execute(db)) as { rows: { id: string }[] };
  if (rows[0] !== undefined || fact.once === undefined) return rows[0]?.id;
  const known = await db
    .selectFrom("event")
    .select("id")
    .where("tenant_id", "=", fact.tenantId)
    .where("environment", "=", fact.environment)
    .where("once", "=", fact.once)
    .executeTakeFirst();
  return known?.id;
}

/**
 * Reports something that is noticed again and again to every tenant that has an API key, or to one, once for each `once`.
 * `now` is environment time in Unix milliseconds.
 */
export async function reportOnce(
  db: DbOrTrx,
  fact: Omit<EventFact, "tenantId" | "previousStatus" | "isExample" | "once"> & { readonly once: string },
  tenantId?: string,
): Promise<void> {
  await recordEvents(sql`select id as tenant_id, ${fact.environment}::text as environment, ${fact.type}::text as type,
      ${fact.objectId}::text as object_id, ${JSON.stringify(fact.data)}::text as data, null::text as previous_status,
      false as is_example, ${fact.once}::text as once, ${fact.now}::int8 as created_at
    from tenant where ${
      tenantId === undefined
        ? sql`exists (select from api_key where api_key.tenant_id = tenant.id and disabled_at is null
            and environments::jsonb ? ${fact.environment}::text)`
        : sql`id = ${tenantId}`
    }`).execute(db);
}
