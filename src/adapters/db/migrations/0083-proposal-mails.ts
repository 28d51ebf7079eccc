import { type Kysely, sql } from "kysely";

/**
 * Mails to members about proposals: what a tenant set, who wants none, up to where in the feed of events a tenant's news are handed on,
 * and up to where each member was mailed. The functions stand in `functions.sql`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...functions, ...statements]) await sql.raw(statement).execute(db);
}

/** The functions stand in `functions.sql`; here are empty ones, for the triggers to name. */
const functions = ["note_proposal_news", "follow_proposal_news", "audit_proposal_mails"].map(
  (name) => `create function ${name}() returns trigger language plpgsql as $$ begin return null; end $$`,
);

const statements = [
  `create table proposal_mail_feed (
    tenant_id text not null references tenant (id),
    environment text not null,
    seen_place int8 not null,
    due_at int8,
    primary key (tenant_id, environment))`,
  `create index proposal_mail_feed_due on proposal_mail_feed (environment, due_at) where due_at is not null`,
  `create table proposal_mail (
    id text primary key,
    tenant_id text not null,
    environment text not null,
    member_id text not null references member (id) on delete cascade,
    mailed_place int8 not null,
    news_place int8 not null,
    notice_due_at int8,
    notice_tries int4 not null default 0,
    mailed_at int8,
    constraint proposal_mail_member unique (member_id, environment))`,
  `create index proposal_mail_due on proposal_mail (environment, notice_due_at) where notice_due_at is not null`,
  `create index proposal_mail_tenant on proposal_mail (tenant_id, environment)`,
  `create table proposal_mail_count (
    member_id text primary key references member (id) on delete cascade,
    day int4 not null,
    mails int4 not null)`,
  `alter table member add column proposal_mails boolean not null default true`,
  `create trigger proposal_news_placed after update of place on event for each row
    when (old.place is null and new.place is not null and new.type in ('proposal.created', 'proposal.approved', 'proposal.executed'))
    execute function note_proposal_news()`,
  `alter table tenant add column proposal_mails text`,
  `create trigger proposal_mails_on after insert on tenant for each row when (new.proposal_mails is not null)
    execute function follow_proposal_news()`,
  `create trigger proposal_mails_moved after update of proposal_mails on tenant for each row
    when (old.proposal_mails is distinct from new.proposal_mails) execute function follow_proposal_news()`,
  `create trigger audit_proposal_mails_changed after update of proposal_mails on tenant for each row
    when (old.proposal_mails is distinct from new.proposal_mails) execute function audit_proposal_mails()`,
];
