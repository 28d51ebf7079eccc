import { type Kysely, sql } from "kysely";

/** Lists over all accounts of a tenant: verifications by status, account and person, and virtual accounts by currency, status and user. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create index rail_verification_of_tenant on rail_verification (environment, tenant_id, status, created_at, id)`,
  `create index rail_verification_of_account on rail_verification (environment, account_address, status, created_at, id)`,
  `create index rail_verification_of_person on rail_verification
    (environment, tenant_id, email_key, status, created_at, id)`,
  `create index rail_virtual_account_of_tenant on rail_virtual_account
    (environment, tenant_id, currency, status, created_at, id)`,
  `create index rail_virtual_account_of_user on rail_virtual_account
    (environment, tenant_id, user_id, currency, status, created_at, id)`,
];
