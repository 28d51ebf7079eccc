import { limits } from "@trellis/kernel/limits.js";
import type { DatabaseSchema, DbOrTrx } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { type Selectable, sql } from "kysely";
import type { AnsweredCall } from "./request-log.js";

export type RequestRow = Selectable<DatabaseSchema["request_record"]>;

/** Every outcome, of which `answered` needs no filter. */
const outcomes = ["answered", "refused", "failed"] as const;
export const filteredOutcomes = ["refused", "failed"] as const;

/** Whose requests: those of a tenant that belong to no environment, or to one of these. */
export interface RequestOwner {
  readonly tenantId: string;
  readonly environments: readonly EnvironmentName[];
}

/** At most one of `requestId`, `code` and `apiKeyId`; an outcome with the last one, or alone: each has an index. */
export interface RequestFilter {
  readonly outcome?: (typeof filteredOutcomes)[number] | undefined;
  readonly apiKeyId?: string | undefined;
  readonly code?: string | undefined;
  readonly requestId?: string | undefined;
  /** With `requestId`: only those with a publishable key, or only the others. */
  readonly isByPage?: boolean;
}

/**
 * Writes requests in one statement, and removes the tenant's oldest ones in turn. Each gets a number of its tenant: whichever process wrote it, a
 * request that becomes visible later stands before all that were there. The row that counts them is held for the statement alone.
 */
export async function insertRequests(db: DbOrTrx, calls: readonly AnsweredCall[]): Promise<void> {
  const rows = calls.map((call, place) => ({ place, ...call }));
  await sql`
    with given as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as given (place int4, "tenantId" text, "apiKeyId" text,
        environment text, "requestId" text, at int8, method text, path text, account text, status int4, code text,
        "isByPage" boolean, "durationMs" int4, "remoteAddress" text)
    ), counted as (
      select "tenantId" as tenant_id, count(*) as count from given group by "tenantId"
    ), numbered as (
      insert into request_count (tenant_id, last) select tenant_id, count from counted order by tenant_id
      on conflict (tenant_id) do update set last = request_count.last + excluded.last
      returning tenant_id, last
    ), removed as (
      delete from request_record where ctid = any(array(
        select oldest.ctid from numbered cross join lateral (
          select ctid from request_record
          where tenant_id = numbered.tenant_id and number <= numbered.last - ${sql.lit(limits.requestLog.keptOfTenant)}
          order by number limit ${sql.lit(limits.requestLog.removedAtOnce)}
        ) as oldest))
    )
    insert into request_record (tenant_id, number, environment, request_id, at, method, path, account, status, code,
      duration_ms, api_key_id, is_by_page, remote_address)
    select numbered.tenant_id, numbered.last - counted.count + row_number() over (partition by "tenantId" order by place),
      environment, "requestId", at, method, path,
      (select address from account where account.environment = given.environment and address = given.account
        and account.tenant_id = given."tenantId"),
      status, code, "durationMs", "apiKeyId", "isByPage", "remoteAddress"
    from given join counted on counted.tenant_id = "tenantId" join numbered on numbered.tenant_id = "tenantId"`.execute(
    db,
  );
}

/** The newest requests, or those before a number. */
export async function listRequests(
  db: DbOrTrx,
  { tenantId, environments }: RequestOwner,
  filter: RequestFilter,
  page: { readonly before?: bigint | undefined; readonly limit: number },
): Promise<readonly RequestRow[]> {
  const { before, limit } = page;
  const { outcome, apiKeyId, code, requestId, isByPage } = filter;
  // Each environment and outcome has its own stretch of an index; the newest of all of them are the newest of each, merged.
  const byOutcome = code === undefined && requestId === undefined;
  const wanted = !byOutcome ? ["any"] : outcome === undefined ? outcomes : [outcome];
  const { rows } = await sql<RequestRow>`
    select found.* from unnest(${["", ...environments]}::text[]) as wanted (environment)
    cross join unnest(${wanted}::text[]) as ended (outcome) cross join lateral (
      select * from request_record
      where tenant_id = ${tenantId} and coalesce(environment, '') = wanted.environment
        ${byOutcome ? sql`and outcome = ended.outcome` : sql``}
        ${apiKeyId === undefined ? sql`` : sql`and api_key_id = ${apiKeyId}`}
        ${code === undefined ? sql`` : sql`and code = ${code}`}
        ${requestId === undefined ? sql`` : sql`and request_id = ${requestId}`}
        ${isByPage === undefined ? sql`` : sql`and is_by_page = ${isByPage}`}
        ${before === undefined ? sql`` : sql`and number < ${before}::int8`}
      order by number desc limit ${limit}::int4
    ) as found order by found.number desc limit ${limit}::int4`.execute(db);
  return rows;
}
