import type { Hint, PartnerAnswer, PartnerRef } from "../../../ports/rails.js";
import { type BridgeNeeds, pagesOf, refused, TooManyPages } from "./bridge-needs.js";
import { instant, text } from "./read-json.js";

const overlapMs = 10 * 60_000;

/**
 * What has changed since the time in the cursor, from the partner's own histories: transfers by when they changed, and the
 * activities of all virtual accounts back to that time. It needs no endpoint at the partner, takes none of its news away,
 * and works in its sandbox, which sends none. Verifications have no history there: they are looked at when they are due.
 */
export async function changesSince(
  needs: BridgeNeeds,
  cursor: string | null,
  realNow: number,
  signal: AbortSignal,
): Promise<PartnerAnswer<{ readonly hints: readonly Hint[]; readonly cursor: string }>> {
  const known = cursor !== null && /^\d{1,16}$/.test(cursor) ? Number(cursor) : realNow;
  const since = Math.max(0, Math.min(known, realNow) - overlapMs);
  const hints: Hint[] = [];
  try {
    for await (const page of pagesOf(needs.ask, ["transfers"], { updated_after_ms: String(since) }, signal)) {
      if ("refusal" in page) return refused(page.refusal);
      for (const item of page) {
        const id = text(item, "id");
        if (id === undefined) continue;
        const at = instant(item, "updated_at") ?? instant(item, "created_at") ?? since;
        const state = text(item, "state") ?? "";
        hints.push({ eventId: `transfer/${id}/${state}/${at}`, kind: "transfer", ref: id as PartnerRef, at });
      }
    }
    for await (const page of pagesOf(needs.ask, ["virtual_accounts", "history"], {}, signal)) {
      if ("refusal" in page) return refused(page.refusal);
      let isOver = false;
      for (const item of page) {
        const at = instant(item, "created_at");
        if (at !== undefined && at < since) isOver = true;
        const id = text(item, "id");
        const account = text(item, "virtual_account_id");
        if (isOver || id === undefined || account === undefined) continue;
        hints.push({ eventId: `activity/${id}`, kind: "deposit", ref: account as PartnerRef, at: at ?? realNow });
      }
      if (isOver) break;
    }
  } catch (error) {
    // More than can be told at once: what lies further back is found when it is due.
    if (!(error instanceof TooManyPages)) throw error;
    needs.log.warn({ partner: "bridge", hints: hints.length }, "the partner has more news than one look takes");
  }
  // From before anything was asked: what happened meanwhile is asked for again.
  return { ok: true, value: { hints, cursor: String(realNow) } };
}
