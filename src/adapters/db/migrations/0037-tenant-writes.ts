import { type Kysely, sql } from "kysely";

/** How many requests of a tenant have left something behind on a day: what one tenant may fill the database with is bounded. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table tenant_writes (
    tenant_id text not null references tenant (id),
    day int4 not null,
    kind text not null,
    count int8 not null,
    primary key (tenant_id, day, kind))`,
  `create index tenant_writes_day on tenant_writes (day)`,
];
