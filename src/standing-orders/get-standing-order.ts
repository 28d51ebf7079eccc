import { endpoint } from "@trellis/kernel/endpoint.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getOwnOrder, showOrder, WireOrder } from "./standing-order.js";

/** Gap 42. */
export const getStandingOrder = endpoint(
  {
    operation: "getStandingOrder",
    summary: "Read a standing order",
    tag: "Standing orders",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/standing-order/{id}",
    scope: "payments:read",
    publishable: "session",
    environment: "optional",
    params: Type.Object({ address: addressText(), id: uuidText() }),
    response: { status: 200, envelope: true, schema: WireOrder },
    errors: ["account_not_found", "standing_order_not_found"],
  },
  async (needs: { readonly db: Db }, { params, network, caller }) => {
    const order = await getOwnOrder(needs.db, network, caller.tenantId, params);
    return { data: showOrder(network, order) };
  },
);
