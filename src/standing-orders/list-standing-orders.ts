import { documented, endpoint } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import { cursor, int8, isBefore, listAnswer, pageOf, uuid } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import { sql } from "kysely";
import Type from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { orderStates } from "./order-states.js";
import { parseInstant } from "./parse-dates.js";
import { showOrder, WireOrder } from "./standing-order.js";

/** Everything older than an order. */
export const orderPlace = cursor("o1", { createdAt: int8, id: uuid });

/** Interface 4.9, gaps 42 and 68. */
export const listStandingOrders = endpoint(
  {
    operation: "listStandingOrders",
    summary: "List standing orders",
    description: "The account's standing orders, newest first, whatever became of them.",
    tag: "Standing orders",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/standing-orders",
    scope: "payments:read",
    publishable: "session",
    environment: "optional",
    params: Type.Object({ address: addressText() }),
    query: Type.Object({
      status: Type.Optional(Type.Array(Type.Enum([...orderStates.all]), { description: "Repeat it for several." })),
      currency: Type.Optional(Type.String({ description: "A symbol, or a mint." })),
      start_date: Type.Optional(
        Type.String({ description: "Created then or later.", ...documented({ format: "date-time" }) }),
      ),
      end_date: Type.Optional(
        Type.String({ description: "Created then or earlier.", ...documented({ format: "date-time" }) }),
      ),
      tx_hash: Type.Optional(Type.String({ description: "The order that made this payment, by its signature." })),
      limit: Type.Optional(
        Type.Integer({ minimum: 0, maximum: limits.standingOrderPageMax, default: limits.standingOrderPageDefault }),
      ),
      cursor: Type.Optional(Type.String({ description: "x-next-cursor of the page before." })),
    }),
    response: { status: 200, envelope: false, schema: Type.Array(WireOrder) },
    errors: ["account_not_found", "invalid_cursor"],
  },
  async (needs: { readonly db: Db }, { params, query, network, caller }) => {
    const { tenantId } = caller;
    const row = await getAccountRow(needs.db, { tenantId, environment: network.name, address: params.address });
    const limit = query.limit ?? limits.standingOrderPageDefault;
    const from = query.start_date === undefined ? null : parseInstant(query.start_date, "start_date");
    const to = query.end_date === undefined ? null : parseInstant(query.end_date, "end_date");
    const before = query.cursor === undefined ? undefined : orderPlace.decode(query.cursor);
    if (limit === 0) return { data: [] };
    const wanted = query.currency;
    const mint =
      wanted === undefined
        ? undefined
        : network.currencies.find((c) => c.symbol === wanted.toLowerCase() || c.mint === wanted);
    let found = needs.db
      .selectFrom("standing_order")
      .selectAll()
      .where("environment", "=", network.name)
      .where("account_address", "=", row.address)
      // Those of a tenant that has released the account stay its own.
      .where("tenant_id", "=", tenantId);
    if (query.status !== undefined && query.status.length > 0) found = found.where("status", "in", query.status);
    if (wanted !== undefined)
      found = found.where(sql`coalesce(mint, '')`, "=", mint === undefined ? wanted : (mint.mint ?? ""));
    if (from !== null) found = found.where("created_at", ">=", BigInt(from));
    if (to !== null) found = found.where("created_at", "<=", BigInt(to));
    if (before !== undefined) found = found.where(isBefore({ created_at: before.createdAt, id: before.id }));
    if (query.tx_hash !== undefined) {
      const { tx_hash } = query;
      found = found.where("id", "in", (eb) =>
        eb.selectFrom("standing_order_run").select("order_id").where("signature", "=", tx_hash),
      );
    }
    // One more than the page shows whether there is another.
    const rows = await found
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(limit + 1)
      .execute();
    const page = pageOf(rows, limit, ({ created_at, id }) => orderPlace.encode({ createdAt: created_at, id }));
    return listAnswer(
      page.rows.map((order) => showOrder(network, order)),
      page.cursor,
    );
  },
);
