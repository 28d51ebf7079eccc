import { type Kysely, sql } from "kysely";

/**
 * What must not begin while a tenant is frozen is refused by the database, whatever release the process is of: an archive would lack it, or
 * both installations would do it. The function stands in `functions.sql`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const refusing = (name: string, when: string, only = "") =>
  `create trigger ${name} before ${when} for each row ${only} execute function refuse_frozen_write()`;

const isRemoved = "when (old.removed_at is distinct from new.removed_at)";

const statements = [
  `create function refuse_frozen_write() returns trigger language plpgsql as $$ begin return null; end $$`,
  refusing("creation_of_frozen", "insert on account_creation"),
  refusing("wallet_of_frozen", "insert on wallet"),
  refusing("passkey_of_frozen", "insert on passkey"),
  refusing("passkey_removal_of_frozen", "update of removed_at on passkey", isRemoved),
  refusing("kms_passkey_of_frozen", "insert on kms_passkey"),
  refusing("kms_passkey_removal_of_frozen", "update of removed_at on kms_passkey", isRemoved),
  refusing("wallet_export_of_frozen", "insert on wallet_export"),
  refusing("kms_export_of_frozen", "insert on kms_wallet_export"),
  refusing(
    "kms_export_handed_of_frozen",
    "update of exported_at on kms_wallet_export",
    "when (old.exported_at is null and new.exported_at is not null)",
  ),
  refusing("standing_order_of_frozen", "insert on standing_order"),
  refusing("rail_transfer_of_frozen", "insert on rail_transfer"),
];
