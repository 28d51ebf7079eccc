import { type Kysely, sql } from "kysely";

/**
 * Tenants that are disabled, and API keys with all that people may say of them: what kind they are, from where they may be
 * used, and when they last were; and the keys that say who is signed in. See `ports/database.ts`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table tenant add column disabled_at int8`,
  `alter table api_key
    add column kind text not null default 'secret' check (kind in ('secret', 'publishable')),
    add column allowed_origins text[] not null default '{}',
    add column allowed_addresses text[] not null default '{}',
    add column last_used_at int8,
    add column revoked_at int8`,
  `create index api_key_list on api_key (tenant_id, created_at, id)`,
  // How many a tenant has is counted before each is made, however many were revoked.
  `create index api_key_enabled on api_key (tenant_id) where disabled_at is null`,
  // A browser asks whether it may call before it shows its key.
  `create index api_key_origin on api_key using gin (allowed_origins) where kind = 'publishable'`,
  `create table identity_key (
    id text primary key,
    x text not null,
    y text not null,
    private_key bytea not null,
    signs_from int8 not null,
    retires_at int8)`,
  `create index identity_key_retired on identity_key (retires_at)`,
  // What no endpoint ever asked for is what administers keys now, under the name that is asked for.
  `update api_key set scopes = replace(scopes, '"api-keys:write"', '"admin:keys"')`,
];
