import { type Kysely, sql } from "kysely";

/** Changes of settings that wait at a guardian: the owner is mailed of each, once. How often a mail about an export was tried. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table guardian_change (
    id text primary key,
    wallet_id text not null references wallet (id),
    tenant_id text not null references tenant (id),
    environment text not null,
    account_address text not null,
    not_before int8 not null,
    notice_due_at int8,
    notice_tries int4 not null default 0,
    noticed_at int8
  )`,
  `create index guardian_change_due on guardian_change (environment, notice_due_at) where notice_due_at is not null`,
  `create index guardian_change_age on guardian_change (environment, not_before)`,
  `create index guardian_change_of_wallet on guardian_change (wallet_id, id)`,
  // A process of the former release writes rows without it.
  `alter table wallet_export add column notice_tries int4 not null default 0`,
];
