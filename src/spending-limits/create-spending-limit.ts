import { endpoint } from "@trellis/kernel/endpoint.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import { addressOfBytes, deriveSpendingLimitAddress, spendingLimitSize } from "@trellis/program-client";
import Type from "typebox";
import { limitTerms, parseLimitTerms } from "../proposals/requested-limit.js";
import { getActingAccount } from "../transactions/acting-account.js";
import { chooseLimitRentPayer } from "../transactions/limit-rent.js";
import { prepareInstructions } from "../transactions/prepare-synchronous.js";
import { preparedFields, toPreparedFields } from "../transactions/prepared-transaction.js";
import { adminQuery, composeLimitChange, decideLimitChange, decisionFields } from "./limit-change.js";

/** Gap 41. */
export const createSpendingLimit = endpoint(
  {
    operation: "createSpendingLimit",
    summary: "Create a spending limit",
    description:
      "Prepares the grant of an allowance: within it, the signers of the limit pay from the account without any vote. It " +
      "exists when the result is submitted. Where the account's signers cannot act at once, propose the action " +
      "AddSpendingLimit instead.",
    tag: "Spending limits",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/spending-limit",
    scope: "accounts:write",
    environment: "optional",
    params: Type.Object({ address: addressText() }),
    query: adminQuery,
    body: Type.Object({
      amount: limitTerms.amount,
      mint: limitTerms.mint,
      period: limitTerms.period,
      spending_limit_signers: limitTerms.signers,
      destinations: Type.Optional(limitTerms.destinations),
      expiration: Type.Optional(limitTerms.expiration),
      ...decisionFields,
    }),
    refusesNearMisses: true,
    preparesOnly: true,
    response: {
      status: 201,
      envelope: false,
      schema: Type.Object({ ...preparedFields, spending_limit_address: addressText() }),
    },
    errors: [
      "account_not_found",
      "admin_required",
      "account_has_no_admin",
      "invalid_amount",
      "invalid_address",
      "forbidden_account",
      "insufficient_permissions",
      "passkey_session_required",
      "proposal_required",
      "rent_not_sponsored",
      "transaction_too_large",
      "transaction_failed",
      "unsupported_fee_config",
      "chain_unavailable",
    ],
  },
  async (needs: { readonly db: Db; readonly random: Random }, { params, query, body, network, caller }) => {
    const account = await getActingAccount(needs.db, network, caller.tenantId, params.address);
    const terms = await parseLimitTerms(
      network,
      account,
      {
        mint: body.mint,
        amount: body.amount,
        period: body.period,
        signers: body.spending_limit_signers,
        destinations: body.destinations ?? [],
        expiration: body.expiration ?? null,
      },
      { signers: "spending_limit_signers" },
    );
    const add = { seed: addressOfBytes(needs.random.bytes(32)), ...terms };
    const decision = decideLimitChange(needs.db, network, account, query.admin === true, body, { add });
    const { signers, feePayer, sponsor } = decision;
    const size = spendingLimitSize(terms.signers.length, terms.destinations.length);
    const rentPayer = await chooseLimitRentPayer(network, [size], signers, sponsor);
    const prepared = await prepareInstructions(needs, network, {
      kind: "settings_change",
      account,
      signers,
      feePayer,
      instructions: composeLimitChange(account, decision, rentPayer, { add }),
    });
    const spending_limit_address = deriveSpendingLimitAddress(account.settingsAddress, add.seed);
    return { data: { ...toPreparedFields(prepared), spending_limit_address } };
  },
);
