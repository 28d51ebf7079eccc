import { type Kysely, sql } from "kysely";

/** Which tenant had a passkey made that signs on chain, and which call has a transaction signed for a challenge. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table passkey_signer (
    environment text not null,
    address text not null,
    tenant_id text not null,
    primary key (environment, address)
  )`,
  `insert into passkey_signer (environment, address, tenant_id)
    select environment, passkey_address, min(tenant_id) from passkey_ceremony
    where kind = 'create' and passkey_address is not null group by environment, passkey_address`,
  `alter table passkey_ceremony add column signing_until int8`,
];
