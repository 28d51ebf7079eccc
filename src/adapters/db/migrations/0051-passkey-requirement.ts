import { type Kysely, sql } from "kysely";

/** Users may ask that a code alone does not sign them in, and passkeys can be suspended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table app_user add column passkey_sign_in text not null default 'optional'
    constraint app_user_passkey_sign_in_check check (passkey_sign_in in ('optional', 'from_first', 'required'))`,
  `alter table pending_account add column requires_passkey boolean not null default false`,
];
