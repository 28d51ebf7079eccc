import { type Kysely, sql } from "kysely";

/**
 * What keeps readers out of a table. All migrations are one transaction, which holds its locks to its end: so this stands behind what builds
 * tables and indexes, the most read table last.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table proposal_watch add column voters text`,
  `create trigger proposal_voters_found after insert on proposal_watch for each row when (new.voters is not null)
    execute function list_proposals()`,
  `create trigger proposal_voters_moved after update on proposal_watch for each row when (old.voters is distinct from new.voters
      or old.stale_transaction_index is distinct from new.stale_transaction_index)
    execute function list_proposals()`,
  // `account_of_user` serves what it served.
  `drop index account_user`,
];
