import { type Kysely, sql } from "kysely";

/** A custodian of its own process keeps its keys there: here a wallet of its is a name and an address. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table kms_wallet alter column secret drop not null`,
  `create index kms_wallet_elsewhere on kms_wallet (provider) where secret is null`,
];
