import { limits } from "@trellis/kernel/limits.js";
import type { Db, DbOrTrx, Trx } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { type RawBuilder, sql } from "kysely";
import type { ProposalNews } from "./proposal-mail.js";
import {
  type ProposalMailSettings,
  parseSettings,
  proposalMailKinds,
  storeSettings,
} from "./proposal-mail-settings.js";

/** What a tenant set; undefined: its members get no mails about proposals. */
export async function findSettings(db: DbOrTrx, tenantId: string): Promise<ProposalMailSettings | undefined> {
  const row = await db.selectFrom("tenant").select("proposal_mails").where("id", "=", tenantId).executeTakeFirst();
  return row?.proposal_mails == null ? undefined : parseSettings(row.proposal_mails);
}

/** Sets it; undefined turns the mails off. Triggers begin or end following the tenant's proposals. */
export async function setSettings(
  trx: Trx,
  tenantId: string,
  settings: ProposalMailSettings | undefined,
): Promise<void> {
  const proposal_mails = settings === undefined ? null : storeSettings(settings);
  await trx.updateTable("tenant").set({ proposal_mails }).where("id", "=", tenantId).execute();
}

/** SQL: whether `member` of `tenant` is to be mailed about an environment now. */
const isMailed = (environment: EnvironmentName) => sql`tenant.disabled_at is null and tenant.proposal_mails is not null
  and tenant.proposal_mails::jsonb -> 'environments' ? ${environment}::text
  and member.status = 'active' and member.proposal_mails and member.environments::jsonb ? ${environment}::text`;

/** A tenant whose news this process hands on until `leased_until`, in the database's time. */
interface ClaimedFeed {
  readonly tenant_id: string;
  readonly seen_place: bigint;
  readonly leased_until: bigint;
}

/**
 * Hands on the news of the tenant whose news have waited longest: each member who is to be mailed has a mail due soon, one about all that
 * happened until then of the kinds that the tenant wants. A member who is mailed for the first time hears of what is new now, and of nothing
 * before. What fails is tried again a minute later. False: no tenant has any, or other processes are at them. `now`: real time.
 */
export async function handOnNews(db: Db, random: Random, environment: EnvironmentName, now: number): Promise<boolean> {
  const feed = await claimFeed(db, environment);
  if (feed === undefined) return false;
  const { seen, wanted } = await findPlaces(db, environment, feed);
  await db.transaction().execute(async (trx) => {
    // What turns the mails off waits for this, and what gives events their places does not.
    const { rows } = await sql`select from proposal_mail_feed
      where tenant_id = ${feed.tenant_id} and environment = ${environment} and seen_place = ${feed.seen_place}::int8
      for key share`.execute(trx);
    // Another process has handed on since, or the mails were turned off: what is due is claimed anew.
    if (rows.length === 0) {
      await sql`update proposal_mail_feed set due_at = due_at - ${limits.proposalNewsLeaseMs}::int8
        where tenant_id = ${feed.tenant_id} and environment = ${environment} and due_at = ${feed.leased_until}::int8`.execute(
        trx,
      );
      return;
    }
    if (wanted !== undefined) await noteNews(trx, random, environment, feed, wanted, now);
    // Last, since it holds up those who mark the row. A mark since the claim stays.
    await sql`update proposal_mail_feed set seen_place = ${seen}::int8,
        due_at = case when due_at is distinct from ${feed.leased_until}::int8 then due_at end
      where tenant_id = ${feed.tenant_id} and environment = ${environment}`.execute(trx);
  });
  return true;
}

async function claimFeed(db: Db, environment: EnvironmentName): Promise<ClaimedFeed | undefined> {
  // The clock of the trigger that marks the row.
  const databaseNow = sql`(extract(epoch from statement_timestamp()) * 1000)::int8`;
  const { rows } = await sql<ClaimedFeed>`
    with chosen as materialized (
      select tenant_id from proposal_mail_feed
      where environment = ${environment} and due_at <= ${databaseNow} and not is_frozen(tenant_id)
      order by due_at limit 1 for update skip locked
    )
    update proposal_mail_feed as feed set due_at = ${databaseNow} + ${limits.proposalNewsLeaseMs}::int8
    from chosen where feed.tenant_id = chosen.tenant_id and feed.environment = ${environment}
    returning feed.tenant_id, feed.seen_place, feed.due_at as leased_until`.execute(db);
  return rows[0];
}

