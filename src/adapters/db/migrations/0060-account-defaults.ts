import { type Kysely, sql } from "kysely";

/** What a tenant's e-mail accounts are where a request says nothing. Tenants that are there keep what they had: plain ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table tenant add column default_protection text not null default 'plain'
    constraint tenant_default_protection_check check (default_protection in ('plain', 'guarded'))`,
  `alter table tenant add column recovery_address text`,
];
