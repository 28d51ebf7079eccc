import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { sql } from "kysely";

type Writes = "prepares" | "wallet_sign_ins" | "others";

/** What is counted apart: what prepares transactions, sign-ins by wallet and everything else, by the tenant's servers and by its pages. */
export type WriteKind = Writes | `page_${Writes}`;

/** Bounds what a tenant may leave in the database in a day, over all its keys and all processes (gap 156). */
export interface WriteBudget {
  /** Takes so many of the tenant's writes of today. Throws `daily_limit_exceeded` where there are not as many left. */
  take(tenantId: string, kind: WriteKind, count: number): Promise<void>;
}

const dayMs = 86_400_000;

interface Share {
  readonly day: number;
  /** Claimed from the database by this process, and not used yet. */
  left: number;
  isSpent: boolean;
  /** One question at a time. */
  taking: Promise<void> | undefined;
}

/**
 * `clock` is real time, `perDay` of each kind. So that no request waits for a row that all of a tenant's requests write, a
 * process takes a hundred at a time: never are more used than there are, and some hundred may be left by each process.
 */
export function createWriteBudget(parts: {
  readonly db: Db;
  readonly clock: Clock;
  readonly perDay: number;
}): WriteBudget {
  const { db, clock, perDay } = parts;
  const atOnce = perDay >= limits.tenantWritesTaken * 100 ? limits.tenantWritesTaken : 1;
  const shares = new Map<string, Share>();

  const shareOf = (name: string, day: number): Share => {
    const known = shares.get(name);
    if (known?.day === day) return known;
    const share: Share = { day, left: 0, isSpent: false, taking: undefined };
    shares.delete(name);
    shares.set(name, share);
    for (const oldest of shares.keys()) {
      if (shares.size <= limits.tenantWritesRemembered) break;
      shares.delete(oldest);
    }
    return share;
  };

  const takeMore = async (share: Share, tenantId: string, kind: WriteKind): Promise<void> => {
    const { rows } = await sql<{ count: bigint }>`
      insert into tenant_writes (tenant_id, day, kind, count)
      select ${tenantId}, ${share.day}::int4, ${kind}, ${atOnce}::int8 where ${atOnce}::int8 <= ${perDay}::int8
      on conflict (tenant_id, day, kind) do update set count = tenant_writes.count + excluded.count
        where tenant_writes.count + excluded.count <= ${perDay}::int8
      returning count`.execute(db);
    if (rows.length === 0) share.isSpent = true;
    else share.left += atOnce;
  };

  return {
    take: async (tenantId, kind, count) => {
      const now = clock.now();
      const share = shareOf(`${kind} ${tenantId}`, Math.floor(now / dayMs));
      while (share.left < count) {
        if (share.isSpent) {
          throw new TrellisError("daily_limit_exceeded", {
            retryAfterSeconds: Math.ceil(((share.day + 1) * dayMs - now) / 1000),
          });
        }
        share.taking ??= takeMore(share, tenantId, kind).finally(() => {
          share.taking = undefined;
        });
        await share.taking;
      }
      share.left -= count;
    },
  };
}
