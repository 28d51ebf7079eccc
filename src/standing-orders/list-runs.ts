import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import { cursor, int8, listAnswer, pageOf } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { type RailTransferState, railTransferStates } from "@trellis/kernel/ports/rails.js";
import { addressText, signatureText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { openPayoutReason, openPayoutReceipt } from "../rails/payouts.js";
import { runStates } from "./run-states.js";
import { getOwnOrder, toDateTime } from "./standing-order.js";

interface ListNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
}

/** Everything that is due after this instant. */
const place = cursor("d1", { dueAt: int8 });

/** What became of a payment at the bank (gap 119). */
const WirePayout = Type.Object({
  id: Type.String(),
  state: Type.Enum([...railTransferStates], { description: "As of a payment intent to a bank." }),
  amount: Type.String({ description: "Of the coin, as the partner says." }),
  return_reason: Type.Union([Type.String(), Type.Null()]),
  receipt: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()]),
  created_at: Type.String({ format: "date-time" }),
  updated_at: Type.String({ format: "date-time" }),
});

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
      schema: Type.Array(
        Type.Object(
          {
            due_at: Type.String({ format: "date-time" }),
            state: Type.Enum([...runStates.all]),
            attempts: Type.Integer({ description: "Transactions that were signed for it, or found to fail before." }),
            signature: Type.Union([signatureText(), Type.Null()], {
              description: "Of the payment that is confirmed, or under way.",
            }),
            error: Type.Union([Type.String(), Type.Null()], { description: "What stood in the way last." }),
            payout: Type.Optional(
              Type.Union([WirePayout, Type.Null()], {
                description:
                  "Of an order to a bank account: what became of the money there. Null: the partner has not reported it.",
              }),
            ),
          },
          { $id: "StandingOrderRun" },
        ),
      ),
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
    const data = page.rows.map(({ due_at, state, attempts, signature, error }) => ({
      due_at: toDateTime(due_at),
      state,
      attempts,
      signature,
      error,
      ...(payouts === undefined ? {} : { payout: payouts.get(due_at) ?? null }),
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
    .selectAll()
    .where("order_id", "=", orderId)
    .where("due_at", "in", dues)
    .execute();
  return new Map(
    rows.map((row) => [
      row.due_at,
      {
        id: row.id,
        state: row.state as RailTransferState,
        amount: row.amount,
        return_reason: openPayoutReason(keyring, row),
        receipt: openPayoutReceipt(keyring, row),
        created_at: toDateTime(row.created_at),
        updated_at: toDateTime(row.updated_at),
      },
    ]),
  );
}
