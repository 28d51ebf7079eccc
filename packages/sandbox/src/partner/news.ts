import type { Db, DbOrTrx } from "@trellis/kernel/ports/database.js";
import type { Hint, HintKind, PartnerRef } from "@trellis/kernel/ports/rails.js";
import { sql } from "kysely";

/** Something the simulated partner reports; the same event id twice is news that is repeated. */
export interface News {
  readonly eventId: string;
  readonly kind: HintKind;
  readonly ref: string;
  /** Environment time, Unix milliseconds. */
  readonly at: number;
}

const pageMax = 200;

/** Adds news in the transaction of the change they report, in the order in which they are to be reported. */
export async function reportNews(trx: DbOrTrx, environment: string, news: readonly News[]): Promise<void> {
  if (news.length === 0) return;
  const list = news.map(({ eventId, kind, ref, at }, nr) => ({ nr, event_id: eventId, kind, ref, at: Math.floor(at) }));
  await sql`with turn as (
      update simulated_feed set next_place = next_place + ${news.length}::int8 where id = 1
      returning next_place - ${news.length}::int8 as first)
    insert into simulated_news (place, environment, event_id, kind, ref, happened_at)
    select turn.first + nr, ${environment}, event_id, kind, ref, at
    from turn, json_to_recordset(${JSON.stringify(list)}::json)
      as reported (nr int8, event_id text, kind text, ref text, at int8)`.execute(trx);
}

/** News behind a cursor, in their order, and the cursor behind them. */
export async function readNews(
  db: Db,
  environment: string,
  cursor: string | null,
): Promise<{ readonly hints: readonly Hint[]; readonly cursor: string }> {
  const rows = await db
    .selectFrom("simulated_news")
    .selectAll()
    .where("environment", "=", environment)
    .where("place", ">", BigInt(cursor ?? "0"))
    .orderBy("place")
    .limit(pageMax)
    .execute();
  const hints = rows.map(({ event_id, kind, ref, happened_at }) => ({
    eventId: event_id,
    kind: kind as HintKind,
    ref: ref as PartnerRef,
    at: Number(happened_at),
  }));
  return { hints, cursor: (rows.at(-1)?.place ?? BigInt(cursor ?? "0")).toString() };
}
