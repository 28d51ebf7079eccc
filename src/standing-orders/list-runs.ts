import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import { cursor, int8, listAnswer, pageOf } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { showPayout, showRun, type WirePayout, WireRun } from "./run.js";
import { getOwnOrder } from "./standing-order.js";

interface ListNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
}

/** Everything that is due after this instant. */
const place = cursor("d1", { dueAt: int8 });

/** Gap 69. */
export const listStandingOrderRuns = endpoint(
  {
    operation: "listStandingOrderRuns",
    summary: "List the payments of a standing order",
    description: "Every past due date, oldest first, with its outcome.",
    tag: "Standing orders",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/standing-order/{id}/runs",
    scope: "payments:read",
    publishable: "session",
    environment: "optional",
    params: Type.Object({ address: addressText(), id: uuidText() }),
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({ minimum: 0, maximum: limits.standingOrderPageMax, default: limits.standingOrderPageDefault }),
      ),
      cursor: Type.Optional(Type.String({ description: "From the page before." })),
    }),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Array(WireRun),
    },
    errors: ["account_not_found", "standing_order_not_found", "invalid_cursor"],
  },
  async (needs: ListNeeds, { params, query, network, caller }) => {
    const order = await getOwnOrder(needs.db, network, caller.tenantId, params);
    const limit = query.limit ?? limits.standingOrderPageDefault;
    const after = query.cursor === undefined ? undefined : place.decode(query.cursor);
    if (limit === 0) return { data: [] };
    let found = needs.db.selectFrom("standing_order_run").selectAll().where("order_id", "=", order.id);
    if (after !== undefined) found = found.where("due_at", ">", after.dueAt);
    const rows = await found
      .orderBy("due_at")
      .limit(limit + 1)
      .execute();
    const page = pageOf(rows, limit, ({ due_at }) => place.encode({ dueAt: due_at }));
    const payouts = order.payout_address_id === null ? undefined : await findPayouts(needs, order.id, page.rows);
    const data = page.rows.map((row) => ({
      ...showRun(order, row),
      ...(payouts === undefined ? {} : { payout: payouts.get(row.due_at) ?? null }),
    }));
    return listAnswer(data, page.cursor);
  },
);

async function findPayouts(
  { db, keyring }: ListNeeds,
  orderId: string,
  runs: readonly { readonly due_at: bigint }[],
): Promise<ReadonlyMap<bigint, Static<typeof WirePayout>>> {
  if (runs.length === 0) return new Map();
  const dues = runs.map(({ due_at }) => due_at);
  const rows = await db
    .selectFrom("rail_payout")
    .innerJoin("rail_payout_address as place", "place.id", "rail_payout.payout_address_id")
    .selectAll("rail_payout")
    .select(["place.external_account_id", "place.rail", "place.coin", "place.fiat"])
    .where("order_id", "=", orderId)
    .where("due_at", "in", dues)
    .execute();
  return new Map(rows.map((row) => [row.due_at, showPayout(keyring, row)]));
}
