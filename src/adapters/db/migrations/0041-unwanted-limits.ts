import { type Kysely, sql } from "kysely";

/** A limit that stands although its order was cancelled is reported, counted and followed until it is removed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Reported again: a cancelled order whose limit has arrived after all, the first one or a new one.
  `create trigger standing_order_limit_came after update of mandate, spending_limit_address on standing_order for each row
    when (old.status = 'cancelled' and new.status = 'cancelled'
      and (old.mandate = 'awaited' and new.mandate in ('active', 'revocation_pending')
        or new.mandate = 'active' and (old.mandate is distinct from new.mandate
          or old.spending_limit_address is distinct from new.spending_limit_address)))
    execute function report_standing_order()`,
  `create index standing_order_unwanted on standing_order (environment) where status = 'cancelled' and mandate = 'active'`,
  // What a former release has left alone.
  `update standing_order set attempt_at = 0
    where status = 'cancelled' and mandate in ('active', 'awaited') and attempt_at is null`,
];
