import { logTables } from "@trellis/kernel/tlog/log-store.js";
import { type Kysely, sql } from "kysely";

/**
 * The custodian's own log: entries, written by triggers with the changes that they are about, and the tree over them. Its tables are those of
 * the service's (`ports/tables/audit.ts`), so that the same code publishes, proves and checks both.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...tables, ...logTables, ...functions]) await sql.raw(statement).execute(db);
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
  `create index audit_entry_body on audit_entry (published_at) where body is not null`,
];

const functions = [
  // Of the service's log: the last checkpoint that was cosigned, as it was signed.
  `alter table tlog_witnessed add column note text`,
  `create function wire_instant(instant int8) returns text language sql immutable as $$
    select to_char(to_timestamp(instant / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$`,
  `create function audit(tenant text, place_of text, what text, about text, person text, details json)
  returns void language plpgsql as $$
  declare
    own_salt bytea := sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'));
    own_body text := json_strip_nulls(json_build_object('tenant', tenant, 'environment', place_of, 'subject', about, 'user', person,
      'actor', nullif(current_setting('trellis.actor', true), ''), 'details', details))::text;
  begin
    insert into audit_entry (tenant_id, environment, kind, subject, user_id, at, salt, body, subject_hash, body_hash)
    values (tenant, place_of, what, about, person, floor(extract(epoch from clock_timestamp()) * 1000)::int8, own_salt, own_body,
      sha256(own_salt || convert_to(about, 'UTF8')), sha256(own_salt || convert_to(own_body, 'UTF8')));
  end $$`,
  `create function audit_of_wallet(held_id text, what text, details json) returns void language plpgsql as $$
  declare
    held record;
  begin
    select environment, owner_id into held from kms_wallet where id = held_id;
    perform audit(null, held.environment, what, 'wallet/' || held_id, held.owner_id, details);
  end $$`,
  `create function audit_wallet() returns trigger language plpgsql as $$
  begin
    perform audit_of_wallet(new.id, 'wallet.created', json_build_object('address', new.address,
      'kind', (select kind from custodian_wallet where wallet_id = new.id),
      'rp', (select rp_id from custodian_wallet where wallet_id = new.id)));
    return null;
  end $$`,
  `create function audit_key() returns trigger language plpgsql as $$
  begin
    perform audit_of_wallet(new.wallet_id,
      'authorization.' || case when tg_op = 'INSERT' then 'granted' when new.revoked_at is null then 'restored' else 'revoked' end,
      json_build_object('authorization', new.id, 'public_key', encode(new.public_key, 'hex'),
        'expires_at', wire_instant(new.expires_at)));
    return null;
  end $$`,
  `create function audit_passkey() returns trigger language plpgsql as $$
  begin
    perform audit_of_wallet(new.wallet_id,
      'passkey.' || case when tg_op = 'INSERT' then 'added' when new.removed_at is null then 'restored' else 'removed' end,
      json_build_object('passkey', new.id, 'credential_id', new.credential_id, 'public_key', encode(new.public_key, 'hex'),
        'rp_id', new.rp_id));
    return null;
  end $$`,
  `create function audit_policy() returns trigger language plpgsql as $$
  begin
    perform audit_of_wallet(new.wallet_id,
      'policy.' || case when (old.policy, old.version) is distinct from (new.policy, new.version) then 'changed'
        when new.next_policy is null then 'withdrawn' else 'requested' end,
      json_build_object('version', new.version, 'policy', new.policy, 'before', old.policy, 'next', new.next_policy,
        'next_from', wire_instant(new.next_from)));
    return null;
  end $$`,
  // A row that changes is removed and made again.
  `create function audit_pending() returns trigger language plpgsql as $$
  begin
    perform audit_of_wallet(new.wallet_id, 'delay.' || case when new.cancelled_at is not null then 'cancelled'
        when new.used_at is not null then 'used' else 'started' end,
      json_build_object('what', new.what, 'not_before', wire_instant(new.not_before)));
    return null;
  end $$`,
  `create function audit_destination() returns trigger language plpgsql as $$
  begin
    perform audit_of_wallet(new.wallet_id, 'destination.approved', json_build_object('address', new.address));
    return null;
  end $$`,
  `create trigger audit_wallet_created after insert on kms_wallet for each row execute function audit_wallet()`,
  `create trigger audit_key_granted after insert on kms_authorization_key for each row execute function audit_key()`,
  `create trigger audit_key_revoked after update of revoked_at on kms_authorization_key for each row
    when (old.revoked_at is distinct from new.revoked_at) execute function audit_key()`,
  `create trigger audit_passkey_added after insert on kms_passkey for each row execute function audit_passkey()`,
  `create trigger audit_passkey_removed after update of removed_at on kms_passkey for each row
    when (old.removed_at is distinct from new.removed_at) execute function audit_passkey()`,
  `create trigger audit_policy_changed after update of policy, version, next_policy on custodian_policy for each row
    when ((old.policy, old.version, old.next_policy) is distinct from (new.policy, new.version, new.next_policy)) execute function audit_policy()`,
  `create trigger audit_pending_changed after insert on custodian_pending for each row execute function audit_pending()`,
  `create trigger audit_destination_approved after insert on custodian_destination for each row
    execute function audit_destination()`,
];
