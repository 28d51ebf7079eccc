import { type Kysely, sql } from "kysely";

/**
 * An owner may have several wallets at a guardian, one after the other: a wallet whose passkeys are lost obeys no others, so another
 * one takes its place.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table wallet add column number int4 not null default 1 check (number > 0)`,
  // Whether its custodian was the guardian when the wallet was last asked for.
  `alter table wallet add column is_guarded boolean not null default false`,
  `create unique index wallet_of_owner on wallet (owner_id, provider, number)`,
  `alter table wallet drop constraint wallet_owner_id_provider_key`,
];
