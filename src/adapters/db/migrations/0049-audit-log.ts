import { logTables } from "@trellis/kernel/tlog/log-store.js";
import { type Kysely, sql } from "kysely";

/**
 * The audit log: entries, written by triggers with the changes that they are about, and the tree over them. The triggers'
 * functions stand in `functions.sql`; here are empty ones, for the triggers to name. See `ports/tables/audit.ts`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...tables, ...logTables, ...functions, ...triggers]) await sql.raw(statement).execute(db);
}

const tables = [
  `create table audit_entry (
    sequence int8 generated always as identity primary key,
    tenant_id text,
    environment text,
    kind text not null,
    subject text,
    user_id text,
    at int8 not null,
    salt bytea,
    body text,
    subject_hash bytea not null,
    body_hash bytea not null,
    place int8,
    published_at int8
  )`,
  `create index audit_entry_unpublished on audit_entry (sequence) where place is null`,
  `create unique index audit_entry_place on audit_entry (place) where place is not null`,
  `create index audit_entry_tenant on audit_entry (tenant_id, (coalesce(environment, '')), place) where place is not null`,
  `create index audit_entry_kind on audit_entry (tenant_id, kind, (coalesce(environment, '')), place)
    where place is not null`,
  `create index audit_entry_body on audit_entry (published_at) where body is not null`,
  `create index audit_entry_user on audit_entry (user_id) where body is not null`,
];

/** Each trigger, and what it is behind. */
const triggersByFunction: Readonly<Record<string, readonly string[]>> = {
  audit_api_key: [
    `audit_api_key_created after insert on api_key for each row`,
    `audit_api_key_changed
      after update of disabled_at, revoked_at, scopes, environments, expires_at, allowed_origins, allowed_addresses
      on api_key for each row
      when ((old.disabled_at, old.revoked_at, old.scopes, old.environments, old.expires_at, old.allowed_origins,
          old.allowed_addresses)
        is distinct from (new.disabled_at, new.revoked_at, new.scopes, new.environments, new.expires_at,
          new.allowed_origins, new.allowed_addresses))`,
  ],
  audit_tenant: [
    `audit_tenant_created after insert on tenant for each row`,
    `audit_tenant_changed after update of disabled_at, session_idle_seconds, one_session, relying_party on tenant
      for each row
      when ((old.disabled_at, old.session_idle_seconds, old.one_session, old.relying_party)
        is distinct from (new.disabled_at, new.session_idle_seconds, new.one_session, new.relying_party))`,
  ],
  audit_identity_key: [`audit_identity_key_created after insert on identity_key for each row`],
  audit_session: [`audit_session_opened after insert on session for each row`],
  audit_session_chain: [
    `audit_session_chain_ended after update of end_reason on session_chain for each row
      when (old.end_reason is null and new.end_reason is not null)`,
  ],
  audit_authorization_key: [
    `audit_authorization_key_granted after insert on kms_authorization_key for each row`,
    `audit_authorization_key_revoked after update of revoked_at on kms_authorization_key for each row
      when (old.revoked_at is distinct from new.revoked_at)`,
  ],
  audit_passkey: [
    `audit_passkey_added after insert on passkey for each row`,
    `audit_passkey_removed after update of removed_at on passkey for each row
      when (old.removed_at is distinct from new.removed_at)`,
  ],
  audit_account_signer: [
    `audit_account_signer_added after insert on account_signer for each row`,
    `audit_account_signer_removed after delete on account_signer for each row`,
  ],
  audit_settings: [
    `audit_settings_changed after update of state on submission for each row
      when (new.changes_settings and new.state = 'landed' and old.state is distinct from new.state)`,
  ],
  audit_suspension: [
    `audit_order_suspended after update of reason on standing_order for each row
      when (old.reason is distinct from new.reason
        and (old.reason is not distinct from 'operator' or new.reason is not distinct from 'operator'))`,
  ],
};

const functions = Object.keys(triggersByFunction).map(
  (name) => `create function ${name}() returns trigger language plpgsql as $$ begin return null; end $$`,
);

const triggers = Object.entries(triggersByFunction).flatMap(([name, some]) =>
  some.map((trigger) => `create trigger ${trigger} execute function ${name}()`),
);
