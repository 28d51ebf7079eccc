import { type Kysely, sql } from "kysely";

/**
 * Codes, the mails that carry them and wrong tries know by what kind of key they were requested, so that publishable keys use up
 * nothing of what secret ones may. See `ports/database.ts`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const share = `add column share text not null default 'secret' check (share in ('secret', 'publishable', 'returning'))`;

const statements = [
  `alter table one_time_code ${share}`,
  `alter table otp_failure ${share}`,
  `alter table mail ${share}`,
  `drop index one_time_code_live`,
  `create unique index one_time_code_live on one_time_code (tenant_id, environment, email, purpose, share)
    where state = 'live'`,
  // What publishable keys have left behind is not read through where the others' tries are counted.
  `drop index otp_failure_address`,
  `create index otp_failure_address on otp_failure (tenant_id, environment, email, share, failed_at)`,
  `drop index otp_failure_tenant`,
  `create index otp_failure_tenant on otp_failure (tenant_id, environment, share, failed_at)`,
];
