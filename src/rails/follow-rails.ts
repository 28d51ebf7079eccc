import { allOf, eachOf } from "@trellis/kernel/each-of.js";
import { limits } from "@trellis/kernel/limits.js";
import { DatabaseUnavailable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { PartnerUnavailable, type Rails } from "@trellis/kernel/ports/rails.js";
import { sql } from "kysely";
import { askPartner } from "./ask-partner.js";
import { claimNotices, hasFreshNotices, type Notice, planNotices, storeNotices } from "./notice-store.js";
import { claimDue, findByRef, postponeRefresh, type RailKind } from "./rail-kind.js";
import { railKinds } from "./rail-kinds.js";
import type { RailNeeds } from "./rail-needs.js";
import { expirePayIns } from "./transfers.js";

/** Tries of a notice whose object is not known here: the response that names it may be on its way. */
const triesMax = 10;
const settleRounds = 200;
/** How often, and how long apart, what another pass has at hand is waited for: a second altogether. */
const settlePauses = 40;
const settlePauseMs = 25;

/**
 * The pass over everything that lives with an environment's partner: asks for news, and reads what they are about, and
 * what no news reported for long enough. Nothing is believed but what is read. A slow answer holds up one place of those at
 * which refreshes are made, and none of the others: each has a deadline, and the next one begins where a place is free. Says how
 * many refreshes there were.
 */
export async function followRails(needs: RailNeeds, network: Network): Promise<number> {
  const rails = needs.rails.get(network.name);
  if (rails === undefined) return 0;
  await goOnPast(needs, network, async () => rails.simulator?.play());
  await expirePayIns(needs, network, rails.partner.name);
  const changes = goOnPast(needs, network, () => takeChanges(needs, network, rails));
  // What a simulated partner has to report is there at once; another one is not waited for.
  const early = rails.simulator === undefined ? makeRefreshes(needs, network, rails) : Promise.resolve(0);
  const late = changes.then(() => makeRefreshes(needs, network, rails));
  const refreshes = await allOf([early, late]);
  return refreshes.reduce((sum, made) => sum + made, 0);
}

/** Makes the refreshes that are due now, and says how many. */
async function makeRefreshes(needs: RailNeeds, network: Network, rails: Rails): Promise<number> {
  let refreshes = 0;
  async function* due(): AsyncGenerator<() => Promise<void>> {
    for (let batch = 0; batch < limits.railBatchesInOnePass; batch += 1) {
      const notices = await claimNotices(needs.db, network, rails.partner.name, needs.realClock.now());
      let made = notices.length;
      for (const group of groupsOf(notices)) yield () => followNotices(needs, network, rails, group);
      for (const kind of railKinds) {
        const ids = await claimDue(needs.db, kind, network, rails.partner.name, needs.realClock.now());
        made += ids.length;
        for (const id of ids) yield () => followDue(needs, network, rails, kind, id);
      }
      refreshes += made;
      if (made < limits.railReadsInOneBatch) return;
    }
  }
  await eachOf(due(), limits.railReadsAtOnce, (refresh) => refresh());
  return refreshes;
}

/** What is not reported, or cannot be kept, keeps nothing else from being followed: it is reported again in the next pass. */
async function goOnPast({ log }: RailNeeds, { name }: Network, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    log.error({ event: "rail_changes_failed", err: error, environment: name }, "partner changes could not be applied");
  }
}

/**
 * The same until nothing new is left, for who is to see in the answer what the simulated partner did: what another pass has
 * at hand is waited for.
 */
export async function settleRails(needs: RailNeeds, network: Network): Promise<void> {
  const rails = needs.rails.get(network.name);
  if (rails === undefined) return;
  let pauses = 0;
  for (let round = 0; round < settleRounds; round += 1) {
    const refreshes = await followRails(needs, network);
    if (refreshes > 0) continue;
    if (pauses === settlePauses || !(await hasFreshNotices(needs.db, network, rails.partner.name))) return;
    pauses += 1;
    await needs.pause(settlePauseMs);
  }
}

