import { type Kysely, sql } from "kysely";

/** Names of addresses, of a tenant and of single accounts. Every change is an entry of the audit log; the function stands in `functions.sql`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table label (
    environment text not null,
    account_address text not null,
    tenant_id text not null references tenant (id),
    address text not null,
    name text not null,
    folded_name text not null,
    note text,
    created_at int8 not null,
    updated_at int8 not null,
    primary key (environment, account_address, tenant_id, address),
    constraint label_name unique (environment, account_address, tenant_id, folded_name)
  )`,
  `create index label_place on label (environment, account_address, tenant_id, created_at, address)`,
  `create function audit_label() returns trigger language plpgsql as $$ begin return null; end $$`,
  `create trigger audit_label after insert or update or delete on label for each row execute function audit_label()`,
];
