import { createHash } from "node:crypto";
import { limits } from "@trellis/kernel/limits.js";
import type { Db, DbOrTrx } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Hint, HintKind, PartnerRef } from "@trellis/kernel/ports/rails.js";
import { sql } from "kysely";

/** A hint that waits to be followed. */
export interface Notice {
  readonly eventId: string;
  readonly kind: HintKind;
  readonly ref: PartnerRef;
  readonly tries: number;
}

/** Nothing that a partner has here has a longer name, in characters. */
export const partnerNameMax = 255;

/** Keeps hints until they were followed, each once however often it arrives; says how many were new. `realNow`: Unix milliseconds. */
export async function storeNotices(
  db: DbOrTrx,
  place: { readonly environment: string; readonly partner: string },
  hints: readonly Hint[],
  realNow: number,
): Promise<number> {
  if (hints.length === 0) return 0;
  const now = Math.floor(realNow);
  const list = hints.flatMap(({ eventId, kind, ref, at }) =>
    // What it names has no such name here.
    ref.length > partnerNameMax ? [] : { event_id: nameOf(eventId), kind, ref, at: Math.floor(at) },
  );
  const { rows } =
    await sql`insert into rail_notice (environment, partner, event_id, kind, ref, happened_at, received_at, look_at)
    select distinct on (event_id) ${place.environment}, ${place.partner}, event_id, kind, ref, at, ${now}::int8, ${now}::int8
    from json_to_recordset(${JSON.stringify(list)}::json) as hint (event_id text, kind text, ref text, at int8)
    order by event_id
    on conflict (environment, partner, event_id) do nothing returning 1`.execute(db);
  return rows.length;
}

/** An index takes no longer ones: a partner's words are in them, however long it makes them. */
const nameOf = (eventId: string): string =>
  eventId.length <= partnerNameMax ? eventId : `sha256/${createHash("sha256").update(eventId).digest("hex")}`;

/** Takes notices that are due, the longest due first, and leaves them to this process for a lease. */
export async function claimNotices(
  db: Db,
  network: Network,
  partner: string,
  realNow: number,
): Promise<readonly Notice[]> {
  const { rows } = await sql<{ event_id: string; kind: HintKind; ref: PartnerRef; tries: number }>`
    update rail_notice set look_at = ${Math.floor(realNow) + limits.railLeaseMs}, tries = tries + 1
    where (environment, partner, event_id) in (select environment, partner, event_id from rail_notice
      where environment = ${network.name} and partner = ${partner} and look_at <= ${Math.floor(realNow)}
      order by look_at limit ${limits.railReadsInOneBatch} for update skip locked)
    returning event_id, kind, ref, tries`.execute(db);
  return rows.map(({ event_id, ...notice }) => ({ eventId: event_id, ...notice }));
}

/** Plans the next try of these, or, with null, none. */
export async function planNotices(
  db: Db,
  network: Network,
  partner: string,
  eventIds: readonly string[],
  realAt: number | null,
): Promise<void> {
  if (eventIds.length === 0) return;
  // What was tried in vain is fresh no more.
  await sql`update rail_notice set look_at = ${realAt === null ? null : Math.floor(realAt)}::int8, tries = greatest(tries, 2)
    where environment = ${network.name} and partner = ${partner} and event_id = any(${[...eventIds]}::text[])`.execute(
    db,
  );
}

/** Whether a notice waits that was not tried in vain before: its own turn, or another process that is at it. */
export async function hasFreshNotices(db: Db, network: Network, partner: string): Promise<boolean> {
  const { rows } = await sql`select 1 from rail_notice where environment = ${network.name} and partner = ${partner}
    and look_at is not null and tries <= 1 limit 1`.execute(db);
  return rows.length > 0;
}
