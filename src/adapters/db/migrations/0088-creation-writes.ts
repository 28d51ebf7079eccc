import { type Kysely, sql } from "kysely";

/**
 * What a creation writes is written for all of its rows at once: the entries and listings of its signers. And of requests only those with a
 * code are listed by it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Built beside the former one, which readers of the former release go on using until the end.
  `create index request_record_by_code on request_record (tenant_id, coalesce(environment, ''), code, number)
    where code is not null`,
  // By their former names: a process of the former release relies on them, and they do the same.
  ...setBased("audit_account_signer_added", "audit_added_signers"),
  ...setBased("signed_account_added", "list_added_signers"),
  `drop index request_record_of_code`,
];

function setBased(trigger: string, name: string): readonly string[] {
  return [
    `create function ${name}() returns trigger language plpgsql as $$ begin return null; end $$`,
    `drop trigger ${trigger} on account_signer`,
    `create trigger ${trigger} after insert on account_signer referencing new table as added
      for each statement execute function ${name}()`,
  ];
}
