import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { addressText, decimalText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { wantedProvider } from "../accounts/policy.js";
import { getRails } from "../rails/ask-partner.js";
import { approvalFields } from "../transactions/acting-account.js";
import { feeFields } from "../transactions/fee-config.js";
import { foreignMemoWords, memoFields, refuseBankMemo } from "../transactions/payment-memo.js";
import { preparedFields, toPreparedFields } from "../transactions/prepared-transaction.js";
import { isBankEnd } from "./bank-end.js";
import { type ListenerNeeds, openListener, storedSecret } from "./intent-listener.js";
import { payToBank } from "./pay-to-bank.js";
import { IntentSource, PaymentIntent } from "./payment-intent.js";
import { bankIntentErrors, intentErrors, prepareIntent, WantedDestination } from "./prepare-intent.js";
import { type PayInNeeds, receiveFromBank } from "./receive-from-bank.js";

const answered = {
  // Of one with a bank a repetition may arrive late: it is answered as it stands.
  ...PaymentIntent.properties,
  webhook_secret: Type.Optional(
    Type.String({ description: "With webhook_url: what those events are signed with. It is not returned again." }),
  ),
};

/** A payment from the smart account to an address on chain (gap 33), to a bank (gap 102), or from one (gap 103). */
export const preparePayment = endpoint(
  {
    operation: "preparePayment",
    summary: "Prepare a payment",
    description:
      "Prepares a transfer of SOL or of a token. The answer holds the transaction and what is to be signed; the payment " +
      "happens when the result is submitted. With a bank as destination (`payment_rail`, `external_account_id`) the coins go " +
      "to a partner, who pays the bank. With a bank as source there is nothing to sign: the answer says where the money has to " +
      "be sent.",
    tag: "Payments",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/payment-intent",
    scope: "payments:write",
    environment: "optional",
    publishable: "session",
    params: Type.Object({ address: addressText() }),
    body: Type.Object({
      amount: decimalText({
        description: "Base units, as a decimal string; of money from a bank, a decimal in its currency.",
        examples: ["1000000"],
      }),
      source: IntentSource,
      destination: WantedDestination,
      grid_user_id: Type.Optional(Type.String()),
      webhook_url: Type.Optional(
        Type.String({
          maxLength: 2_048,
          description: "Where the events of this payment are sent, besides to the tenant's webhook endpoints.",
        }),
      ),
      transaction_signers: Type.Optional(Type.Array(addressText(), { maxItems: 10 })),
      provider: wantedProvider,
      ...memoFields,
      ...approvalFields,
      ...feeFields,
    }),
    refusesNearMisses: true,
    refusesFields: foreignMemoWords,
    preparesOnly: true,
    response: {
      status: 201,
      envelope: true,
      schema: Type.Union([
        Type.Object({ ...answered, ...preparedFields }),
        Type.Object(answered, { description: "Of money from a bank: nothing is signed." }),
      ]),
    },
    errors: [...intentErrors, ...bankIntentErrors, "invalid_webhook_url", "secret_key_required"],
  },
  async (needs: PayInNeeds & ListenerNeeds, { params, body, network, caller, operationId }) => {
    const { tenantId } = caller;
    const { webhook_url: url } = body;
    const fromBank = isBankEnd(body.source);
    const toBank = isBankEnd(body.destination);
    if (caller.isPublishable && (fromBank || toBank || url !== undefined)) {
      throw new TrellisError("secret_key_required", {
        message:
          "With a publishable key a payment goes from the account to an address on chain, without a webhook_url.",
      });
    }
    if (fromBank || toBank) {
      refuseBankMemo(body, toBank);
      getRails(needs, network);
    }
    if (fromBank && toBank) {
      throw new TrellisError("rail_not_available", {
        field: "source.payment_rail",
        message: "One end of a payment is the smart account.",
      });
    }
    const { wire: view, ...listening } = await openListener(needs, network, tenantId, url);
    const wanted = { ...body, ...listening };
    if (fromBank) {
      const { intent } = await receiveFromBank(needs, network, tenantId, params.address, wanted, operationId);
      return { data: { ...intent, ...(await storedSecret(needs, tenantId, intent.id, url)) } };
    }
    if (toBank) {
      const { intent, prepared } = await payToBank(needs, network, tenantId, params.address, wanted, operationId);
      return { data: { ...intent, ...(await storedSecret(needs, tenantId, intent.id, url)), ...prepared } };
    }
    const { intent, prepared } = await prepareIntent(needs, network, tenantId, params.address, wanted);
    return { data: { ...intent, ...view, ...toPreparedFields(prepared) } };
  },
);
