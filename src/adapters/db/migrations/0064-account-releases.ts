import { type Kysely, sql } from "kysely";

/**
 * An account that was imported can be released again: `imported_at` says which those are, and `number` tells one import from the next. Following an account is no reason to keep it: what
 * wakes it just when it is released leaves a row that the follower removes, and fails for no other account.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Released and imported again, it is another row: what is about the former one does not count for it.
  `alter table account add column imported_at int8, add column number int8 not null generated always as identity`,
  // What was created here has its creation, for as long as that is kept.
  `update account set imported_at = created_at where type = 'custom' and not exists (
    select from account_creation where account_creation.environment = account.environment
      and account_creation.account_address = account.address)`,
  `alter table proposal_watch drop constraint proposal_watch_environment_settings_address_fkey`,
];
