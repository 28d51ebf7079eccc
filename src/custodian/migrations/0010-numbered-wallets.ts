import { type Kysely, sql } from "kysely";
import { numberWallets } from "../../adapters/db/migrations/0062-numbered-wallets.js";

/** Wallets of the built-in custodian have numbers; each one here stays the first of its owner. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of numberWallets) await sql.raw(statement).execute(db);
}
