import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getActingAccount } from "../transactions/acting-account.js";
import { prepareInstructions } from "../transactions/prepare-synchronous.js";
import { PreparedFields, toPreparedFields } from "../transactions/prepared-transaction.js";
import { findSpendingLimit } from "../transactions/read-spending-limits.js";
import {
  adminQuery,
  chooseRentCollector,
  composeLimitChange,
  DecisionBody,
  decideLimitChange,
} from "./limit-change.js";

/** Gap 41. */
export const deleteSpendingLimit = endpoint(
  {
    operation: "deleteSpendingLimit",
    summary: "Remove a spending limit",
    description:
      "Prepares the removal of an allowance; it takes effect when the result is submitted. Where the account's signers " +
      "cannot act at once, propose the action RemoveSpendingLimit instead.",
    tag: "Spending limits",
    method: "DELETE",
    path: "/api/service/v1/accounts/{address}/spending-limit/{spending_limit_address}",
    scope: "accounts:write",
    environment: "optional",
    params: Type.Object({ address: addressText(), spending_limit_address: addressText() }),
    query: adminQuery,
    body: DecisionBody,
    bodyMayBeAbsent: true,
    refusesNearMisses: true,
    preparesOnly: true,
    response: { status: 200, envelope: false, schema: PreparedFields },
    errors: [
      "account_not_found",
      "spending_limit_not_found",
      "admin_required",
      "account_has_no_admin",
      "forbidden_account",
      "insufficient_permissions",
      "passkey_session_required",
      "proposal_required",
      "transaction_failed",
      "unsupported_fee_config",
      "chain_unavailable",
    ],
  },
  async (needs: { readonly db: Db; readonly random: Random }, { params, query, body, network, caller }) => {
    const account = await getActingAccount(needs.db, network, caller.tenantId, params.address);
    const freshness = { leastSlot: account.slot };
    const limit = await findSpendingLimit(network, account.settingsAddress, params.spending_limit_address, freshness);
    if (limit === undefined) throw new TrellisError("spending_limit_not_found");
    const remove = limit.address;
    const decision = decideLimitChange(needs.db, network, account, query.admin === true, body, { remove });
    const { signers, feePayer } = decision;
    const collector = await chooseRentCollector(account, decision);
    const prepared = await prepareInstructions(needs, network, {
      kind: "settings_change",
      account,
      signers,
      feePayer,
      instructions: composeLimitChange(account, decision, collector, { remove }),
    });
    return { data: toPreparedFields(prepared) };
  },
);
