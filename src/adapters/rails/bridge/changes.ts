import { limits } from "@trellis/kernel/limits.js";
import { type Hint, type PartnerAnswer, type PartnerRef, PartnerUnavailable } from "@trellis/kernel/ports/rails.js";
import type { BridgeAnswer } from "./bridge-http.js";
import { type BridgeNeeds, dataOf, lastIdOf, refused } from "./bridge-needs.js";
import { field, instant, parseJson, text } from "./read-json.js";

const overlapMs = 10 * 60_000;
const pageSize = "100";
/** Pages of one history that one call reads: the next call continues behind them. */
const pagesInOneCall = 10;
/** A history that continues further than any call reads: a partner that repeats itself. */
const pagesOfOneWalk = 5_000;

/** How far one history is known. Everything before `since` was reported. */
interface Place {
  readonly since: number;
  /** A reading that is not at its end: behind which item it continues, since when it runs, and its pages so far. */
  readonly walk?: { readonly after: string; readonly begunAt: number; readonly pages: number };
}

interface History {
  readonly name: "transfers" | "activities" | "drains";
  readonly path: readonly string[];
  readonly query: (since: number) => Readonly<Record<string, string>>;
  /** Undefined: nothing that could be read. `"end"`: it and all behind it lies before `since`. */
  readonly hint: (item: unknown, since: number, realNow: number) => Hint | undefined | "end";
}

const histories: readonly History[] = [
  {
    name: "transfers",
    path: ["transfers"],
    query: (since) => ({ updated_after_ms: String(since) }),
    hint: (item, since) => {
      const id = text(item, "id");
      if (id === undefined) return undefined;
      const at = instant(item, "updated_at") ?? instant(item, "created_at") ?? since;
      const state = text(item, "state") ?? "";
      return { eventId: `transfer/${id}/${state}/${at}`, kind: "transfer", ref: id as PartnerRef, at };
    },
  },
  {
    name: "activities",
    path: ["virtual_accounts", "history"],
    query: () => ({}),
    hint: (item, since, realNow) => {
      const at = instant(item, "created_at");
      if (at !== undefined && at < since) return "end";
      const id = text(item, "id");
      const account = text(item, "virtual_account_id");
      if (id === undefined || account === undefined) return undefined;
      return { eventId: `activity/${id}`, kind: "deposit", ref: account as PartnerRef, at: at ?? realNow };
    },
  },
  {
    // The newest first: how older ones continue is checked when their addresses are due.
    name: "drains",
    path: ["liquidation_addresses", "drains"],
    query: () => ({}),
    hint: (item, since, realNow) => {
      const at = instant(item, "updated_at") ?? instant(item, "created_at");
      if (at !== undefined && at < since) return "end";
      const id = text(item, "id");
      const address = text(item, "liquidation_address_id");
      if (id === undefined || address === undefined) return undefined;
      const eventId = `drain/${id}/${text(item, "state") ?? ""}/${at ?? ""}`;
      return { eventId, kind: "payout_address", ref: address as PartnerRef, at: at ?? realNow };
    },
  },
];

/**
 * What has changed since the cursor, from the partner's own histories: transfers by when they changed, the activities of all
 * virtual accounts, and the drains of all liquidation addresses. It needs no endpoint at the partner, takes none of its news away, and works in its sandbox, which
 * sends none. Verifications have no history there: they are checked when they are due. Each history is read alone:
 * what one does not report keeps nothing of the other back, and a reading that one call does not end the next one continues.
 */
