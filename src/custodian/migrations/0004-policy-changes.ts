import { type Kysely, sql } from "kysely";

/** The policy that waits for its delay, and the document that was taken last: a wallet's row binds both. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table custodian_policy add column next_policy text`,
  `alter table custodian_policy add column next_from int8`,
  `alter table custodian_policy add column set_by bytea`,
];
