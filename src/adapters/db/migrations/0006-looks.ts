import { type Kysely, sql } from "kysely";

/**
 * What the proof of an expiry needs, and open submissions in the order of their last check. Rows of before were never
 * checked. See `ports/database.ts`.
 */
const statements = [
  `alter table submission
    add column recorded_slot int8,
    add column looked_at int8 not null default 0,
    add column alarmed_at int8`,
  `create index submission_look on submission (environment, looked_at) where state in ('signed', 'sent')`,
  `drop index submission_open`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
