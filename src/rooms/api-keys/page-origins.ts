import { CompiledQuery } from "kysely";
import type { Clock } from "../../ports/clock.js";
import type { Db } from "../../ports/database.js";

/** Origins that were listed lately, at most. */
const familiarMax = 10_000;

const listedQuery = `select exists (
    select from api_key join tenant on tenant.id = api_key.tenant_id
    where kind = 'publishable' and allowed_origins @> array[$1]::text[] and api_key.disabled_at is null
      and (expires_at is null or expires_at > $2) and tenant.disabled_at is null
  ) as listed`;

/**
 * Tells whether any publishable key may be used from pages of an origin: browsers ask that before they show a key. Nothing
 * hangs on the answer but whether they go on; the key decides.
 */
export function createPageOrigins(needs: { readonly db: Db; readonly clock: Clock }) {
  const familiar = new Set<string>();
  return {
    /** Whether this process found it listed lately. */
    isFamiliar: (origin: string): boolean => familiar.has(origin),
    isListed: async (origin: string): Promise<boolean> => {
      const parameters = [origin, BigInt(needs.clock.now())];
      const { rows } = await needs.db.executeQuery<{ listed: boolean }>(CompiledQuery.raw(listedQuery, parameters));
      const isListed = rows[0]?.listed === true;
      if (familiar.size >= familiarMax) familiar.clear();
      if (isListed) familiar.add(origin);
      else familiar.delete(origin);
      return isListed;
    },
  };
}
