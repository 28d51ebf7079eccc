import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { CompiledQuery } from "kysely";

/** Origins that are remembered, at most. */
const rememberedMax = 10_000;
/** How long an answer is given again: one that opens a page, and one that keeps it shut until the origin is listed. */
const goodForMs = { listed: 10_000, unlisted: 2_000 } as const;

const listedQuery = `select exists (
    select from api_key join tenant on tenant.id = api_key.tenant_id
    where kind = 'publishable' and allowed_origins @> array[$1]::text[] and api_key.disabled_at is null
      and (expires_at is null or expires_at > $2) and tenant.disabled_at is null
  ) as listed`;

/**
 * Whether any publishable key may be used from pages of an origin: browsers ask that before they send a key. Nothing
 * hangs on the answer but whether they continue; the key decides, and is asked for anew with each request. So answers are
 * remembered for seconds, and a caller that asks while another one does gets the same.
 */
export function createPageOrigins(needs: { readonly db: Db; readonly clock: Clock }) {
  const reported = new Map<string, { readonly isListed: boolean; readonly at: number }>();
  const asked = new Map<string, Promise<boolean>>();

  async function ask(origin: string): Promise<boolean> {
    const at = needs.clock.now();
    const query = CompiledQuery.raw(listedQuery, [origin, BigInt(at)]);
    const { rows } = await needs.db.executeQuery<{ listed: boolean }>(query);
    const isListed = rows[0]?.listed === true;
    if (reported.size >= rememberedMax) reported.clear();
    reported.set(origin, { isListed, at });
    return isListed;
  }

  return {
    /** Whether this process found it listed when it last checked. */
    isFamiliar: (origin: string): boolean => reported.get(origin)?.isListed === true,
    isListed: async (origin: string): Promise<boolean> => {
      const known = reported.get(origin);
      const age = needs.clock.now() - (known?.at ?? 0);
      if (known && age >= 0 && age < goodForMs[known.isListed ? "listed" : "unlisted"]) return known.isListed;
      let asking = asked.get(origin);
      if (asking === undefined) {
        asking = ask(origin).finally(() => asked.delete(origin));
        asked.set(origin, asking);
      }
      return asking;
    },
  };
}
