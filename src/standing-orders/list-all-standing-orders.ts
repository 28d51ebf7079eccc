import { documented, endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { cursor, int8, listAnswer, type Page, pageOf, uuid } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { orderPlace } from "./list-standing-orders.js";
import { findDueOrders, findNewestOrders, type OrdersOf } from "./order-list-store.js";
import { orderStates } from "./order-states.js";
import { parseInstant } from "./parse-dates.js";
import { showOrder, WireOrder } from "./standing-order.js";
import type { StandingOrder } from "./standing-order-store.js";

/** Everything that is due behind an order. */
const duePlace = cursor("w1", { dueAt: int8, id: uuid });

const listQuery = Type.Object({
  status: Type.Optional(Type.Array(Type.Enum([...orderStates.all]), { description: "Repeat it for several." })),
  account: Type.Optional(addressText({ description: "Those of this account alone." })),
  due_before: Type.Optional(
    Type.String({
      description: "Active ones whose next due date is before this, by that date. Not together with status.",
      ...documented({ format: "date-time" }),
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 0, maximum: limits.standingOrderPageMax, default: limits.standingOrderPageDefault }),
  ),
  cursor: Type.Optional(Type.String({ description: "From the page before, which had the same query." })),
});

/** The standing orders of a tenant (gap 207). */
export const listAllStandingOrders = endpoint(
  {
    operation: "listAllStandingOrders",
    summary: "List standing orders of all accounts",
    description: "The standing orders of all accounts of the tenant, newest first, or by their next due date.",
    tag: "Standing orders",
    method: "GET",
    path: "/api/service/v1/standing-orders",
    scope: "payments:read",
    environment: "optional",
    query: listQuery,
    response: { status: 200, envelope: true, schema: Type.Array(WireOrder) },
    errors: ["account_not_found", "invalid_cursor"],
  },
  async (needs: { readonly db: Db }, { query, network, caller }) => {
    const { account } = query;
    const of = { tenantId: caller.tenantId, environment: network.name, account };
    const read = query.due_before === undefined ? newestPage(query) : duePage(query, query.due_before);
    if (account !== undefined) await getAccountRow(needs.db, { ...of, address: account });
    const page = await read(needs.db, of);
    return listAnswer(
      page.rows.map((order) => showOrder(network, order)),
      page.cursor,
    );
  },
);

type Query = Static<typeof listQuery>;
type ReadPage = (db: Db, of: OrdersOf) => Promise<Page<StandingOrder>>;

const nothing = { rows: [], cursor: undefined };
const limitOf = ({ limit = limits.standingOrderPageDefault }: Query) => limit;

function newestPage(query: Query): ReadPage {
  const limit = limitOf(query);
  const before = query.cursor === undefined ? undefined : orderPlace.decode(query.cursor);
  const listing = { statuses: query.status ?? [], before, limit: limit + 1 };
  const cursorOf = ({ created_at, id }: StandingOrder) => orderPlace.encode({ createdAt: created_at, id });
  return async (db, of) => (limit === 0 ? nothing : pageOf(await findNewestOrders(db, of, listing), limit, cursorOf));
}

/** Throws `invalid_request` beside a status: what is not active is not paid, and no index has due dates of several statuses in one order. */
function duePage(query: Query, text: string): ReadPage {
  if (query.status !== undefined && query.status.length > 0) {
    throw new TrellisError("invalid_request", {
      field: "status",
      message: "due_before lists active orders alone: ask without status.",
    });
  }
  const limit = limitOf(query);
  const dueBefore = BigInt(parseInstant(text, "due_before"));
  const after = query.cursor === undefined ? undefined : duePlace.decode(query.cursor);
  const listing = { dueBefore, after, limit: limit + 1 };
  const cursorOf = ({ next_due_at, id }: StandingOrder) => duePlace.encode({ dueAt: next_due_at ?? 0n, id });
  return async (db, of) => (limit === 0 ? nothing : pageOf(await findDueOrders(db, of, listing), limit, cursorOf));
}
