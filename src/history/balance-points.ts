/** Balances at the ends of intervals, out of what moved in them. Instants are Unix seconds. */
import type { TokenSums } from "./balance-history-store.js";

export interface Balance {
  readonly mint: string;
  /** Base units; null: not known. */
  readonly amount: bigint | null;
  readonly received: bigint;
  readonly sent: bigint;
}

export interface BalancePoint {
  /** The end of the interval, which is not part of it. */
  readonly at: number;
  readonly balances: readonly Balance[];
}

export interface Intervals {
  /** The beginning of the first. */
  readonly from: number;
  readonly count: number;
  readonly seconds: number;
}

/** What of the sums is sure. */
export interface Known {
  /** Until when everything is in them; null: it never was. */
  readonly until: number | null;
  /** Nothing later is in them, as far as is known: then they are what is held until something happens. */
  readonly isAll: boolean;
}

/**
 * A point for each interval, the oldest first. What moved behind the last interval's beginning belongs to the last. An amount is null
 * where it is not known.
 */
export function pointsOf(
  tokens: readonly TokenSums[],
  { from, count, seconds }: Intervals,
  known: Known,
): BalancePoint[] {
  const last = from + (count - 1) * seconds;
  const byToken = tokens.map(({ mint, hasMore, closing, flows }) => {
    const moved = Array.from({ length: count }, () => ({ received: 0n, sent: 0n }));
    let opening = closing;
    for (const [startsAt, { received, sent }] of flows) {
      const flow = moved[(Math.min(startsAt, last) - from) / seconds];
      if (flow === undefined) continue;
      flow.received += received;
      flow.sent += sent;
      opening += sent - received;
    }
    let amount = opening;
    return {
      mint,
      hasMore,
      ends: moved.map((flow) => {
        amount += flow.received - flow.sent;
        return { amount, ...flow };
      }),
    };
  });
  return Array.from({ length: count }, (_, i) => {
    const begins = from + i * seconds;
    const at = begins + seconds;
    const isKnown = known.until !== null && (at <= known.until || (known.isAll && begins <= known.until));
    return {
      at,
      balances: byToken.flatMap(({ mint, hasMore, ends }) => {
        const end = ends[i];
        if (end === undefined) return [];
        return [{ ...end, mint, amount: isKnown && !hasMore && end.amount >= 0n ? end.amount : null }];
      }),
    };
  });
}