/** Stores what has changed, and how far that was asked for, together. A partner that does not answer is asked later. */
async function takeChanges(needs: RailNeeds, network: Network, { partner, simulator }: Rails): Promise<void> {
  const { db, realClock, log } = needs;
  const place = { environment: network.name, partner: partner.name };
  const begun = realClock.now();
  for (let page = 0; page < limits.railBatchesInOnePass; page += 1) {
    const now = Math.floor(realClock.now());
    // The process that moves `asked_at` asks; a simulated partner is asked by every process.
    const apart = simulator === undefined && page === 0 ? limits.partnerChangesEveryMs : 0;
    const { rows } = await sql<{ cursor: string | null }>`
      insert into rail_feed as feed (environment, partner, cursor, asked_at)
      values (${place.environment}, ${place.partner}, null, ${now})
      on conflict (environment, partner) do update set asked_at = excluded.asked_at
        where feed.asked_at <= ${now - apart} returning cursor`.execute(db);
    const [feed] = rows;
    if (feed === undefined) return;
    let hints: Parameters<typeof storeNotices>[2];
    let cursor: string;
    try {
      const answer = await askPartner((signal) => partner.changesSince(feed.cursor, signal), limits.partnerChangesMs);
      if (!answer.ok) {
        log.warn(
          { event: "rail_changes_unread", ...place, reason: answer.refused.forOperator },
          "partner changes could not be read",
        );
        return;
      }
      ({ hints, cursor } = answer.value);
    } catch (error) {
      if (!(error instanceof PartnerUnavailable)) throw error;
      log.warn({ event: "rail_changes_unread", ...place, err: error }, "partner changes could not be read");
      return;
    }
    if (hints.length === 0 && cursor === feed.cursor) return;
    const fresh = await db.transaction().execute(async (trx) => {
      const stored = await storeNotices(trx, place, hints, now);
      await sql`update rail_feed set cursor = ${cursor} where environment = ${place.environment}
        and partner = ${place.partner} and cursor is not distinct from ${feed.cursor}`.execute(trx);
      return stored;
    });
    // A partner that reports some of it twice, to be sure, is not asked on for that, and a slow one not now.
    if (hints.length === 0 || (fresh === 0 && simulator === undefined)) return;
    if (simulator === undefined && realClock.now() - begun > limits.partnerCallMs) return;
  }
}

/** Notices about the same thing together. */
function groupsOf(notices: readonly Notice[]): Iterable<readonly Notice[]> {
  const groups = new Map<string, Notice[]>();
  for (const notice of notices) {
    const key = JSON.stringify([kindOf(notice)?.table, notice.ref]);
    groups.set(key, [...(groups.get(key) ?? []), notice]);
  }
  return groups.values();
}

/** Makes one refresh for all notices about the same thing. */
async function followNotices(
  needs: RailNeeds,
  network: Network,
  rails: Rails,
  group: readonly Notice[],
): Promise<void> {
  const { db, realClock } = needs;
  const { name } = rails.partner;
  const [first] = group;
  if (first === undefined) return;
  const kind = kindOf(first);
  const eventIds = group.map(({ eventId }) => eventId);
  const tries = Math.min(...group.map((notice) => notice.tries));
  const ids = kind === undefined ? [] : await findByRef(db, kind, network, name, first.ref);
  const outcomes = kind === undefined ? [] : await allOf(ids.map((id) => refreshAt(needs, network, rails, kind, id)));
  const isDone = kind === undefined || tries >= triesMax || (ids.length > 0 && outcomes.every(({ ok }) => ok));
  const wait = Math.min(15 * 60_000, 5_000 * 2 ** tries);
  await planNotices(db, network, name, eventIds, isDone ? null : realClock.now() + wait);
}

const kindOf = ({ kind }: Notice): RailKind | undefined => railKinds.find(({ hints }) => hints.includes(kind));

/** Refreshes what is due. */
async function followDue(needs: RailNeeds, network: Network, rails: Rails, kind: RailKind, id: string): Promise<void> {
  const { ok, waitMs } = await refreshAt(needs, network, rails, kind, id);
  if (!ok) await postponeRefresh(needs.db, kind, id, needs.realClock.now() + waitMs);
}

/** Does not reject. */
async function refreshAt(
  needs: RailNeeds,
  network: Network,
  rails: Rails,
  kind: RailKind,
  id: string,
): Promise<{ readonly ok: boolean; readonly waitMs: number }> {
  try {
    await kind.poll(needs, network, rails, id);
    return { ok: true, waitMs: 0 };
  } catch (error) {
    const isAway = error instanceof PartnerUnavailable;
    const facts = { environment: network.name, partner: rails.partner.name, kind: kind.table, id, err: error };
    if (isAway) needs.log.debug({ event: "rail_partner_silent", ...facts }, "partner does not answer");
    else needs.log.error({ event: "rail_refresh_failed", ...facts }, "partner object could not be refreshed");
    const asked = isAway ? (error.retryAfterMs ?? 0) : 0;
    return { ok: false, waitMs: Math.max(limits.railLeaseMs, Math.min(asked, 3_600_000)) };
  }
}