/** Up to where the feed goes now, and the place of the last news that the tenant wants; undefined: there are none. */
async function findPlaces(
  db: Db,
  environment: EnvironmentName,
  { tenant_id, seen_place }: ClaimedFeed,
): Promise<{ readonly seen: bigint; readonly wanted: bigint | undefined }> {
  const settings = await findSettings(db, tenant_id);
  const since = sql`tenant_id = ${tenant_id} and environment = ${environment} and place > ${seen_place}::int8`;
  const types = settings?.kinds.map((kind) => proposalMailKinds[kind]) ?? [];
  // One statement: what it does not see has marked the row since the claim. Of each type it reads the end of a range of an index.
  const { rows } = await sql<{ seen: bigint | null; wanted: bigint | null }>`
    select (select max(place) from event where ${since}) as seen, (
      select max(last.place) from unnest(${types}::text[]) as wanted (type) cross join lateral (
        select place from event where ${since} and type = wanted.type and not is_example order by place desc limit 1
      ) as last
    ) as wanted`.execute(db);
  const [found] = rows;
  return { seen: found?.seen ?? seen_place, wanted: found?.wanted ?? undefined };
}

async function noteNews(
  trx: Trx,
  random: Random,
  environment: EnvironmentName,
  { tenant_id, seen_place }: ClaimedFeed,
  place: bigint,
  now: number,
): Promise<void> {
  const members = await sql<{ id: string }>`
    select member.id from member join tenant on tenant.id = member.tenant_id
    where member.tenant_id = ${tenant_id} and ${isMailed(environment)} order by member.id`.execute(trx);
  const rowsOf = members.rows.map(({ id: member_id }) => ({ id: random.uuid(), member_id }));
  const dueAt = now + limits.proposalMailGatherMs;
  // One who is mailed again later hears of nothing that happened until then.
  await sql`delete from proposal_mail where tenant_id = ${tenant_id} and environment = ${environment}
    and member_id <> all(${members.rows.map(({ id }) => id)}::text[])`.execute(trx);
  // One who was mailed all there was hears of nothing that was passed over since, if the tenant wants that kind later.
  await sql`insert into proposal_mail as held
      (id, tenant_id, environment, member_id, mailed_place, news_place, notice_due_at)
    select id, ${tenant_id}, ${environment}, member_id, ${seen_place}::int8, ${place}::int8, ${dueAt}::int8
    from json_to_recordset(${JSON.stringify(rowsOf)}::json) as mailed (id text, member_id text) order by member_id
    on conflict (member_id, environment) do update set news_place = excluded.news_place,
      mailed_place = case when held.mailed_place = held.news_place
        then greatest(held.mailed_place, excluded.mailed_place) else held.mailed_place end,
      notice_tries = case when ${isIdle} then 0 else held.notice_tries end,
      notice_due_at = case when ${isIdle}
        then greatest(excluded.notice_due_at, held.mailed_at + ${limits.proposalMailsApartMs}::int8)
        else held.notice_due_at end
      where held.news_place < excluded.news_place`.execute(trx);
}

/** As `neverDue` in people/due-notices.ts: it was given up. */
const isIdle = sql`(held.notice_due_at is null or held.notice_due_at = 8640000000000000)`;

/** A mail that is due, as it was claimed. */
export interface ClaimedMail {
  readonly id: string;
  readonly tenant_id: string;
  readonly email: string;
  readonly notice_tries: number;
  readonly mailed_place: bigint;
  readonly news_place: bigint;
  readonly tenant_name: string;
  readonly proposal_mails: string;
  /** The day whose mails it counts among. */
  readonly day: number;
}

/**
 * Claims mails that are due: `chosen` is common table expressions up to `chosen` (id), `next` what is set of each. Each counts as one of the
 * member's mails of the day. Those of a member who had enough wait for the next day, and those of one who is not mailed any more end.
 * `now`: real time.
 */
