import { type Kysely, sql } from "kysely";

/** Subscriptions say whose they are: tenants take turns in them without a lookup for every row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table history_watch add column tenant_id text`,
  `update history_watch as watch set tenant_id = account.tenant_id from account
    where account.environment = watch.environment and account.address = watch.account_address`,
  `alter table proposal_watch add column tenant_id text`,
  `update proposal_watch as watch set tenant_id = account.tenant_id from account
    where account.environment = watch.environment and account.settings_address = watch.settings_address`,
];
