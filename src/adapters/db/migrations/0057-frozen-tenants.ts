import { type Kysely, sql } from "kysely";

/**
 * A tenant can be frozen, so that it can be moved to another installation: nothing of it is signed here any more. What was imported knows the
 * archive it is from. The functions stand in `functions.sql`; here are empty ones, for the triggers to name.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table tenant add column frozen_at int8, add column archive_id text`,
  `create unique index tenant_archive on tenant (archive_id)`,
  ...["refuse_frozen", "audit_freeze"].map(
    (name) => `create function ${name}() returns trigger language plpgsql as $$ begin return null; end $$`,
  ),
  `create trigger submission_of_frozen before insert on submission for each row when (new.tenant_id is not null)
    execute function refuse_frozen()`,
  `create trigger audit_tenant_frozen after update of frozen_at on tenant for each row
    when ((old.frozen_at is null) <> (new.frozen_at is null)) execute function audit_freeze()`,
];
