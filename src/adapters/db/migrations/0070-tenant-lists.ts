import { type Kysely, sql } from "kysely";

/** Lists over all accounts of a tenant: payments by state, and standing orders by status and by their next due date. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create index payment_intent_of_tenant on payment_intent (environment, tenant_id, state, created_at, id)`,
  `create index standing_order_of_tenant on standing_order (environment, tenant_id, status, created_at, id)`,
  `create index standing_order_of_account on standing_order
    (environment, tenant_id, account_address, status, created_at, id)`,
  // What is not active is not paid, whatever due date it has.
  `create index standing_order_due on standing_order (environment, tenant_id, next_due_at, id) where status = 'active'`,
];