export async function claimMails(
  db: Db,
  environment: EnvironmentName,
  chosen: RawBuilder<unknown>,
  next: RawBuilder<unknown>,
  now: number,
): Promise<readonly ClaimedMail[]> {
  const dayMs = 86_400_000;
  const day = Math.floor(now / dayMs);
  const { rows } = await sql<ClaimedMail>`
    with ${chosen}, wanted as materialized (
      select due.id, due.member_id, member.email, tenant.name as tenant_name, tenant.proposal_mails
      from chosen join proposal_mail as due on due.id = chosen.id
      join member on member.id = due.member_id and member.tenant_id = due.tenant_id
      join tenant on tenant.id = due.tenant_id
      where ${isMailed(environment)}
    ), counted as (
      insert into proposal_mail_count as count (member_id, day, mails)
      select member_id, ${day}::int4, 1 from wanted order by member_id
      on conflict (member_id) do update set day = excluded.day,
        mails = case when count.day = excluded.day then count.mails + 1 else 1 end
        where count.day <> excluded.day or count.mails < ${limits.proposalMailsPerDay}
      returning member_id
    ), ended as (
      delete from proposal_mail where id in (select id from chosen) and id not in (select id from wanted)
    ), postponed as (
      update proposal_mail set notice_due_at = ${(day + 1) * dayMs}::int8 from wanted
      where proposal_mail.id = wanted.id and wanted.member_id not in (select member_id from counted)
    )
    update proposal_mail set ${next} from wanted
    where proposal_mail.id = wanted.id and wanted.member_id in (select member_id from counted)
    returning proposal_mail.id, proposal_mail.tenant_id, proposal_mail.notice_tries, proposal_mail.mailed_place,
      proposal_mail.news_place, wanted.email, wanted.tenant_name, wanted.proposal_mails, ${day}::int4 as day`.execute(
    db,
  );
  return rows;
}

/** As many are counted; a mail says no more. */
const countedMax = 1_000;

/** What happened to a tenant's proposals between two places of the feed: the first of it, and how much there is. */
export async function findNews(
  db: Db,
  environment: EnvironmentName,
  { tenant_id, mailed_place, news_place }: Pick<ClaimedMail, "tenant_id" | "mailed_place" | "news_place">,
  { kinds }: Pick<ProposalMailSettings, "kinds">,
): Promise<{ readonly news: readonly ProposalNews[]; readonly count: number }> {
  const types = kinds.map((kind) => proposalMailKinds[kind]);
  // Each type is a range of an index; merged, they are in order again.
  const parts = sql.join(
    types.map(
      (type) => sql`(select place, type, data, created_at from event
        where tenant_id = ${tenant_id} and environment = ${environment} and type = ${type} and not is_example
          and place > ${mailed_place}::int8 and place <= ${news_place}::int8 order by place limit ${countedMax})`,
    ),
    sql` union all `,
  );
  const { rows } = await sql<{ news: ProposalNews[]; count: number }>`
    with found as materialized (select * from (${parts}) as part order by place limit ${countedMax}), told as (
      select found.* from found order by place limit ${limits.proposalMailItems}
    )
    select (select count(*)::int4 from found) as count, coalesce((
      select json_agg(json_build_object('type', told.type, 'at', wire_instant(told.created_at),
        'account', data::json ->> 'mainAccountAddress', 'proposal', data::json ->> 'proposalAddress',
        'index', data::json ->> 'transactionIndex', 'name', coalesce(label.name, account.memo)) order by place)
      from told
      left join account on account.environment = ${environment} and account.address = data::json ->> 'mainAccountAddress'
        and account.tenant_id = ${tenant_id}
      left join label on label.environment = ${environment} and label.account_address = '' and label.tenant_id = ${tenant_id}
        and label.address = data::json ->> 'mainAccountAddress'), '[]'::json) as news`.execute(db);
  const [found] = rows;
  return { news: found?.news ?? [], count: found?.count ?? 0 };
}

/** Notes that a member was mailed up to where the mail tells. What came meanwhile is due later. `now`: real time. */
export async function noteMailed(db: Db, { id, news_place }: ClaimedMail, now: number): Promise<void> {
  await sql`update proposal_mail set ${toldUpTo(news_place)}, mailed_at = ${now}::int8,
      notice_due_at = case when news_place > ${news_place}::int8 then ${now + limits.proposalMailsApartMs}::int8 end
    where id = ${id}`.execute(db);
}

/** Notes that there was nothing to tell: no mail of the day was used up. What came meanwhile is due now. `now`: real time. */
export async function noteNothingToTell(db: Db, { id, news_place, day }: ClaimedMail, now: number): Promise<void> {
  await sql`
    with noted as (
      update proposal_mail set ${toldUpTo(news_place)},
        notice_due_at = case when news_place > ${news_place}::int8 then ${now}::int8 end
      where id = ${id} returning member_id
    )
    update proposal_mail_count as count set mails = count.mails - 1 from noted
    where count.member_id = noted.member_id and count.day = ${day} and count.mails > 0`.execute(db);
}

const toldUpTo = (place: bigint) => sql`mailed_place = ${place}::int8, notice_tries = 0`;
