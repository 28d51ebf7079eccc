import { type Kysely, sql } from "kysely";

/** An address has one account by e-mail, also where two codes of it are spent at once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create function leave_out_second_creation() returns trigger language plpgsql as $$ begin return null; end $$`,
  `create trigger creation_of_email before insert on account_creation for each row
    when (new.type = 'email' and new.state = 'pending') execute function leave_out_second_creation()`,
];
