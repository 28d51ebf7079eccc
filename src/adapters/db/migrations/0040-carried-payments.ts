import { type Kysely, sql } from "kysely";

/**
 * A payment that a wallet has changed and sent on its own has the submission of its own message, with the signature that
 * landed. The same bytes can have been submitted as built elsewhere, too: a signature has a row of each kind at most.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table submission add column carried boolean not null default false`,
  `alter table submission drop constraint submission_signature_key`,
  `create unique index submission_signature on submission (signature, carried)`,
  // What was read of histories until now was not held against changed bytes: these searches begin anew.
  `update payment_intent set searched_to = null where searched_to is not null`,
  `update submission set searched_to = null where searched_to is not null and state in ('signed', 'sent')`,
];
