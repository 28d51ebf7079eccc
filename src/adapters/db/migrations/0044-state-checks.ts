import { type Kysely, sql } from "kysely";

/** Every column that says where a row stands takes the states of its table and no others; some did from the beginning. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [column, states] of Object.entries(allowed)) {
    const [table, name] = column.split(".");
    const list = states.map((state) => `'${state}'`).join(", ");
    const statement = `alter table ${table} add constraint ${table}_${name}_check check (${name} in (${list}))`;
    await sql.raw(statement).execute(db);
  }
}

const ofTransfers = [
  "awaiting_funds",
  "in_review",
  "funds_received",
  "payment_submitted",
  "payment_processed",
  "canceled",
  "error",
  "undeliverable",
  "returned",
  "refunded",
];

const allowed: Readonly<Record<string, readonly string[]>> = {
  "payment_intent.state": ofTransfers,
  "rail_transfer.state": ofTransfers,
  "rail_payout.state": ofTransfers,
  "rail_verification.status": ["not_started", "incomplete", "under_review", "approved", "rejected"],
  "rail_verification.terms": ["pending", "approved"],
  "standing_order.status": ["pending", "active", "inactive", "completed", "cancelled"],
  "standing_order.mandate": ["awaited", "active", "revocation_pending", "revoked"],
  "standing_order_run.state": ["scheduled", "sending", "retrying", "paid", "missed"],
};
