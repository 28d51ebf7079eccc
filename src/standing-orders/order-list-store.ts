import { isAfter, isBefore } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { anyOf } from "@trellis/kernel/states.js";
import { type RawBuilder, sql } from "kysely";
import { orderStates, placedStates } from "./order-states.js";
import type { StandingOrder } from "./standing-order-store.js";

/** Whose orders: of one account of the tenant, or of all. */
export interface OrdersOf {
  readonly tenantId: string;
  readonly environment: EnvironmentName;
  readonly account: string | undefined;
}

/** Orders of these statuses (all, if none is named), newest first. Each part is a range of an index, which has it in this order. */
export async function findNewestOrders(
  db: Db,
  { tenantId, environment, account }: OrdersOf,
  listing: {
    readonly statuses: readonly StandingOrder["status"][];
    readonly before: { readonly createdAt: bigint; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<readonly StandingOrder[]> {
  const { statuses, before, limit } = listing;
  const wanted = statuses.length === 0 ? orderStates.all : [...new Set(statuses)];
  const parts = wanted.map(
    (status) => sql`(select * from standing_order
      where environment = ${environment} and tenant_id = ${tenantId} and status = ${status}
        ${account === undefined ? sql`` : sql`and account_address = ${account}`}
        ${before === undefined ? sql`` : sql`and ${isBefore({ created_at: before.createdAt, id: before.id })}`}
      order by created_at desc, id desc limit ${limit})`,
  );
  const { rows } = await sql<StandingOrder>`select * from (${sql.join(parts, sql` union all `)}) as part
    order by created_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}

/** Active orders whose next due date is before an instant (Unix milliseconds), by that date. */
export async function findDueOrders(
  db: Db,
  of: OrdersOf,
  listing: {
    readonly dueBefore: bigint;
    readonly after: { readonly dueAt: bigint; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<readonly StandingOrder[]> {
  const { dueBefore, after, limit } = listing;
  const { rows } = await sql<StandingOrder>`${activeOrders(of)}
    and next_due_at < ${dueBefore}::int8
    ${after === undefined ? sql`` : sql`and ${isAfter({ next_due_at: after.dueAt, id: after.id })}`}
    order by next_due_at, id limit ${limit}`.execute(db);
  return rows;
}

/** An account has no more open orders than places: so all of them are read, and sorted. */
function activeOrders({ tenantId, environment, account }: OrdersOf): RawBuilder<unknown> {
  if (account === undefined) {
    return sql`select * from standing_order
      where environment = ${environment} and tenant_id = ${tenantId} and status = 'active'`;
  }
  return sql`with placed as materialized (
      select * from standing_order
      where environment = ${environment} and account_address = ${account} and status in ${anyOf(placedStates)}
    ) select * from placed where tenant_id = ${tenantId} and status = 'active'`;
}
