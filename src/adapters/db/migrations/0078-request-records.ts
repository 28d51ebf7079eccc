import { type Kysely, sql } from "kysely";

/**
 * Requests that were refused, and those that wrote something: kept for a day, and only the newest of a tenant. The tenant is no reference: a
 * batch of rows of many tenants is never refused because of one of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table request_count (
    tenant_id text primary key,
    last int8 not null
  )`,
  `create table request_record (
    tenant_id text not null,
    number int8 not null,
    environment text,
    request_id text not null,
    at int8 not null,
    method text not null,
    path text not null,
    account text,
    status int4 not null,
    outcome text not null generated always as (
      case when status >= 500 then 'failed' when status >= 400 then 'refused' else 'answered' end) stored,
    code text,
    duration_ms int4 not null,
    api_key_id text not null,
    is_by_page boolean not null,
    remote_address text,
    primary key (tenant_id, number)
  )`,
  `create index request_record_age on request_record (at)`,
  // One for each filter; each ends with the place in the list.
  `create index request_record_list on request_record (tenant_id, coalesce(environment, ''), outcome, number)`,
  `create index request_record_of_key on request_record
    (tenant_id, coalesce(environment, ''), api_key_id, outcome, number)`,
  `create index request_record_of_code on request_record (tenant_id, coalesce(environment, ''), code, number)`,
  `create index request_record_of_id on request_record (tenant_id, request_id, coalesce(environment, ''), number)`,
];
