import { type Kysely, sql } from "kysely";

/** Partners of bank rails: whom they checked, what they reported, and the simulated one. See `ports/database.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table rail_verification (
    id text primary key,
    tenant_id text not null references tenant (id),
    environment text not null,
    account_address text not null,
    partner text not null,
    partner_ref text,
    customer_ref text,
    operation_key text not null,
    operation_begun_at int8 not null,
    operation_open boolean not null default true,
    type text not null check (type in ('individual', 'business')),
    email_key bytea not null,
    person bytea not null,
    wanted text[] not null,
    status text not null,
    terms text not null,
    endorsements text not null,
    told bytea,
    told_at int8,
    told_at_real int8,
    version int8 not null default 0,
    active_since int8 not null,
    look_at int8,
    created_at int8 not null,
    updated_at int8 not null)`,
  `create unique index rail_verification_person
    on rail_verification (environment, account_address, partner, email_key)`,
  `create index rail_verification_ref on rail_verification (environment, partner, partner_ref) where partner_ref is not null`,
  `create index rail_verification_look on rail_verification (environment, look_at) where look_at is not null`,
  `create index rail_verification_unanswered on rail_verification (environment, created_at) where partner_ref is null`,

  `create table rail_owner (
    environment text not null,
    partner text not null,
    ref text not null,
    tenant_id text not null references tenant (id),
    primary key (environment, partner, ref))`,

  `create table rail_notice (
    environment text not null,
    partner text not null,
    event_id text not null,
    kind text not null,
    ref text not null,
    happened_at int8 not null,
    received_at int8 not null,
    tries int4 not null default 0,
    look_at int8,
    primary key (environment, partner, event_id))`,
  `create index rail_notice_due on rail_notice (environment, partner, look_at) where look_at is not null`,
  `create index rail_notice_age on rail_notice (received_at)`,

  `create table rail_feed (
    environment text not null,
    partner text not null,
    cursor text,
    asked_at int8 not null,
    primary key (environment, partner))`,

  `create table simulated_verification (
    ref text primary key,
    owner text not null,
    email_key bytea not null,
    type text not null,
    customer_ref text not null,
    status text not null,
    terms text not null,
    rejections text not null default '[]',
    endorsements text not null,
    redirect_uri bytea,
    due_at int8,
    due_status text,
    created_at int8 not null,
    updated_at int8 not null)`,
  `create unique index simulated_verification_person on simulated_verification (owner, email_key)`,
  `create unique index simulated_verification_customer on simulated_verification (customer_ref)`,
  `create index simulated_verification_due on simulated_verification (due_at) where due_at is not null`,
  // Places are given under the lock of one row, so that a reader that continues from a place misses nothing that commits late.
  `create table simulated_feed (id int4 primary key check (id = 1), next_place int8 not null)`,
  `insert into simulated_feed (id, next_place) values (1, 1)`,
  `create table simulated_news (
    place int8 primary key,
    environment text not null,
    event_id text not null,
    kind text not null,
    ref text not null,
    happened_at int8 not null)`,
  `create index simulated_news_age on simulated_news (environment, happened_at)`,

  `create function report_rail_verification() returns trigger language plpgsql as $$
    declare
      was text;
    begin
      if old.partner_ref is not null then was := old.status; end if;
      perform report(new.tenant_id, new.environment, case when was is null then 'kyc.created' else 'kyc.updated' end,
        new.id, new.updated_at,
        json_build_object('id', new.id, 'account', new.account_address, 'type', new.type, 'status', new.status,
          'tos_status', new.terms, 'endorsements', new.endorsements::json,
          'created_at', wire_instant(new.created_at), 'updated_at', wire_instant(new.updated_at)), was);
      return null;
    end $$`,
  `create trigger rail_verification_moved after update on rail_verification for each row
    when (new.partner_ref is not null and (old.partner_ref is null
      or (old.status, old.terms, old.endorsements) is distinct from (new.status, new.terms, new.endorsements)))
    execute function report_rail_verification()`,
];
