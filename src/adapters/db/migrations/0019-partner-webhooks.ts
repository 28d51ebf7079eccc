import { type Kysely, sql } from "kysely";

/** News of a partner name customers as well as verifications. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index rail_verification_customer on rail_verification (environment, partner, customer_ref)
    where customer_ref is not null`.execute(db);
}
