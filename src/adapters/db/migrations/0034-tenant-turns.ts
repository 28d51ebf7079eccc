import { type Kysely, sql } from "kysely";

/** Passes take work from tenant after tenant: each queue is found by its tenants, too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // A long search for a payment that the database has forgotten continues where it stopped.
  `alter table standing_order_run add column searched_to text`,
  // Runs that will not be paid: their orders ended while something stood in the way.
  `update standing_order_run as run set state = 'missed', error = 'order_inactive'
    from standing_order as ended
    where ended.id = run.order_id and ended.status in ('cancelled', 'completed') and run.state in ('scheduled', 'retrying')`,

  `create index standing_order_turn on standing_order (environment, tenant_id, attempt_at) where attempt_at is not null`,
  `create index submission_turn on submission (environment, tenant_id, looked_at) where state in ('signed', 'sent')`,
  `create index submission_unsettled_turn on submission (environment, tenant_id, looked_at)
    where state in ('landed', 'failed', 'expired') and spent_lamports is null and reserved_lamports > 0`,
  `create index account_creation_turn on account_creation (environment, tenant_id, looked_at)
    where state = 'pending' and (submission_id is not null or type = 'email')`,
  `create index account_members_turn on account (environment, tenant_id, members_due) where members_due is not null`,
];
