import { type Kysely, sql } from "kysely";

/** Members of a tenant who sign in to the console, what signs them in once, and their sessions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...tables, ...functions, ...triggers]) await sql.raw(statement).execute(db);
}

const tables = [
  `create table member (
    id text primary key,
    tenant_id text not null references tenant (id),
    email text not null,
    name text,
    role text not null check (role in ('owner', 'developer', 'viewer')),
    is_operator boolean not null default false,
    environments text not null,
    status text not null check (status in ('invited', 'active', 'disabled')),
    created_at int8 not null,
    last_signed_in_at int8,
    constraint member_address unique (tenant_id, email)
  )`,
  `create index member_list on member (tenant_id, created_at, id)`,
  `create index member_email on member (email)`,
  `create table member_secret (
    id text primary key,
    member_id text not null references member (id) on delete cascade,
    kind text not null check (kind in ('invitation', 'link', 'code')),
    secret_hash bytea not null unique,
    attempts int4 not null default 0,
    created_at int8 not null,
    expires_at int8 not null,
    used_at int8
  )`,
  `create index member_secret_member on member_secret (member_id, created_at)`,
  `create index member_secret_age on member_secret (expires_at)`,
  `create table member_session (
    id text primary key,
    member_id text not null references member (id) on delete cascade,
    token_hash bytea not null unique,
    created_at int8 not null,
    last_used_at int8 not null,
    expires_at int8 not null
  )`,
  `create index member_session_member on member_session (member_id)`,
  `create index member_session_age on member_session (expires_at)`,
];

/** The functions stand in `functions.sql`; here are empty ones, for the triggers to name. */
const functions = ["audit_member", "audit_member_secret", "audit_member_session"].map(
  (name) => `create function ${name}() returns trigger language plpgsql as $$ begin return null; end $$`,
);

const triggers = [
  `create trigger audit_member_invited after insert on member for each row execute function audit_member()`,
  `create trigger audit_member_changed after update of role, status, is_operator, environments on member for each row
    when (old.role is distinct from new.role or old.status is distinct from new.status
      or old.is_operator is distinct from new.is_operator or old.environments is distinct from new.environments)
    execute function audit_member()`,
  `create trigger audit_member_removed after delete on member for each row execute function audit_member()`,
  `create trigger audit_member_link_issued after insert on member_secret for each row
    when (new.kind <> 'code') execute function audit_member_secret()`,
  `create trigger audit_member_signed_in after insert on member_session for each row
    execute function audit_member_session()`,
];
