import type { Db, DbOrTrx } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { anyOf } from "@trellis/kernel/states.js";
import { sql } from "kysely";
import { standingMandates } from "./order-states.js";
import type { StandingOrder } from "./standing-order-store.js";

/** What an executor may still draw on, as far as standing orders say. */
export interface ExecutorLimits {
  readonly executor: string;
  readonly isPresent: boolean;
  /** Limits that are on chain, or may yet land there. */
  readonly count: number;
  /** The orders of a former executor, the oldest first: as many as were asked for at most. */
  readonly orders: readonly Pick<StandingOrder, "id" | "account_address" | "status" | "reason" | "mandate">[];
}

/**
 * The executors of an environment that standing orders know: the present one, and every former one that is left with a
 * limit that was not removed and has not expired by `now` (Unix milliseconds).
 */
export async function findExecutorLimits(
  db: Db,
  environment: EnvironmentName,
  present: string | undefined,
  { now, most }: { readonly now: number; readonly most: number },
): Promise<readonly ExecutorLimits[]> {
  const stands = sql<boolean>`mandate in ${anyOf(["awaited", ...standingMandates])}
    and (limit_expires_at is null or limit_expires_at > ${Math.floor(now / 1000)}::int8)`;
  const counted = await db
    .selectFrom("standing_order")
    .select(["executor_address as executor", sql<number>`count(*)::int4`.as("count")])
    .where("environment", "=", environment)
    .where(stands)
    .groupBy("executor_address")
    .orderBy("executor_address")
    .execute();
  const former = counted.filter(({ executor }) => executor !== present);
  const all: ExecutorLimits[] = [];
  if (present !== undefined) {
    const count = counted.find(({ executor }) => executor === present)?.count ?? 0;
    all.push({ executor: present, isPresent: true, count, orders: [] });
  }
  for (const { executor, count } of former) {
    const orders = await db
      .selectFrom("standing_order")
      .select(["id", "account_address", "status", "reason", "mandate"])
      .where("environment", "=", environment)
      .where("executor_address", "=", executor)
      .where(stands)
      .orderBy("created_at")
      .orderBy("id")
      .limit(most)
      .execute();
    all.push({ executor, isPresent: false, count, orders });
  }
  return all;
}

/** A renewal that was offered and has not been used. */
type OfferedRenewal = Pick<StandingOrder, "id" | "account_address"> & {
  readonly renewal_limit_address: string | null;
};

/** Renewals that are offered: how many, and the oldest orders' at most `most` of them. */
export interface OfferedRenewals {
  readonly count: number;
  readonly orders: readonly OfferedRenewal[];
}

/**
 * The renewals offered to orders of an environment, whatever became of the orders' limits. Which executor one names is
 * not recorded: it is the one of when it was offered, which may have been replaced since. Goes through all orders that
 * are checked when settings change; it is asked by hand.
 */
export async function findOfferedRenewals(
  db: Db,
  environment: EnvironmentName,
  { most }: { readonly most: number },
): Promise<OfferedRenewals> {
  const offered = db
    .selectFrom("standing_order")
    .where("environment", "=", environment)
    .where("renewal_limit_address", "is not", null)
    // As the index has it.
    .where(sql<boolean>`(mandate <> 'revoked' or renewal_limit_address is not null)`);
  const counted = await offered.select(sql<number>`count(*)::int4`.as("count")).executeTakeFirstOrThrow();
  const orders = await offered
    .select(["id", "account_address", "renewal_limit_address"])
    .orderBy("created_at")
    .orderBy("id")
    .limit(most)
    .execute();
  return { count: counted.count, orders };
}

/** Whether a limit is, or is to become, that of a standing order of this account. */
export async function isLimitOfOrder(
  db: DbOrTrx,
  environment: EnvironmentName,
  accountAddress: string,
  limit: string,
): Promise<boolean> {
  const order = await db
    .selectFrom("standing_order")
    .select("id")
    .where("environment", "=", environment)
    .where("account_address", "=", accountAddress)
    .where((is) => is.or([is("spending_limit_address", "=", limit), is("renewal_limit_address", "=", limit)]))
    .executeTakeFirst();
  return order !== undefined;
}
