import { endpoint } from "@trellis/kernel/endpoint.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getOwnLimit, SpendingLimit, showSpendingLimit } from "./spending-limit.js";

/** Gap 41. */
export const getSpendingLimit = endpoint(
  {
    operation: "getSpendingLimit",
    summary: "Read a spending limit",
    description: "As the chain has it now, wherever it was made.",
    tag: "Spending limits",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/spending-limit/{spending_limit_address}",
    scope: "accounts:read",
    publishable: "session",
    environment: "optional",
    params: Type.Object({ address: addressText(), spending_limit_address: addressText() }),
    response: { status: 200, envelope: false, schema: SpendingLimit },
    errors: ["account_not_found", "spending_limit_not_found", "chain_unavailable"],
  },
  async (needs: { readonly db: Db }, { params, network, caller }) => {
    const key = { tenantId: caller.tenantId, account: params.address, limit: params.spending_limit_address };
    const { row, limit } = await getOwnLimit(needs, network, key);
    return { data: showSpendingLimit(limit, row, network) };
  },
);
