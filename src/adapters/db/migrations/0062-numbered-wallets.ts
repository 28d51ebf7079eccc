import { type Kysely, sql } from "kysely";

/**
 * An owner may have several wallets at a built-in custodian: the first one, and others that derive from a newer root. The others obey what
 * commands the first. The former release knows the first one alone, so that nobody has another one before it is gone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...numberWallets, ...numberRecorded]) await sql.raw(statement).execute(db);
}

/** The same in the database of a custodian of its own process, whose code is the same. */
export const numberWallets: readonly string[] = [
  `alter table kms_wallet
    add column number int4 not null default 1,
    add column commanded_by text references kms_wallet (id),
    add column binding bytea,
    add constraint kms_wallet_number_check check (number >= 1
      and (number = 1) = (commanded_by is null) and (commanded_by is null) = (binding is null)) not valid`,
  `create unique index kms_wallet_of_owner on kms_wallet (owner_id, provider, number)`,
  `alter table kms_wallet drop constraint kms_wallet_owner_id_provider_key`,
];

/** What the service goes by, wherever custodians keep their keys. */
const numberRecorded = [`alter table wallet add column commanded_by text`];
