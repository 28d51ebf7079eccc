import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { obstacleCodes } from "../payees/obstacle.js";
import { limitTerms, parseLimitAmount } from "../proposals/requested-limit.js";
import { getActingAccount, withPasskeys } from "../transactions/acting-account.js";
import { chooseFeePayer, feeFields } from "../transactions/fee-config.js";
import { memoWordsRefused } from "../transactions/payment-memo.js";
import { prepareInstructions } from "../transactions/prepare-synchronous.js";
import { PreparedFields, toPreparedFields } from "../transactions/prepared-transaction.js";
import { findSpendingLimit } from "../transactions/read-spending-limits.js";
import { rentSponsorOf } from "../transactions/rent-sponsor.js";
import { confirmProgramAddress, trustOf } from "../transactions/require-payable.js";
import { parseDestination } from "../transactions/transfer-instructions.js";
import { buildLimitPayment, requireAllowed } from "./limit-payment.js";
import { findHolders } from "./wallet-holder.js";

/** Gap 41. */
export const prepareLimitPayment = endpoint(
  {
    operation: "prepareLimitPayment",
    summary: "Prepare a payment out of a spending limit",
    description:
      "Prepares a payment that a signer of the limit makes alone: no other signer, no vote and no time lock stand in the " +
      "way. It happens when the result is submitted.",
    tag: "Spending limits",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/spending-limit/{spending_limit_address}/transactions",
    scope: "payments:write",
    environment: "optional",
    params: Type.Object({ address: addressText(), spending_limit_address: addressText() }),
    body: Type.Object({
      amount: limitTerms.amount,
      signer_address: addressText({
        description:
          "One of the limit's signers, who alone signs. Of a passkey: its account, or the key of its session.",
      }),
      recipient_address: addressText({ description: "The owner who is paid, not a token account." }),
      confirm_program_address: confirmProgramAddress,
      ...feeFields,
    }),
    refusesNearMisses: true,
    refusesFields: memoWordsRefused("a payment out of a spending limit carries no memo. A payment intent does"),
    preparesOnly: true,
    agents: true,
    response: { status: 200, envelope: false, schema: PreparedFields },
    errors: [
      "account_not_found",
      "spending_limit_not_found",
      "spending_limit_exceeded",
      "spending_limit_expired",
      "destination_not_allowed",
      "invalid_amount",
      "insufficient_balance",
      "insufficient_permissions",
      "passkey_session_required",
      "rent_not_sponsored",
      ...obstacleCodes,
      "unsupported_fee_config",
      "transaction_failed",
      "chain_unavailable",
    ],
  },
  async (needs: { readonly db: Db; readonly random: Random }, { params, body, network, caller }) => {
    const amountBaseUnits = parseLimitAmount(body.amount, "amount");
    const recipient = parseDestination(body.recipient_address, "recipient_address");
    const known = await getActingAccount(needs.db, network, caller.tenantId, params.address);
    const freshness = { leastSlot: known.slot };
    const limit = await findSpendingLimit(network, known.settingsAddress, params.spending_limit_address, freshness);
    if (limit === undefined) throw new TrellisError("spending_limit_not_found");
    const named = limit.signers.find((address) => address === body.signer_address);
    const account = await withPasskeys(network, known, named === undefined ? limit.signers : [named]);
    // Of several passkeys with this session key, one whose session is open.
    const signer =
      named ??
      limit.signers.find((address) => account.sessionKeys.get(address) === body.signer_address) ??
      limit.signers.find((address) => account.passkeys.get(address)?.session?.key === body.signer_address);
    if (signer === undefined || network.serviceAddresses.has(signer)) {
      throw new TrellisError("insufficient_permissions", {
        field: "signer_address",
        message: `${body.signer_address} is not a signer of this spending limit.`,
        facts: { address: body.signer_address },
      });
    }
    const { confirm_program_address: isConfirmed } = body;
    const trust = trustOf(needs.db, network, isConfirmed, "confirm_program_address");
    const payment = { limit, amountBaseUnits, signer, recipient, trust };
    requireAllowed(network, account, payment);
    const feePayer = chooseFeePayer(network, body);
    const sponsor = rentSponsorOf(needs.db, network, account.row.address, feePayer);
    const prepared = await prepareInstructions(needs, network, {
      kind: "limit_payment",
      account,
      signers: [signer],
      holders: await findHolders(needs.db, network, caller.tenantId, [signer]),
      feePayer,
      ...(await buildLimitPayment(network, account, payment, sponsor)),
    });
    return { data: toPreparedFields(prepared) };
  },
);
