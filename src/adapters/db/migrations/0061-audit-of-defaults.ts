import { type Kysely, sql } from "kysely";

/** What the audit log did not say: what a tenant's new accounts are, and the roots of wallets' keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const empty = (name: string) =>
  `create function ${name}() returns trigger language plpgsql as $$ begin return null; end $$`;

const statements = [
  empty("audit_account_defaults"),
  empty("audit_wallet_root"),
  `create trigger audit_account_defaults_changed after update of default_protection, recovery_address on tenant for each row
    when (old.default_protection is distinct from new.default_protection
      or old.recovery_address is distinct from new.recovery_address)
    execute function audit_account_defaults()`,
  `create trigger audit_wallet_root_created after insert on wallet_root for each row execute function audit_wallet_root()`,
  `create trigger audit_wallet_root_retired after update of retired_at on wallet_root for each row
    when (old.retired_at is null and new.retired_at is not null) execute function audit_wallet_root()`,
];
