import { limits } from "@trellis/kernel/limits.js";
import type { Db, DbOrTrx } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { HintKind, PartnerRef, Rails } from "@trellis/kernel/ports/rails.js";
import { chooseAtBothEnds } from "@trellis/kernel/tenant-turns.js";
import { sql } from "kysely";
import type { RailNeeds } from "./rail-needs.js";

/** Whose rail data. */
export interface RailAccount {
  readonly tenantId: string;
  readonly environment: string;
  readonly address: string;
}

/**
 * Something that lives with a partner and is followed there. Its table has the columns id, environment, partner,
 * partner_ref and look_at (real time; null: never again), with indexes on (environment, look_at) and on (environment,
 * partner, partner_ref).
 */
export interface RailKind {
  readonly table:
    | "rail_verification"
    | "rail_virtual_account"
    | "rail_external_account"
    | "rail_transfer"
    | "rail_payout_address";
  /** What hints about it are called. */
  readonly hints: readonly HintKind[];
  /** Whether hints may name the partner's customer instead, in the column customer_ref. */
  readonly isNamedByCustomer?: boolean;
  /**
   * Reads it from the partner and writes down what has changed. It sets `look_at` itself; where it throws, the refresh is made
   * again later: PartnerUnavailable is expected, anything else is logged.
   */
  poll(needs: RailNeeds, network: Network, rails: Rails, id: string): Promise<void>;
  /**
   * Whether money is on its way or waited for, or a removal open at the partner: then nothing may be forgotten yet. `now`:
   * environment time, Unix milliseconds.
   */
  isMoving?(trx: DbOrTrx, account: RailAccount, now: number): Promise<boolean>;
  /** Removes what is known of the account here; says how much that was. `now` as above. */
  forget(trx: DbOrTrx, account: RailAccount, now: number): Promise<number>;
}

/**
 * Takes what is due, tenants in turns and the longest due first, and leaves it to this process for a lease. No two processes
 * take the same. `realNow`: Unix milliseconds.
 */
export async function claimDue(
  db: Db,
  kind: RailKind,
  network: Network,
  partner: string,
  realNow: number,
): Promise<readonly string[]> {
  const table = sql.table(kind.table);
  const { rows } = await sql<{ id: string }>`with ${chooseAtBothEnds({
    table,
    key: "id",
    tenant: sql`waiting.tenant_id`,
    due: sql`waiting.environment = ${network.name} and waiting.partner = ${partner} and waiting.look_at <= ${Math.floor(realNow)}::int8`,
    since: sql`waiting.look_at`,
    limit: limits.railReadsInOneBatch,
  })} update ${table} set look_at = ${Math.floor(realNow) + limits.railLeaseMs}::int8 where id = any(array(select id from chosen))
    returning id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Those a partner's ref stands for: one person may have several accounts. */
export async function findByRef(
  db: Db,
  kind: RailKind,
  network: Network,
  partner: string,
  ref: PartnerRef,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(kind.table)}
    where environment = ${network.name} and partner = ${partner}
      and (partner_ref = ${ref} ${kind.isNamedByCustomer ? sql`or customer_ref = ${ref}` : sql``}) limit 100`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Lets a refresh that failed be made again, unless another process has planned an earlier one. */
export async function postponeRefresh(db: Db, kind: RailKind, id: string, realAt: number): Promise<void> {
  await sql`update ${sql.table(kind.table)} set look_at = ${Math.floor(realAt)}
    where id = ${id} and look_at is not null and look_at <> 0`.execute(db);
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * When something is refreshed again that no news reports: each minute for an hour after something happened to it, each
 * quarter of an hour for a week, then once a day. What is final and can be withdrawn: once a day. Real time.
 */
export function nextRefreshAt(
  state: { readonly activeSince: number; readonly isSettled: boolean },
  realNow: number,
): number {
  const age = realNow - state.activeSince;
  if (state.isSettled || age > 7 * dayMs) return realNow + dayMs;
  return realNow + (age < hourMs ? minuteMs : 15 * minuteMs);
}
