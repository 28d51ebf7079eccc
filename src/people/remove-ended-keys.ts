import { eachOf } from "@trellis/kernel/each-of.js";
import { limits } from "@trellis/kernel/limits.js";
import { type Custodians, CustodianUnavailable } from "@trellis/kernel/ports/custodian.js";
import { DatabaseUnavailable, type Db, type SessionTable } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { chooseInTurns } from "@trellis/kernel/tenant-turns.js";
import { sql } from "kysely";
import { getCustodian } from "../custody/custodians.js";
import { markKeyRevoked } from "../custody/session-store.js";

interface Needs {
  readonly db: Db;
  readonly custodians: Custodians;
  readonly log: Log;
}

/** Claims in one pass at most, and custodians' calls at the same time. */
const claimsMax = 4;
const atOnce = 8;

/** A key to be revoked; of a session that was removed since, nothing but its id is left. */
interface Removal {
  readonly session_id: string;
  readonly provider: SessionTable["provider"] | null;
  readonly authorization_key_id: string | null;
  readonly expires_at: bigint | null;
}

/**
 * The pass that has custodians revoke the keys of ended sessions, where what ended them did not: an operator's command asks
 * no custodian, a custodian was away, or the process died. Tenants take turns, and one that fails is due again after
 * `limits.keyRemovalApartMs`. A key that has expired is left to its end. Any number of processes may do this at once. Returns
 * how many keys were revoked.
 */
export async function removeEndedKeys(needs: Needs, network: Pick<Network, "name" | "clock">): Promise<number> {
  let removed = 0;
  const away = new Map<Removal["provider"], CustodianUnavailable>();
  for (let claim = 0; claim < claimsMax; claim += 1) {
    const claimed = await claimRemovals(needs.db, network);
    await eachOf(claimed, atOnce, async (one) => {
      // The keys of the others do not wait for it.
      if (away.has(one.provider)) return;
      try {
        if (await remove(needs, network.clock.now(), one)) removed += 1;
      } catch (error) {
        if (error instanceof DatabaseUnavailable) throw error;
        if (error instanceof CustodianUnavailable) away.set(one.provider, error);
        else
          needs.log.error(
            { event: "session_key_unrevoked", err: error, session: one.session_id },
            "key of an ended session could not be revoked",
          );
      }
    });
    if (claimed.length < limits.keyRemovalsInOneClaim) break;
  }
  for (const [provider, error] of away) {
    needs.log.warn(
      { event: "custodian_revocation_failed", err: error, environment: network.name, provider },
      "custodian does not revoke the keys of ended sessions",
    );
  }
  return removed;
}

async function claimRemovals(db: Db, { name, clock }: Pick<Network, "name" | "clock">): Promise<readonly Removal[]> {
  const now = clock.now();
  const { rows } = await sql<Removal>`
    with recursive ${chooseInTurns({
      table: "key_removal",
      key: "session_id",
      turnsKey: `key_removal.turn.${name}`,
      environment: name,
      open: sql`true`,
      since: "attempt_at",
      due: sql`attempt_at <= ${now}::int8`,
      limit: limits.keyRemovalsInOneClaim,
    })}, claimed as (
      update key_removal set attempt_at = ${now + limits.keyRemovalApartMs}::int8
      from chosen where key_removal.session_id = chosen.id returning key_removal.session_id
    )
    select claimed.session_id, session.provider, session.authorization_key_id, session.expires_at
    from claimed left join session on session.id = claimed.session_id and session.key_revoked_at is null`.execute(db);
  return rows;
}

/** Whether a custodian has revoked it. Throws CustodianUnavailable, and `provider_not_available`. */
async function remove({ db, custodians }: Needs, now: number, one: Removal): Promise<boolean> {
  const { session_id: id, provider, authorization_key_id: keyId, expires_at: expiresAt } = one;
  if (provider === null || keyId === null || expiresAt === null || Number(expiresAt) <= now) {
    await db.deleteFrom("key_removal").where("session_id", "=", id).execute();
    return false;
  }
  await getCustodian(custodians, provider).revokeAuthorizationKey({ id: keyId, now });
  await markKeyRevoked(db, id, now);
  return true;
}