export async function changesSince(
  needs: BridgeNeeds,
  cursor: string | null,
  realClock: { now(): number },
  signal: AbortSignal,
): Promise<PartnerAnswer<{ readonly hints: readonly Hint[]; readonly cursor: string }>> {
  const realNow = realClock.now();
  const walks = await Promise.all(
    histories.map((history) => walk(needs, history, placeOf(cursor, history, realNow), realClock, signal)),
  );
  const hints = walks.flatMap((made) => made.hints);
  const troubles = walks.flatMap(({ trouble }) => (trouble === undefined ? [] : [trouble]));
  const [first] = troubles;
  if (first !== undefined && hints.length === 0 && troubles.length === walks.length) {
    if (first instanceof PartnerUnavailable) throw first;
    return refused(first);
  }
  histories.forEach(({ name }, nr) => {
    const trouble = walks[nr]?.trouble;
    if (trouble === undefined) return;
    const reason = trouble instanceof PartnerUnavailable ? trouble.message : refused(trouble).refused.forOperator;
    needs.log.warn(
      { event: "partner_history_unread", partner: "bridge", history: name, reason },
      "partner history could not be read, or only a part of it",
    );
  });
  const places = Object.fromEntries(histories.map(({ name }, nr) => [name, walks[nr]?.place]));
  return { ok: true, value: { hints, cursor: JSON.stringify(places) } };
}

interface Walked {
  readonly hints: readonly Hint[];
  readonly place: Place;
  /** Why it went no further, where that was not its own choice. */
  readonly trouble?: PartnerUnavailable | BridgeAnswer;
}

/** Reads a history back to the time that is known, the newest first, as far as one call may go. */
async function walk(
  needs: BridgeNeeds,
  history: History,
  { since, walk: unfinished }: Place,
  realClock: { now(): number },
  signal: AbortSignal,
): Promise<Walked> {
  const realNow = realClock.now();
  const back = Math.max(0, since - overlapMs);
  // From before anything was asked: what happens meanwhile is asked for by the next reading.
  const begunAt = unfinished?.begunAt ?? realNow;
  let after = unfinished?.after;
  let pages = unfinished?.pages ?? 0;
  const hints: Hint[] = [];
  const here = (): Place => (after === undefined ? { since } : { since, walk: { after, begunAt, pages } });
  const atEnd = (): Walked => ({ hints, place: { since: begunAt } });
  for (let read = 0; read < pagesInOneCall && realClock.now() - realNow < limits.partnerCallMs; read += 1) {
    let page: readonly unknown[];
    try {
      const query = { ...history.query(back), limit: pageSize, starting_after: after };
      const answer = await needs.ask({ method: "GET", path: history.path, query, signal });
      // Also where it no longer knows the item behind which the reading was to resume: the next one begins anew.
      if (!answer.ok) return { hints, place: read === 0 ? { since } : here(), trouble: answer };
      page = dataOf(answer.body);
    } catch (error) {
      if (!(error instanceof PartnerUnavailable)) throw error;
      return { hints, place: here(), trouble: error };
    }
    for (const item of page) {
      const hint = history.hint(item, back, realNow);
      if (hint === "end") return atEnd();
      if (hint !== undefined) hints.push(hint);
    }
    const last = lastIdOf(page);
    if (last === undefined || last === after) return atEnd();
    after = last;
    pages += 1;
    if (pages >= pagesOfOneWalk) {
      needs.log.error(
        { event: "partner_history_endless", partner: "bridge", history: history.name },
        "partner history does not end",
      );
      return atEnd();
    }
  }
  return { hints, place: here() };
}

function placeOf(cursor: string | null, { name }: History, realNow: number): Place {
  const known = cursor === null ? undefined : readPlace(cursor, name);
  return known === undefined ? { since: realNow } : { ...known, since: Math.min(known.since, realNow) };
}

/** Undefined: it is none of ours. */
function readPlace(cursor: string, name: string): Place | undefined {
  let read: unknown;
  try {
    read = parseJson(cursor);
  } catch {
    return undefined;
  }
  const place = field(read, name);
  const since = whole(field(place, "since"));
  if (since === undefined) return undefined;
  const walk = field(place, "walk");
  const after = text(walk, "after");
  const begunAt = whole(field(walk, "begunAt"));
  const pages = whole(field(walk, "pages"));
  if (after === undefined || begunAt === undefined || pages === undefined) return { since };
  return { since, walk: { after, begunAt, pages } };
}

const whole = (value: unknown): number | undefined => {
  const number = typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
};
