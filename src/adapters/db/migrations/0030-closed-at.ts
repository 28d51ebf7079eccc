import { type Kysely, sql } from "kysely";

/** The simulated partner knows when an address was closed: long after that it checks rarely whether coins arrived. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table simulated_payout_address add column closed_at int8`,
  // When they were is not known: no later than they were last checked, or opened.
  `update simulated_payout_address set closed_at = greatest(looked_at, created_at) where closed`,
];
