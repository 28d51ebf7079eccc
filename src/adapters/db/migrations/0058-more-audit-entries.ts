import { type Kysely, sql } from "kysely";

/** What the audit log did not say: wallets, exports, grants, secrets, and keys at custodians in processes of their own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [witnessedNote, ...functions, ...triggers]) await sql.raw(statement).execute(db);
}

/** Of logs of others: the last checkpoint that was cosigned here, as it was signed. */
const witnessedNote = `alter table tlog_witnessed add column note text`;

/** Each trigger, and what it is behind. The functions stand in `functions.sql`; here are empty ones, for the triggers to name. */
const triggersByFunction: Readonly<Record<string, readonly string[]>> = {
  audit_session_key: [
    `audit_session_key_revoked after update of key_revoked_at on session for each row
      when (old.key_revoked_at is null and new.key_revoked_at is not null)`,
  ],
  audit_wallet: [`audit_wallet_created after insert on wallet for each row`],
  audit_wallet_export: [
    `audit_wallet_export_requested after insert on wallet_export for each row`,
    `audit_wallet_export_ended after update of state on wallet_export for each row
      when (old.state is distinct from new.state)`,
  ],
  audit_export_delay: [
    `audit_export_delay_changed after update of wallet_export_delay_seconds on tenant for each row
      when (old.wallet_export_delay_seconds is distinct from new.wallet_export_delay_seconds)`,
  ],
  audit_passkey_requirement: [
    `audit_passkey_requirement_changed after update of passkey_sign_in on app_user for each row
      when (old.passkey_sign_in is distinct from new.passkey_sign_in)`,
  ],
  audit_mandate: [
    `audit_mandate_changed after update of mandate on standing_order for each row
      when (old.mandate is distinct from new.mandate and new.mandate in ('active', 'revoked'))`,
  ],
  audit_secret: [
    `audit_secret_created after insert on derived_secret for each row`,
    `audit_secret_changed after update of activated_at, retired_at on derived_secret for each row
      when (old.activated_at is distinct from new.activated_at or old.retired_at is distinct from new.retired_at)`,
  ],
};

const functions = Object.keys(triggersByFunction).map(
  (name) => `create function ${name}() returns trigger language plpgsql as $$ begin return null; end $$`,
);

const triggers = Object.entries(triggersByFunction).flatMap(([name, some]) =>
  some.map((trigger) => `create trigger ${trigger} execute function ${name}()`),
);
