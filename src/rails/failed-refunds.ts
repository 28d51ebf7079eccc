import type { Db } from "@trellis/kernel/ports/database.js";
import { sql } from "kysely";

/** What a bank returned, could not be given back (gap 132), and no operator has handled yet. */
export const refundFailed = sql`state = 'error' and (sealed_return_reason is not null or return_reason is not null)
  and acknowledged_at_real is null`;

/** Coins of a payment that are where no party moves them on, which no operator has handled yet. */
export const coinsAstray = sql`astray_since is not null and acknowledged_at_real is null`;

/** Money that a partner holds, as an operator needs it to ask the partner: nothing in it is personal. */
export interface FailedRefund {
  /** Of the payment, or of the payout of a standing order. */
  readonly id: string;
  readonly kind: "payment" | "payout";
  /** `astray`: it is with the partner, or at its address, and the partner moves it no further. */
  readonly why: "refund_failed" | "astray";
  readonly tenant_id: string;
  readonly environment: string;
  readonly partner: string;
  /** What the partner calls it. */
  readonly partner_ref: string | null;
  readonly amount: string;
  readonly currency: string;
  /** Environment time. */
  readonly since: bigint;
}

/** Refunds that failed, and whether these are all of them. */
export interface FailedRefunds {
  readonly refunds: readonly FailedRefund[];
  readonly isWhole: boolean;
}

/** Those that no operator has handled, the oldest of each environment first, and `most` of each kind there at most. */
export async function findFailedRefunds(db: Db, most: number): Promise<FailedRefunds> {
  const { rows } = await sql<FailedRefund & { readonly number: number }>`
    select failed.* from unnest(array['mainnet', 'devnet', 'sandbox']) with ordinality as known (name, place)
    cross join lateral (
      (select id, 'payment' as kind, 'astray' as why, tenant_id, environment, partner, partner_ref, amount,
          case direction when 'out' then coin else fiat end as currency, astray_since as since,
          row_number() over (order by astray_since, id)::int4 as number
        from rail_transfer where environment = known.name and ${coinsAstray} order by astray_since, id limit ${most + 1}::int4)
      union all
      (select id, 'payment', 'refund_failed', tenant_id, environment, partner, partner_ref, amount,
          case direction when 'out' then coin else fiat end as currency, updated_at as since,
          row_number() over (order by updated_at, id)::int4 as number
        from rail_transfer where environment = known.name and ${refundFailed} order by updated_at, id limit ${most + 1}::int4)
      union all
      (select payout.id, 'payout', 'refund_failed', payout.tenant_id, payout.environment, place.partner, payout.partner_ref, payout.amount,
          place.coin, payout.updated_at, row_number() over (order by payout.updated_at, payout.id)::int4
        from (select * from rail_payout where environment = known.name and ${refundFailed}
          order by updated_at, id limit ${most + 1}::int4) as payout
        join rail_payout_address as place on place.id = payout.payout_address_id)
      union all
      (select payout.id, 'payout', 'astray', payout.tenant_id, payout.environment, place.partner, payout.partner_ref, payout.amount,
          place.coin, payout.astray_since, row_number() over (order by payout.astray_since, payout.id)::int4
        from (select * from rail_payout where environment = known.name and ${coinsAstray}
          order by astray_since, id limit ${most + 1}::int4) as payout
        join rail_payout_address as place on place.id = payout.payout_address_id)) as failed
    order by known.place, failed.since, failed.id`.execute(db);
  const refunds = rows.flatMap(({ number, ...refund }) => (number > most ? [] : refund));
  return { refunds, isWhole: refunds.length === rows.length };
}

/** Who saw to a refund, when, by real time, and in which words. */
export interface Acknowledgement {
  readonly acknowledged_at_real: bigint;
  readonly acknowledged_by: string;
  readonly acknowledged_for: string;
}

/** What became of an operator's word: what stands now, and whether that is by this call. */
export interface Settlement {
  readonly state: string;
  /** Null: it is no refund that failed, or was given back since and had not been seen to. */
  readonly acknowledged: Acknowledgement | null;
  readonly isDone: boolean;
}

/**
 * Notes that an operator has handled a refund that failed. It moves no money and no state, and sends no event: it is counted
 * and listed no more. Of two the first one stays. Undefined where there is neither a payment nor a payout of this id.
 */
export async function settleFailedRefund(
  db: Db,
  id: string,
  { by, note }: { readonly by: string; readonly note: string },
  realNow: number,
): Promise<Settlement | undefined> {
  for (const table of ["rail_transfer", "rail_payout"] as const) {
    const { rows } = await sql<Acknowledgement & { state: string }>`
      update ${sql.table(table)} set acknowledged_at_real = ${Math.floor(realNow)}::int8, acknowledged_by = ${by}::text,
        acknowledged_for = ${note}::text
      where id = ${id}::text and ((${refundFailed}) or (${coinsAstray}))
      returning state, acknowledged_at_real, acknowledged_by, acknowledged_for`.execute(db);
    const [changed] = rows;
    if (changed !== undefined) return { state: changed.state, acknowledged: acknowledgementOf(changed), isDone: true };
    const found = await db
      .selectFrom(table)
      .select(["state", "acknowledged_at_real", "acknowledged_by", "acknowledged_for"])
      .where("id", "=", id)
      .executeTakeFirst();
    if (found !== undefined) return { state: found.state, acknowledged: acknowledgementOf(found), isDone: false };
  }
  return undefined;
}

function acknowledgementOf(
  row: {
    readonly [name in keyof Acknowledgement]: Acknowledgement[name] | null;
  },
): Acknowledgement | null {
  const { acknowledged_at_real, acknowledged_by, acknowledged_for } = row;
  if (acknowledged_at_real === null || acknowledged_by === null || acknowledged_for === null) return null;
  return { acknowledged_at_real, acknowledged_by, acknowledged_for };
}
