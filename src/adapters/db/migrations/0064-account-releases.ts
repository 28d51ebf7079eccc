import { type Kysely, sql } from "kysely";

/**
 * An account that was imported can be released again: `imported_at` says which those are, and `number` tells one import from the next. Following
 * an account is no reason to keep it: what wakes it just when it is released leaves a row that the follower removes, and fails for no other
 * account.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create sequence account_number`,
  // Released and imported again, it is another row: what is about the former one does not count for it. Those that are there share 0, since
  // a number for each would rewrite the table while it is locked; so would a time of import, and it is worked out where it is asked for.
  `alter table account add column imported_at int8, add column number int8 not null default 0`,
  `alter table account alter column number set default nextval('account_number')`,
  `alter sequence account_number owned by account.number`,
  `alter table proposal_watch drop constraint proposal_watch_environment_settings_address_fkey`,
];
