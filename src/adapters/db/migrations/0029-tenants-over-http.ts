import { type Kysely, sql } from "kysely";

/** A tenant knows the operation that made it, and tenants are listed by the bytes of their ids. See `ports/database.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table tenant add column made_by text`,
  `create index tenant_list on tenant (id collate "C")`,
];
