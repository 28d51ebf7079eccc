import { type Kysely, sql } from "kysely";

/**
 * What the keys of wallets derive from, by custodian and generation. A wallet with a generation has no key of its own in its row.
 * Those of guarded wallets always have.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table wallet_root (
    provider text not null,
    generation int4 not null check (generation > 0),
    sealed bytea,
    created_at int8 not null,
    used_from int8 not null,
    retired_at int8,
    primary key (provider, generation),
    constraint wallet_root_sealed_check check ((sealed is null) = (retired_at is not null))
  )`,
  `alter table kms_wallet
    alter column secret drop not null,
    add column generation int4,
    add constraint kms_wallet_key_check check ((secret is null) <> (generation is null)) not valid`,
  `create index kms_wallet_generation on kms_wallet (provider, generation, id) where generation is not null`,
];
